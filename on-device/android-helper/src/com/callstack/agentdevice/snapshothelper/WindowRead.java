package com.callstack.agentdevice.snapshothelper;

import android.graphics.Rect;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityWindowInfo;

/** What is known of one window, read once. */
final class WindowRead {
  final int id;
  /** As in {@link AccessibilityWindowInfo#getType()}. */
  final int type;
  final int layer;
  final boolean active;
  final boolean focused;
  final Rect bounds = new Rect();
  /** Null when the window has none, or none yet. */
  AccessibilityNodeInfo root;

  private WindowRead(AccessibilityWindowInfo w) {
    id = w.getId();
    type = w.getType();
    layer = w.getLayer();
    active = w.isActive();
    focused = w.isFocused();
    w.getBoundsInScreen(bounds);
  }

  /** Null when the window is not to be read: it is left out as if it were not there. Recycles the argument. */
  static WindowRead of(AccessibilityWindowInfo info) {
    try {
      WindowRead w = new WindowRead(info);
      w.root = info.getRoot();
      return w;
    } catch (RuntimeException e) {
      return null;
    } finally {
      recycle(info);
    }
  }

  void recycle() {
    if (root != null) NodeRegistry.recycle(root);
    root = null;
  }

  /** Gives the handle back to the pool that Android has below API 33. */
  @SuppressWarnings("deprecation")
  static void recycle(AccessibilityWindowInfo info) {
    try {
      info.recycle();
    } catch (IllegalStateException e) {
      // Already there: nothing is lost.
    }
  }
}
