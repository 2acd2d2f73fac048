package com.callstack.agentdevice.snapshothelper;

import android.os.SystemClock;
import android.util.Log;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.regex.Pattern;

/**
 * Makes the helper's input method the current one for the length of one command, and the user's own the current one again.
 *
 * <p>The user's is written down before the switch, in a file and in a secure setting (a host can read that one when the
 * helper is gone), and removed only when it is current again. So a run that died in between is mended by the next one.
 */
final class InputMethodSwitch {
  static final String COMPONENT = "com.callstack.agentdevice.snapshothelper/.TestInputMethodService";
  private static final String SETTING = "agent_device_ime_helper_previous_ime";
  private static final String FILE = "previous-input-method";
  /** One shell command, ms: on API 23 each starts a Java process. */
  private static final long SHELL_MS = 10_000;
  /** How long Android may take to start the service and connect it to the field, ms. */
  private static final long START_MS = 5_000;
  private static final long RETRY_MS = 50;
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9_.$]+/[A-Za-z0-9_.$]+");

  /** What is done while the helper's input method is the current one. */
  interface Work<T> {
    T run() throws IOException;
  }

  private final Platform platform;

  InputMethodSwitch(Platform platform) {
    this.platform = platform;
  }

  /**
   * Types {@code text} into the focused field: at the cursor, or in place of all of its content. False when no field was
   * connected.
   */
  boolean enter(String text, boolean append) throws IOException {
    return switched(
        () -> {
          TestInputMethodService service = TestInputMethodService.awaitConnected(START_MS);
          return service != null && service.enter(text, append);
        });
  }

  /**
   * Does what only the chosen input method's application may do. No field has to be connected.
   *
   * @throws IOException Android does not choose the helper's, or the user's could not be restored
   */
  <T> T whileChosen(Work<T> work) throws IOException {
    return switched(
        () -> {
          long until = SystemClock.uptimeMillis() + START_MS;
          while (!COMPONENT.equals(current())) {
            if (SystemClock.uptimeMillis() >= until) throw new IOException("Android does not choose the input method " + COMPONENT);
            SystemClock.sleep(RETRY_MS);
          }
          return work.run();
        });
  }

  /** The user's input method is the current one again when this returns, normally or not. */
  private <T> T switched(Work<T> work) throws IOException {
    String previous = current();
    if (COMPONENT.equals(previous)) return work.run(); // somebody else switched, and will switch back
    remember(previous);
    try {
      platform.shell("ime enable " + COMPONENT, SHELL_MS);
      platform.shell("ime set " + COMPONENT, SHELL_MS);
      return work.run();
    } finally {
      restore(previous);
    }
  }

  /** True when an earlier run left the user without the keyboard of their own. Costs no round trip. */
  boolean pending() {
    return file().exists();
  }

  /** Mends what {@link #pending} says. */
  void recover() {
    try {
      String previous = read(file());
      if (COMPONENT.equals(current())) restore(previous);
      else forget();
    } catch (IOException | RuntimeException e) {
      Log.w("agent-device", "The previous input method could not be restored yet", e);
    }
  }

  /** The current input method's id; empty when there is none. */
  private String current() throws IOException {
    String id = platform.shell("settings get secure default_input_method", SHELL_MS).trim();
    return ID.matcher(id).matches() ? id : "";
  }

  private void restore(String previous) throws IOException {
    if (!previous.isEmpty()) {
      long until = SystemClock.uptimeMillis() + SHELL_MS;
      do {
        platform.shell("ime set " + previous, SHELL_MS);
        if (previous.equals(current())) break;
        SystemClock.sleep(RETRY_MS);
      } while (SystemClock.uptimeMillis() < until);
    }
    // Where there was none before, disabling lets Android choose.
    platform.shell("ime disable " + COMPONENT, SHELL_MS);
    String now = current();
    if (!previous.isEmpty() && !previous.equals(now)) {
      throw new IOException("The input method " + previous + " could not be restored; now: " + now);
    }
    forget();
  }

  private void remember(String previous) throws IOException {
    try (FileOutputStream out = new FileOutputStream(file())) {
      out.write(previous.getBytes(Wire.UTF_8));
      out.getFD().sync();
    }
    if (previous.isEmpty()) return;
    platform.shell("settings put secure " + SETTING + " " + previous, SHELL_MS);
    if (!platform.shell("settings get secure " + SETTING, SHELL_MS).trim().equals(previous)) {
      platform.shell("settings delete secure " + SETTING, SHELL_MS); // some vendors drop unknown keys: leave no half truth
    }
  }

  private void forget() throws IOException {
    platform.shell("settings delete secure " + SETTING, SHELL_MS);
    if (!file().delete() && file().exists()) throw new IOException("Cannot delete " + file());
  }

  private File file() {
    return new File(platform.files(), FILE);
  }

  private static String read(File f) throws IOException {
    try (InputStream in = new FileInputStream(f)) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      byte[] b = new byte[1024];
      for (int n; (n = in.read(b)) > 0; ) out.write(b, 0, n);
      String id = out.toString("UTF-8").trim();
      return ID.matcher(id).matches() ? id : "";
    }
  }
}
