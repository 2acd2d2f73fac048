package com.callstack.agentdevice.snapshothelper;

import android.graphics.Rect;
import android.view.accessibility.AccessibilityNodeInfo;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds what a touch would reach inside one window: the node drawn last at the point that takes touches. Only the way down to
 * the point is walked, not the whole window.
 */
final class TouchWalk {
  /** More nodes than any screen has at one point; above that nothing is claimed. */
  private static final int LIMIT = 2000;

  /** The screen has too much at one point to tell. */
  static final class TooManyException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private final int api;
  private final int x;
  private final int y;
  private int visited;

  TouchWalk(int api, int x, int y) {
    this.api = api;
    this.x = x;
    this.y = y;
  }

  /**
   * The node below, or at, {@code root} that would get the touch; null when none takes it. The caller recycles it, unless it
   * is {@code root} itself.
   */
  AccessibilityNodeInfo reached(AccessibilityNodeInfo root) {
    if (++visited > LIMIT) throw new TooManyException();
    List<AccessibilityNodeInfo> children = here(root);
    AccessibilityNodeInfo found = null;
    try {
      for (int i = children.size() - 1; i >= 0 && found == null; i--) found = reached(children.get(i));
    } finally {
      for (AccessibilityNodeInfo child : children) if (child != found) NodeRegistry.recycle(child);
    }
    return found != null ? found : takesTouches(root) ? root : null;
  }

  /** The children at the point, the last drawn last. */
  private List<AccessibilityNodeInfo> here(AccessibilityNodeInfo parent) {
    List<AccessibilityNodeInfo> children = new ArrayList<>();
    Rect bounds = new Rect();
    int count = parent.getChildCount();
    for (int i = 0; i < count; i++) {
      AccessibilityNodeInfo child = parent.getChild(i);
      if (child == null) continue;
      child.getBoundsInScreen(bounds);
      if (child.isVisibleToUser() && bounds.contains(x, y)) children.add(child);
      else NodeRegistry.recycle(child);
    }
    // Stable: children of one order, and all of them before API 24, stay as they come.
    if (api >= 24) children.sort((one, other) -> Integer.compare(one.getDrawingOrder(), other.getDrawingOrder()));
    return children;
  }

  private static boolean takesTouches(AccessibilityNodeInfo n) {
    return n.isClickable() || n.isLongClickable() || n.isCheckable() || n.isEditable();
  }

  /** Whether {@code node} is {@code other} or lies below it. */
  static boolean isIn(AccessibilityNodeInfo node, AccessibilityNodeInfo other) {
    if (node.equals(other)) return true;
    AccessibilityNodeInfo up = node.getParent();
    for (int depth = 0; up != null && depth < LIMIT; depth++) {
      boolean same = up.equals(other);
      AccessibilityNodeInfo next = same ? null : up.getParent();
      NodeRegistry.recycle(up);
      if (same) return true;
      up = next;
    }
    if (up != null) NodeRegistry.recycle(up);
    return false;
  }

  /** What it is called, for people. */
  static String name(AccessibilityNodeInfo n) {
    String said = XmlText.seen(n.getText());
    if (said.isEmpty()) said = XmlText.seen(n.getContentDescription());
    if (!said.isEmpty()) return said;
    String type = n.getClassName() == null ? "a view" : n.getClassName().toString();
    return type.substring(type.lastIndexOf('.') + 1);
  }
}
