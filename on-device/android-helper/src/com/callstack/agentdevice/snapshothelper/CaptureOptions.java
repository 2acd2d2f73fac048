package com.callstack.agentdevice.snapshothelper;

import android.os.Bundle;

/** The five numbers that shape a capture. All are at least 0. */
final class CaptureOptions {
  /** Longest wait for an idle screen, ms; 0 captures at once. */
  final int waitForIdleTimeoutMs;
  /** How long nothing may happen for the screen to count as idle, ms. */
  final int waitForIdleQuietMs;
  /** Budget for connecting UiAutomation before a snapshot, ms. */
  final int timeoutMs;
  /** Depth of the deepest node written; a window's root has depth 0. */
  final int maxDepth;
  /** Nodes written over all windows. */
  final int maxNodes;

  CaptureOptions(int waitForIdleTimeoutMs, int waitForIdleQuietMs, int timeoutMs, int maxDepth, int maxNodes) {
    this.waitForIdleTimeoutMs = waitForIdleTimeoutMs;
    this.waitForIdleQuietMs = waitForIdleQuietMs;
    this.timeoutMs = timeoutMs;
    this.maxDepth = maxDepth;
    this.maxNodes = maxNodes;
  }

  void putInto(Bundle b) {
    b.putString("waitForIdleTimeoutMs", Integer.toString(waitForIdleTimeoutMs));
    b.putString("waitForIdleQuietMs", Integer.toString(waitForIdleQuietMs));
    b.putString("timeoutMs", Integer.toString(timeoutMs));
    b.putString("maxDepth", Integer.toString(maxDepth));
    b.putString("maxNodes", Integer.toString(maxNodes));
  }
}
