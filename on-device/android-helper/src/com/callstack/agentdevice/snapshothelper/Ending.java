package com.callstack.agentdevice.snapshothelper;

import android.app.Instrumentation;
import android.os.Bundle;
import android.os.SystemClock;
import android.util.Log;
import java.lang.reflect.Field;

/**
 * Ends the instrumentation with the record it was to end with.
 *
 * <p>{@code finish()} disconnects UiAutomation first, and throws when that is connecting or not connected: the record would be
 * lost in a crash. So a connecting one is waited for, and any other is detached.
 */
final class Ending {
  private static final int CONNECTING_TRIES = 100;
  private static final long CONNECTING_RETRY_MS = 100;

  private final Instrumentation instrumentation;

  Ending(Instrumentation instrumentation) {
    this.instrumentation = instrumentation;
  }

  void finish(int code, Bundle result) {
    RuntimeException thrown = null;
    for (int i = 0; i < CONNECTING_TRIES; i++) {
      try {
        instrumentation.finish(code, result);
        return;
      } catch (RuntimeException e) {
        thrown = e;
        if (!connecting(e)) break;
        SystemClock.sleep(CONNECTING_RETRY_MS);
      }
    }
    Log.w("agent-device", "finish() failed; UiAutomation is detached", thrown);
    if (detach()) {
      instrumentation.finish(code, result);
      return;
    }
    // The crash report is the only way left to say what happened.
    throw new IllegalStateException(
        "ok=" + result.getString("ok") + " " + result.getString("errorType") + ": " + result.getString("message"), thrown);
  }

  private static boolean connecting(RuntimeException e) {
    return String.valueOf(e.getMessage()).contains("while connecting");
  }

  /** Makes the instrumentation forget its UiAutomation, so that the next run can connect. */
  private boolean detach() {
    try {
      Field f = Instrumentation.class.getDeclaredField("mUiAutomation");
      f.setAccessible(true);
      f.set(instrumentation, null);
      return true;
    } catch (NoSuchFieldException | IllegalAccessException | SecurityException e) {
      Log.w("agent-device", "UiAutomation could not be detached", e);
      return false;
    }
  }
}
