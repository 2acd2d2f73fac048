package com.callstack.agentdevice.snapshothelper;

import android.os.Bundle;
import java.io.IOException;
import org.json.JSONException;
import org.json.JSONObject;

/**
 * The device's clipboard.
 *
 * <p>Any application may write it. From API 29 on only the application with the focus and the one whose input method is
 * chosen may read it, and others get what an empty one gives: so the helper's input method is chosen for that long.
 */
final class Clipboard {
  /** The first Android that hides the clipboard from applications in the background. */
  private static final int HIDDEN_FROM = 29;
  /**
   * Characters of one text. The clipboard travels in one transaction of Binder, whose buffer holds 1 MB for the whole
   * process; this is half of it.
   */
  private static final int MAX_LENGTH = 250_000;

  private final Platform platform;
  private final InputMethodSwitch inputMethod;

  Clipboard(Platform platform, InputMethodSwitch inputMethod) {
    this.platform = platform;
    this.inputMethod = inputMethod;
  }

  /** True when the payload asks for a change. One that cannot be read asks for none. */
  static boolean sets(String payloadBase64) {
    try {
      return "set".equals(TouchPlan.payload(payloadBase64).optString("mode"));
    } catch (JSONException | IllegalArgumentException e) {
      return false;
    }
  }

  /**
   * get: puts present, method (direct or ime) and textBase64, which is left out when nothing on the clipboard is text. set:
   * puts method, and below API 29 present and textBase64 as it was read back.
   *
   * @throws IllegalArgumentException the payload asks for something that cannot be done
   * @throws IllegalStateException the device is locked
   * @throws IOException the input method could not be switched, or not back
   */
  void run(JSONObject payload, Touched touched, Bundle b) throws JSONException, IOException {
    String mode = payload.getString("mode");
    if (mode.equals("set")) {
      set(payload.getString("text"), touched, b);
    } else if (mode.equals("get")) {
      get(b);
    } else {
      throw new IllegalArgumentException("Unsupported mode: " + mode);
    }
  }

  private void set(String text, Touched touched, Bundle b) {
    if (text.length() > MAX_LENGTH) {
      throw new IllegalArgumentException("The clipboard takes " + MAX_LENGTH + " characters at most, not " + text.length());
    }
    touched.now();
    platform.copy(text);
    b.putString("method", "direct");
    if (platform.api() < HIDDEN_FROM && !platform.locked()) put(b, platform.copied());
  }

  private void get(Bundle b) throws IOException {
    if (platform.locked()) throw new IllegalStateException("The device is locked: Android gives nobody its clipboard");
    boolean hidden = platform.api() >= HIDDEN_FROM;
    CharSequence text = hidden ? inputMethod.whileChosen(this::asInputMethod) : platform.copied();
    b.putString("method", hidden ? "ime" : "direct");
    put(b, text);
  }

  /** Android asks who is chosen, not who runs; a system that asks that, too, gets a second chance. */
  private CharSequence asInputMethod() {
    CharSequence text = platform.copied();
    if (text != null || !TestInputMethodService.awaitRunning()) return text;
    return platform.copied();
  }

  private static void put(Bundle b, CharSequence text) {
    b.putString("present", Boolean.toString(text != null));
    Wire.putText(b, "text", text);
  }
}
