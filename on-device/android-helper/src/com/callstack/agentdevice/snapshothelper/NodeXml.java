package com.callstack.agentdevice.snapshothelper;

import android.graphics.Rect;
import android.os.Bundle;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityNodeInfo.AccessibilityAction;
import java.util.List;

/** The attributes of one node, in the order that hosts know, those that the platform is too old for left out. */
final class NodeXml {
  private static final String ROLE_DESCRIPTION = "AccessibilityNodeInfo.roleDescription";

  private final StringBuilder out;
  private final int api;
  private final Rect rect = new Rect();

  NodeXml(StringBuilder out, int api) {
    this.out = out;
    this.api = api;
  }

  /** Everything after index, window and key. */
  void append(AccessibilityNodeInfo n) {
    CharSequence text = n.getText();
    if (text != null) attribute("text", text);
    if (api >= 26) attribute("hint-showing", n.isShowingHintText());
    attribute("editable", n.isEditable());
    int start = n.getTextSelectionStart();
    int end = n.getTextSelectionEnd();
    if (start >= 0) attribute("selection-start", start);
    if (end >= 0) attribute("selection-end", end);
    nonEmpty("resource-id", n.getViewIdResourceName());
    CharSequence cls = n.getClassName();
    attribute("class", cls == null ? "" : cls);
    nonEmpty("package", n.getPackageName());
    nonEmpty("content-desc", n.getContentDescription());
    attribute("visible-to-user", n.isVisibleToUser());
    if (api >= 24) attribute("drawing-order", n.getDrawingOrder());
    onlyTrue("clickable", n.isClickable());
    attribute("enabled", n.isEnabled());
    onlyTrue("focusable", n.isFocusable());
    onlyTrue("focused", n.isFocused());
    attribute("selected", n.isSelected());
    if (n.isScrollable()) scrolling(n);
    attribute("password", n.isPassword());
    later(n);
    n.getBoundsInScreen(rect);
    bounds("bounds", rect);
  }

  /** Attributes that older helpers did not write. */
  @SuppressWarnings("deprecation") // isChecked: its successor is newer than the minimum
  private void later(AccessibilityNodeInfo n) {
    if (n.isCheckable()) attribute("checked", n.isChecked());
    onlyTrue("long-clickable", n.isLongClickable());
    if (api >= 26) nonEmpty("placeholder", n.getHintText());
    if (api >= 28) {
      onlyTrue("heading", n.isHeading());
      nonEmpty("pane-title", n.getPaneTitle());
    }
    Bundle extras = n.getExtras();
    if (extras != null) nonEmpty("roleDescription", extras.getCharSequence(ROLE_DESCRIPTION));
  }

  private void scrolling(AccessibilityNodeInfo n) {
    boolean forward = false;
    boolean backward = false;
    List<AccessibilityAction> actions = n.getActionList();
    if (actions != null) {
      for (AccessibilityAction a : actions) {
        forward |= a.getId() == AccessibilityNodeInfo.ACTION_SCROLL_FORWARD;
        backward |= a.getId() == AccessibilityNodeInfo.ACTION_SCROLL_BACKWARD;
      }
    }
    attribute("scrollable", true);
    attribute("can-scroll-forward", forward);
    attribute("can-scroll-backward", backward);
  }

  void attribute(String name, CharSequence value) {
    out.append(' ').append(name).append("=\"");
    XmlText.append(out, value);
    out.append('"');
  }

  void attribute(String name, int value) {
    out.append(' ').append(name).append("=\"").append(value).append('"');
  }

  void attribute(String name, boolean value) {
    out.append(' ').append(name).append("=\"").append(value).append('"');
  }

  void bounds(String name, Rect r) {
    out.append(' ').append(name).append("=\"[").append(r.left).append(',').append(r.top).append("][");
    out.append(r.right).append(',').append(r.bottom).append("]\"");
  }

  private void nonEmpty(String name, CharSequence value) {
    if (value != null && value.length() > 0) attribute(name, value);
  }

  private void onlyTrue(String name, boolean value) {
    if (value) attribute(name, true);
  }
}
