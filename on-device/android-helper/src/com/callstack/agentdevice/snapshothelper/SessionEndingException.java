package com.callstack.agentdevice.snapshothelper;

/** The session was ended while the command waited for its turn, so it was not begun at all. */
final class SessionEndingException extends RuntimeException {
  private static final long serialVersionUID = 1;

  SessionEndingException() {
    super("The session is ending");
  }
}
