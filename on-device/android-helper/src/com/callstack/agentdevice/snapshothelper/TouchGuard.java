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

    ScreenChangedException(long then, long now) {
      super("The screen has changed since the capture: " + (now - then) + " events");
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

  /** The touch would reach another window. */
  static final class NodeCoveredException extends Refusal {
    private static final long serialVersionUID = 1;

    NodeCoveredException(String by) {
      super("The view is covered by a window of " + by);
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
    if (!expect.isNull("stamp")) {
      long then = expect.getLong("stamp");
      long now = platform.eventStamp();
      if (now != then) throw new ScreenChangedException(then, now);
    }
    AccessibilityNodeInfo n = NodeGoneException.orNode(registry, key);
    int windowId;
    try {
      if (!n.isVisibleToUser()) throw new NodeGoneException(key);
      Rect r = new Rect();
      n.getBoundsInScreen(r);
      if (!r.contains((int) Math.floor(x), (int) Math.floor(y))) throw new NodeMovedException(r);
      same(expect, "text", n.getText());
      same(expect, "contentDesc", n.getContentDescription());
      same(expect, "class", n.getClassName());
      windowId = n.getWindowId();
    } finally {
      NodeRegistry.recycle(n);
    }
    uncovered(windowId, (int) Math.floor(x), (int) Math.floor(y));
  }

  private static void same(JSONObject expect, String what, CharSequence now) throws JSONException {
    if (!expect.has(what)) return;
    String then = expect.isNull(what) ? null : expect.getString(what);
    boolean same = then == null ? now == null : now != null && then.equals(now.toString());
    if (!same) throw new NodeChangedException(what);
  }

  private void uncovered(int windowId, int x, int y) {
    platform.clearCache();
    List<AccessibilityWindowInfo> windows = platform.windows();
    if (windows == null) return;
    int topLayer = Integer.MIN_VALUE;
    int topId = windowId;
    String topName = null;
    Rect r = new Rect();
    for (AccessibilityWindowInfo w : windows) {
      if (w == null) continue;
      w.getBoundsInScreen(r);
      boolean counts = w.getType() != AccessibilityWindowInfo.TYPE_ACCESSIBILITY_OVERLAY && r.contains(x, y);
      if (counts && w.getLayer() > topLayer) {
        topLayer = w.getLayer();
        topId = w.getId();
        topName = topId == windowId ? null : name(w);
      }
      WindowRead.recycle(w);
    }
    if (topId != windowId) throw new NodeCoveredException(topName);
  }

  private static String name(AccessibilityWindowInfo w) {
    AccessibilityNodeInfo root = w.getRoot();
    if (root == null) return Integer.toString(w.getType());
    CharSequence name = root.getPackageName();
    NodeRegistry.recycle(root);
    return name == null ? Integer.toString(w.getType()) : name.toString();
  }
}
