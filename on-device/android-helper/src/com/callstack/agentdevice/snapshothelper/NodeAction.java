package com.callstack.agentdevice.snapshothelper;

import android.os.Bundle;
import android.view.accessibility.AccessibilityNodeInfo;
import org.json.JSONException;
import org.json.JSONObject;

/** An accessibility action on the node of a key. */
final class NodeAction {
  /** android.R.id.accessibilityActionShowOnScreen, API 23. */
  private static final int ACTION_SHOW_ON_SCREEN = 0x01020036;

  private NodeAction() {}

  /**
   * Puts {@code performed}: what Android answered.
   *
   * @throws IllegalArgumentException unknown action
   * @throws NodeGoneException no view has the key
   */
  static void perform(JSONObject payload, NodeRegistry registry, Touched touched, Bundle b) throws JSONException {
    String name = payload.getString("action");
    int action = action(name);
    Bundle arguments = null;
    if (action == AccessibilityNodeInfo.ACTION_SET_SELECTION) {
      arguments = selection(payload.getInt("start"), payload.getInt("end"));
    }
    AccessibilityNodeInfo n = NodeGoneException.orNode(registry, payload.getString("node"));
    try {
      touched.now();
      b.putString("performed", Boolean.toString(n.performAction(action, arguments)));
    } finally {
      NodeRegistry.recycle(n);
    }
  }

  static Bundle selection(int start, int end) {
    Bundle arguments = new Bundle();
    arguments.putInt(AccessibilityNodeInfo.ACTION_ARGUMENT_SELECTION_START_INT, start);
    arguments.putInt(AccessibilityNodeInfo.ACTION_ARGUMENT_SELECTION_END_INT, end);
    return arguments;
  }

  private static int action(String name) {
    switch (name) {
      case "click":
        return AccessibilityNodeInfo.ACTION_CLICK;
      case "long-click":
        return AccessibilityNodeInfo.ACTION_LONG_CLICK;
      case "focus":
        return AccessibilityNodeInfo.ACTION_FOCUS;
      case "clear-focus":
        return AccessibilityNodeInfo.ACTION_CLEAR_FOCUS;
      case "select":
        return AccessibilityNodeInfo.ACTION_SELECT;
      case "scroll-forward":
        return AccessibilityNodeInfo.ACTION_SCROLL_FORWARD;
      case "scroll-backward":
        return AccessibilityNodeInfo.ACTION_SCROLL_BACKWARD;
      case "show-on-screen":
        return ACTION_SHOW_ON_SCREEN;
      case "set-selection":
        return AccessibilityNodeInfo.ACTION_SET_SELECTION;
      default:
        throw new IllegalArgumentException("Unsupported action: " + name);
    }
  }
}
