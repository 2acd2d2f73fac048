package com.callstack.agentdevice.snapshothelper;

/** Whether a command has begun to act on the device. Until {@link #now} it provably has not. */
final class Touched {
  private boolean touched;

  synchronized void now() {
    touched = true;
  }

  synchronized boolean yet() {
    return touched;
  }
}
