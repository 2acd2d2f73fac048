package com.callstack.agentdevice.snapshothelper;

import android.view.accessibility.AccessibilityNodeInfo;

/** No view has the key any more, or more than one has. */
final class NodeGoneException extends RuntimeException {
  private static final long serialVersionUID = 1;

  NodeGoneException(String key) {
    super("No view has the key " + key);
  }

  /** The node of {@code key}. The caller recycles it. */
  static AccessibilityNodeInfo orNode(NodeRegistry registry, String key) {
    AccessibilityNodeInfo n = registry.find(key);
    if (n == null) throw new NodeGoneException(key);
    return n;
  }
}
