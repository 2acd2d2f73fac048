package com.callstack.agentdevice.snapshothelper;

import android.graphics.Rect;
import android.os.Bundle;
import android.view.accessibility.AccessibilityNodeInfo;

/** The facts of one node, as headers. Texts are base64: they may hold anything. */
final class Look {
  private Look() {}

  @SuppressWarnings("deprecation") // isChecked: its successor is newer than the minimum
  static void put(Bundle b, AccessibilityNodeInfo n, int api) {
    Wire.putText(b, "text", n.getText());
    Wire.putText(b, "contentDesc", n.getContentDescription());
    if (api >= 26) b.putString("hintShowing", Boolean.toString(n.isShowingHintText()));
    b.putString("class", n.getClassName() == null ? "" : n.getClassName().toString());
    if (n.getPackageName() != null) b.putString("packageName", n.getPackageName().toString());
    Rect r = new Rect();
    n.getBoundsInScreen(r);
    b.putString("bounds", r.left + "," + r.top + "," + r.right + "," + r.bottom);
    b.putString("visible", Boolean.toString(n.isVisibleToUser()));
    b.putString("enabled", Boolean.toString(n.isEnabled()));
    b.putString("focused", Boolean.toString(n.isFocused()));
    b.putString("editable", Boolean.toString(n.isEditable()));
    b.putString("password", Boolean.toString(n.isPassword()));
    b.putString("selected", Boolean.toString(n.isSelected()));
    if (n.isCheckable()) b.putString("checked", Boolean.toString(n.isChecked()));
    if (n.getTextSelectionStart() >= 0) b.putString("selectionStart", Integer.toString(n.getTextSelectionStart()));
    if (n.getTextSelectionEnd() >= 0) b.putString("selectionEnd", Integer.toString(n.getTextSelectionEnd()));
  }
}
