package com.callstack.agentdevice.snapshothelper;

import android.view.accessibility.AccessibilityNodeInfo;

/** No view, or more than one, has the key; or no view has the input focus. */
final class NodeNotFoundException extends RuntimeException {
  private static final long serialVersionUID = 1;

  NodeNotFoundException(String message) {
    super(message);
  }

  /** The node of {@code key}. The caller recycles it. */
  static AccessibilityNodeInfo orNode(NodeRegistry registry, String key) {
    AccessibilityNodeInfo n = registry.find(key);
    if (n == null) throw new NodeNotFoundException("No view has the key " + key);
    return n;
  }
}
