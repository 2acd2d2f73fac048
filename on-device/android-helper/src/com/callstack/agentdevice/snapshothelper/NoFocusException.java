package com.callstack.agentdevice.snapshothelper;

/** Text was to go to the focused field, and there is none. */
final class NoFocusException extends RuntimeException {
  private static final long serialVersionUID = 1;

  NoFocusException(String message) {
    super(message);
  }
}
