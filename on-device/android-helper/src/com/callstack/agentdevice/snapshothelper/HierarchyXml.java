package com.callstack.agentdevice.snapshothelper;

import android.view.accessibility.AccessibilityNodeInfo;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Writes windows as XML, within one budget of nodes.
 *
 * <p>A window is written apart from the others, so that the important one can be written first and still stand in its
 * place, and so that one that fails in the middle leaves nothing behind.
 */
final class HierarchyXml {
  private final CaptureOptions options;
  private final int api;
  private final boolean keys;
  private int nodes;
  private boolean truncated;

  HierarchyXml(CaptureOptions options, int api, boolean keys) {
    this.options = options;
    this.api = api;
    this.keys = keys;
  }

  /** One window's XML without the start of its root element, which depends on the window's place. */
  static final class Fragment {
    private final StringBuilder xml = new StringBuilder();
    private final WindowRead window;
    private final List<int[]> ambiguousKeys = new ArrayList<>();
    /** The nodes behind the keys written; empty when keys were not asked for. */
    NodeRegistry.Group group;

    private Fragment(WindowRead window) {
      this.window = window;
    }
  }

  int nodes() {
    return nodes;
  }

  boolean truncated() {
    return truncated;
  }

  /**
   * Writes {@code root} and what is below it. Does not recycle the root.
   *
   * @param window null when the root's window is not known
   * @return null when the budget had no node left
   * @throws RuntimeException what a node threw; the budget is as it was before
   */
  Fragment write(AccessibilityNodeInfo root, WindowRead window) {
    if (nodes >= options.maxNodes) {
      truncated = true;
      return null;
    }
    int nodesBefore = nodes;
    boolean truncatedBefore = truncated;
    Fragment f = new Fragment(window);
    f.group = new NodeRegistry.Group(window != null ? window.id : keys ? root.getWindowId() : -1);
    try {
      new Writer(f).node(root, 0, -1);
    } catch (RuntimeException | Error e) {
      nodes = nodesBefore;
      truncated = truncatedBefore;
      f.group.recycle();
      throw e;
    }
    // From the end, so that the earlier places stay true.
    Collections.sort(f.ambiguousKeys, (a, b) -> b[0] - a[0]);
    for (int[] range : f.ambiguousKeys) f.xml.delete(range[0], range[1]);
    return f;
  }

  /** The document. */
  String document(List<Fragment> fragments) {
    StringBuilder out = new StringBuilder("<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\">");
    NodeXml x = new NodeXml(out, api);
    int index = 0;
    for (Fragment f : fragments) {
      WindowRead w = f.window;
      out.append("<node");
      x.attribute("index", w == null ? 0 : index);
      if (w != null) {
        x.attribute("window-index", index);
        x.attribute("window-type", w.type);
        x.attribute("window-layer", w.layer);
        x.attribute("window-active", w.active);
        x.attribute("window-focused", w.focused);
        x.bounds("window-bounds", w.bounds);
      }
      if (keys) x.attribute("window-id", f.group.windowId);
      out.append(f.xml);
      index++;
    }
    return out.append("</hierarchy>").toString();
  }

  private final class Writer {
    private final Fragment f;
    private final StringBuilder out;
    private final NodeXml xml;

    Writer(Fragment f) {
      this.f = f;
      this.out = f.xml;
      this.xml = new NodeXml(out, api);
    }

    /** False when the budget is used up: no use in fetching another one. */
    private boolean node(AccessibilityNodeInfo n, int depth, int index) {
      if (nodes >= options.maxNodes) {
        truncated = true;
        return false;
      }
      nodes++;
      if (index >= 0) {
        out.append("<node");
        xml.attribute("index", index);
      }
      if (keys) key(n);
      xml.append(n);
      out.append(children(n, depth) ? "</node>" : " />");
      return true;
    }

    private void key(AccessibilityNodeInfo n) {
      int from = out.length();
      xml.attribute("node-key", NodeRegistry.key(f.group.windowId, n));
      int[] range = {from, out.length()};
      int[] other = f.group.add(n, range);
      if (other == null) return;
      if (!f.ambiguousKeys.contains(other)) f.ambiguousKeys.add(other);
      f.ambiguousKeys.add(range);
    }

    /** False when the element is to stay without content: no children, or none allowed. */
    private boolean children(AccessibilityNodeInfo n, int depth) {
      int count = n.getChildCount();
      if (count == 0) return false;
      if (depth >= options.maxDepth) {
        truncated = true;
        return false;
      }
      out.append('>');
      boolean room = true;
      for (int i = 0; i < count && room; i++) {
        AccessibilityNodeInfo child = n.getChild(i);
        if (child == null) continue; // gone in the meantime
        boolean kept = false;
        try {
          room = node(child, depth + 1, i);
          kept = keys && room && f.group.holds(child);
        } finally {
          if (!kept) NodeRegistry.recycle(child);
        }
      }
      return true;
    }
  }
}
