package com.callstack.agentdevice.snapshothelper;

import android.os.Bundle;
import android.os.SystemClock;
import android.view.InputDevice;
import android.view.KeyEvent;
import org.json.JSONException;
import org.json.JSONObject;

/** Key presses and Android's global actions. */
final class KeyPlayer {
  /** More presses than that in one command are a mistake. */
  private static final int MAX_COUNT = 10_000;
  /** KeyCharacterMap.VIRTUAL_KEYBOARD: the device that {@code input keyevent} names. */
  private static final int VIRTUAL_KEYBOARD = -1;

  private final Platform platform;

  KeyPlayer(Platform platform) {
    this.platform = platform;
  }

  /** Puts {@code injectedEvents}. */
  void press(JSONObject payload, Touched touched, Bundle b) throws JSONException {
    int code = payload.getInt("keyCode");
    int meta = payload.optInt("metaState", 0);
    int count = payload.optInt("count", 1);
    if (code <= 0) throw new IllegalArgumentException("keyCode must be positive");
    if (count < 1 || count > MAX_COUNT) throw new IllegalArgumentException("count must be between 1 and " + MAX_COUNT);
    int injected = 0;
    for (int i = 0; i < count; i++) {
      long down = SystemClock.uptimeMillis();
      touched.now();
      inject(down, KeyEvent.ACTION_DOWN, code, meta);
      inject(down, KeyEvent.ACTION_UP, code, meta);
      injected += 2;
    }
    b.putString("injectedEvents", Integer.toString(injected));
  }

  private void inject(long down, int action, int code, int meta) {
    KeyEvent e =
        new KeyEvent(
            down, SystemClock.uptimeMillis(), action, code, 0, meta, VIRTUAL_KEYBOARD, 0, 0, InputDevice.SOURCE_KEYBOARD);
    if (!platform.inject(e, true)) throw new IllegalStateException("injectInputEvent returned false");
  }

  /** Puts {@code performed}. The numbers are AccessibilityService.GLOBAL_ACTION_*. */
  void global(JSONObject payload, Touched touched, Bundle b) throws JSONException {
    String name = payload.getString("name");
    int action;
    switch (name) {
      case "back":
        action = 1;
        break;
      case "home":
        action = 2;
        break;
      case "recents":
        action = 3;
        break;
      case "notifications":
        action = 4;
        break;
      case "quick-settings":
        action = 5;
        break;
      case "power-dialog":
        action = 6;
        break;
      default:
        throw new IllegalArgumentException("Unsupported global action: " + name);
    }
    touched.now();
    b.putString("performed", Boolean.toString(platform.performGlobalAction(action)));
  }
}
