package com.callstack.agentdevice.snapshothelper;

/** The command could not begin in time, so it was not begun at all. */
final class DeadlinePassedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  DeadlinePassedException() {
    super("The deadline passed before the command could begin");
  }
}
