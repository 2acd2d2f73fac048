package com.callstack.agentdevice.snapshothelper;

import android.graphics.Rect;
import android.os.Bundle;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityWindowInfo;
import java.util.List;
import org.json.JSONException;
import org.json.JSONObject;

/**
 * Refuses a gesture whose target is no longer what the sender saw. It is asked in the same request, right before the first
 * event: no round trip lies between the look and the touch.
 */
final class TouchGuard {
  private final Platform platform;
  private final NodeRegistry registry;

  TouchGuard(Platform platform, NodeRegistry registry) {
    this.platform = platform;
    this.registry = registry;
  }

  /** Nothing was injected; {@code details} are headers for the answer. */
  abstract static class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1;
    final transient Bundle details = new Bundle();

    Refusal(String message) {
      super(message);
    }
  }

  /** Something happened on the screen since the capture. */
  static final class ScreenChangedException extends Refusal {
    private static final long serialVersionUID = 1;

    ScreenChangedException(long now) {
      super("The screen has changed since the capture");
      details.putString("eventStamp", Long.toString(now));
    }
  }

  /** The touch would miss the node. */
  static final class NodeMovedException extends Refusal {
    private static final long serialVersionUID = 1;

    NodeMovedException(Rect r) {
      super("The view is now at " + r.left + "," + r.top + "," + r.right + "," + r.bottom);
      details.putString("bounds", r.left + "," + r.top + "," + r.right + "," + r.bottom);
    }
  }

  /** The view now shows something else, as a recycled row of a list does. */
  static final class NodeChangedException extends Refusal {
    private static final long serialVersionUID = 1;

    NodeChangedException(String what) {
      super("The view's " + what + " has changed");
    }
  }

  /** The touch would reach another window, or another view of the same one. */
  static final class NodeCoveredException extends Refusal {
    private static final long serialVersionUID = 1;

    NodeCoveredException(String by) {
      super("The view is covered by " + by);
      details.putString("coveredBy", by);
    }
  }

  /**
   * Checks {@code expect} against the screen of now, for a touch that starts at x, y.
   *
   * @throws Refusal see its kinds
   * @throws NodeGoneException the node is gone, or not visible
   */
  void check(JSONObject expect, float x, float y) throws JSONException {
    String key = expect.getString("node");
    boolean walks = expect.optBoolean("touch");
    if (!expect.isNull("stamp")) {
      long now = platform.eventStamp();
      boolean unchanged = now == expect.getLong("stamp");
      if (!unchanged && !walks) throw new ScreenChangedException(now);
      // Nothing happened since: what lies over what in the window is as the sender saw it. The rest is looked at all the
      // same: Android may report a change up to 100 ms late.
      walks &= !unchanged;
    }
    int atX = (int) Math.floor(x);
    int atY = (int) Math.floor(y);
    AccessibilityNodeInfo n = NodeGoneException.orNode(registry, key);
    try {
      if (!n.isVisibleToUser()) throw new NodeGoneException(key);
      Rect r = new Rect();
      n.getBoundsInScreen(r);
      if (!r.contains(atX, atY)) throw new NodeMovedException(r);
      same(expect, "text", n.getText());
      same(expect, "contentDesc", n.getContentDescription());
      same(expect, "class", n.getClassName());
      if (expect.optBoolean("enabled") && !n.isEnabled()) throw new NodeChangedException("being enabled");
      if (!expect.isNull("says")) says(expect.getString("says"), n);
      AccessibilityNodeInfo root = uncovered(n.getWindowId(), atX, atY, walks);
      if (walks) reached(key, n, root, atX, atY);
    } finally {
      NodeRegistry.recycle(n);
    }
  }

  /** What a view says itself; one that says nothing got its name from elsewhere. */
  private static void says(String then, AccessibilityNodeInfo n) {
    String text = XmlText.seen(n.getText());
    String description = XmlText.seen(n.getContentDescription());
    if (text.isEmpty() && description.isEmpty()) return;
    String said = XmlText.seen(then);
    if (!said.equals(text) && !said.equals(description)) throw new NodeChangedException("text");
  }

  private static void same(JSONObject expect, String what, CharSequence now) throws JSONException {
    if (!expect.has(what)) return;
    String then = expect.isNull(what) ? null : expect.getString(what);
    boolean same = then == null ? now == null : now != null && then.equals(now.toString());
    if (!same) throw new NodeChangedException(what);
  }

  /**
   * No other window lies over the point. Answers with the root of the node's own if {@code wantsRoot}; null when there is
   * none.
   */
  private AccessibilityNodeInfo uncovered(int windowId, int x, int y, boolean wantsRoot) {
    platform.clearCache();
    List<AccessibilityWindowInfo> windows = platform.windows();
    if (windows == null) return null;
    int topLayer = Integer.MIN_VALUE;
    int topId = windowId;
    String topName = null;
    AccessibilityNodeInfo root = null;
    Rect r = new Rect();
    for (AccessibilityWindowInfo w : windows) {
      if (w == null) continue;
      w.getBoundsInScreen(r);
      boolean own = w.getId() == windowId;
      boolean counts = w.getType() != AccessibilityWindowInfo.TYPE_ACCESSIBILITY_OVERLAY && r.contains(x, y);
      if (counts && w.getLayer() > topLayer) {
        topLayer = w.getLayer();
        topId = w.getId();
        topName = own ? null : name(w);
      }
      if (own && wantsRoot && root == null) root = w.getRoot();
      WindowRead.recycle(w);
    }
    if (topId == windowId) return root;
    if (root != null) NodeRegistry.recycle(root);
    throw new NodeCoveredException(topName);
  }

  /** The touch reaches the node, or one that it is part of. Recycles the root. */
  private void reached(String key, AccessibilityNodeInfo n, AccessibilityNodeInfo root, int x, int y) {
    // A window that cannot be read proves nothing.
    if (root == null) throw new NodeGoneException(key);
    AccessibilityNodeInfo top = null;
    try {
      top = new TouchWalk(platform.api(), x, y).reached(root);
      if (top != null && !TouchWalk.isIn(n, top)) throw new NodeCoveredException(TouchWalk.name(top));
    } catch (TouchWalk.TooManyException e) {
      throw new NodeCoveredException("too many views to tell");
    } finally {
      if (top != null && top != root) NodeRegistry.recycle(top);
      NodeRegistry.recycle(root);
    }
  }

  private static String name(AccessibilityWindowInfo w) {
    AccessibilityNodeInfo root = w.getRoot();
    if (root == null) return Integer.toString(w.getType());
    CharSequence name = root.getPackageName();
    NodeRegistry.recycle(root);
    return name == null ? Integer.toString(w.getType()) : name.toString();
  }
}
