package com.callstack.agentdevice.snapshothelper;

/** Somebody was told that this command had not arrived, so it must not arrive any more. */
final class FencedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  FencedException(String id) {
    super("The command " + id + " was reported absent before it arrived");
  }
}
