package com.callstack.agentdevice.snapshothelper;

/** UiAutomation did not connect in time. */
final class NotConnectedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  NotConnectedException(String message) {
    super(message);
  }
}
