package com.callstack.agentdevice.snapshothelper;

import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityWindowInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the view that a node key means.
 *
 * <p>A key is {@code <window id>:<hex of the node's hash code>}; Android computes that hash from the window's and the view's
 * identity, so it stays the same while the view lives. The nodes of the last snapshot that wrote keys are kept: one
 * refresh of one node is then enough, where a search would fetch the whole window.
 */
final class NodeRegistry {
  /** A search gives up above this many nodes, the default budget of a snapshot. */
  private static final int SEARCH_LIMIT = 5000;
  /** And below this depth. */
  private static final int SEARCH_DEPTH = 500;

  private final Platform platform;
  private final Map<String, AccessibilityNodeInfo> kept = new HashMap<>();

  NodeRegistry(Platform platform) {
    this.platform = platform;
  }

  static String key(int windowId, AccessibilityNodeInfo n) {
    return windowId + ":" + Integer.toHexString(n.hashCode());
  }

  /** The keyed nodes of one window, those that share a key left out. */
  static final class Group {
    final int windowId;
    private final Map<Integer, AccessibilityNodeInfo> nodes = new HashMap<>();
    private final Map<Integer, int[]> places = new HashMap<>();
    private final Set<Integer> ambiguous = new HashSet<>();

    Group(int windowId) {
      this.windowId = windowId;
    }

    /** Remembers where a key was written. Answers with the first place of the same key, if there was one. */
    int[] add(AccessibilityNodeInfo n, int[] place) {
      int hash = n.hashCode();
      int[] other = places.get(hash);
      if (other == null) {
        places.put(hash, place);
        nodes.put(hash, n);
      } else {
        ambiguous.add(hash);
      }
      return other;
    }

    /** True when this very object is to be kept: it must not be recycled. */
    boolean holds(AccessibilityNodeInfo n) {
      return nodes.get(n.hashCode()) == n;
    }

    void recycle() {
      for (AccessibilityNodeInfo n : nodes.values()) NodeRegistry.recycle(n);
      nodes.clear();
    }
  }

  /** Takes over the nodes of a snapshot in place of the former one's. */
  void keep(List<Group> groups) {
    for (AccessibilityNodeInfo n : kept.values()) recycle(n);
    kept.clear();
    for (Group g : groups) {
      for (Map.Entry<Integer, AccessibilityNodeInfo> e : g.nodes.entrySet()) {
        if (g.ambiguous.contains(e.getKey())) recycle(e.getValue());
        else kept.put(g.windowId + ":" + Integer.toHexString(e.getKey()), e.getValue());
      }
    }
  }

  /** A node of its own for the key, up to date; null when no view, or more than one, has it. The caller recycles it. */
  AccessibilityNodeInfo find(String key) {
    AccessibilityNodeInfo known = kept.get(key);
    if (known != null && known.refresh()) return copy(known);
    int colon = key.indexOf(':');
    if (colon < 0) throw new IllegalArgumentException("Not a node key: " + key);
    int windowId;
    int hash;
    try {
      windowId = Integer.parseInt(key.substring(0, colon));
      hash = (int) Long.parseLong(key.substring(colon + 1), 16);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("Not a node key: " + key);
    }
    platform.clearCache();
    AccessibilityNodeInfo root = rootOf(windowId);
    if (root == null) return null;
    List<AccessibilityNodeInfo> found = new ArrayList<>();
    try {
      search(root, hash, 0, new int[] {SEARCH_LIMIT}, found);
    } finally {
      recycle(root);
    }
    if (found.size() == 1) return found.get(0);
    for (AccessibilityNodeInfo n : found) recycle(n);
    return null;
  }

  private AccessibilityNodeInfo rootOf(int windowId) {
    AccessibilityNodeInfo root = null;
    List<AccessibilityWindowInfo> windows = platform.windows();
    if (windows != null) {
      for (AccessibilityWindowInfo w : windows) {
        if (w == null) continue;
        if (root == null && w.getId() == windowId) root = w.getRoot();
        WindowRead.recycle(w);
      }
    }
    if (root != null) return root;
    root = platform.activeRoot();
    if (root == null || root.getWindowId() == windowId) return root;
    recycle(root);
    return null;
  }

  private static void search(AccessibilityNodeInfo n, int hash, int depth, int[] left, List<AccessibilityNodeInfo> found) {
    if (left[0]-- <= 0 || depth > SEARCH_DEPTH) return;
    if (n.hashCode() == hash) found.add(copy(n));
    int count = n.getChildCount();
    for (int i = 0; i < count; i++) {
      AccessibilityNodeInfo child = n.getChild(i);
      if (child == null) continue;
      search(child, hash, depth + 1, left, found);
      recycle(child);
    }
  }

  @SuppressWarnings("deprecation") // obtain: its successor is newer than the minimum
  private static AccessibilityNodeInfo copy(AccessibilityNodeInfo n) {
    return AccessibilityNodeInfo.obtain(n);
  }

  /** Gives the handle back to the pool that Android has below API 33. */
  @SuppressWarnings("deprecation")
  static void recycle(AccessibilityNodeInfo n) {
    try {
      n.recycle();
    } catch (IllegalStateException e) {
      // Already there: nothing is lost.
    }
  }
}
