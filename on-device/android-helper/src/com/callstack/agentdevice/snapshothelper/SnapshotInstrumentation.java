package com.callstack.agentdevice.snapshothelper;

import android.app.Instrumentation;
import android.os.Bundle;
import java.io.IOException;
import java.util.concurrent.TimeoutException;

/** What {@code am instrument} starts: one command, or a session. */
public final class SnapshotInstrumentation extends Instrumentation {
  /** The ready record waits at most this long for UiAutomation, ms: hosts wait for that record. */
  private static final int READY_CONNECT_MS = 2000;

  private Arguments arguments;

  @Override
  public void onCreate(Bundle b) {
    super.onCreate(b);
    arguments = new Arguments(b);
    start();
  }

  @Override
  public void onStart() {
    super.onStart();
    Bundle result = Wire.record();
    arguments.options.putInto(result);
    int code;
    try {
      OneShot.check(arguments.mode);
      Platform platform = new UiAutomationPlatform(this);
      Commands commands = new Commands(platform, arguments.options);
      commands.recover();
      if (arguments.sessionPort > 0 && arguments.mode.equals("snapshot")) {
        session(platform, commands, result);
        code = Wire.RESULT_OK;
      } else {
        code = new OneShot(arguments, commands, this::sendStatus).run(result);
      }
    } catch (Throwable t) { // an Error too is an outcome
      Wire.putFailure(result, t);
      code = Wire.RESULT_FAILED;
    }
    new Ending(this).finish(code, result);
  }

  private void session(Platform platform, Commands commands, Bundle result) throws IOException {
    Turn turn = new Turn();
    SessionCommands answers = new SessionCommands(commands, arguments.options, turn);
    try (SessionServer server = new SessionServer(arguments.sessionPort, arguments.clientTimeoutMs, answers, turn)) {
      Bundle ready = Wire.record();
      arguments.options.putInto(ready);
      ready.putString("sessionReady", "true");
      ready.putString("sessionPort", Integer.toString(arguments.sessionPort));
      ready.putString("uiAutomationConnected", Boolean.toString(connected(platform)));
      Wire.putSession(ready, answers.journal());
      sendStatus(Wire.STATUS_READY, ready);
      SessionServer.End end = server.serve();
      result.putString("ok", "true");
      result.putString("sessionEnded", "true");
      if (end == SessionServer.End.CLIENT_GONE) result.putString("reason", "client-gone");
    }
  }

  /** Connects ahead of the first command. Failing that, each command tries again and tells its own story. */
  private boolean connected(Platform platform) {
    try {
      platform.connect(Math.min(arguments.options.timeoutMs, READY_CONNECT_MS));
      return true;
    } catch (TimeoutException | RuntimeException e) {
      return false;
    }
  }
}
