package com.callstack.agentdevice.snapshothelper;

import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;
import android.util.Base64;

/** Broadcasts of protocol {@code android-ime-helper-v1}, for hosts that type without a session. */
final class TextReceiver extends BroadcastReceiver {
  static final String PROTOCOL = "android-ime-helper-v1";
  /** Who may send: the shell has it, applications do not. */
  static final String PERMISSION = "android.permission.WRITE_SECURE_SETTINGS";

  private static final String PREFIX = "com.callstack.agentdevice.imehelper.";
  private static final String INPUT_TEXT_B64 = PREFIX + "ACTION_INPUT_TEXT_B64";
  private static final String INPUT_TEXT = PREFIX + "ACTION_INPUT_TEXT";
  private static final String CLEAR_TEXT = PREFIX + "ACTION_CLEAR_TEXT";
  static final String[] ACTIONS = {INPUT_TEXT_B64, INPUT_TEXT, CLEAR_TEXT};

  /** Result code of an ordered broadcast that did what it says (Activity.RESULT_OK). */
  private static final int DONE = -1;
  private static final int FAILED = 0;

  private final TestInputMethodService service;

  TextReceiver(TestInputMethodService service) {
    this.service = service;
  }

  @Override
  public void onReceive(Context context, Intent intent) {
    String problem = handle(intent);
    if (!isOrderedBroadcast()) return;
    setResultCode(problem == null ? DONE : FAILED);
    setResultData(problem == null ? "ok" : problem);
  }

  /** What is wrong; null when the text was typed. */
  private String handle(Intent intent) {
    String protocol = intent.getStringExtra("protocol");
    if (protocol != null && !protocol.equals(PROTOCOL)) return "Unsupported protocol: " + protocol;
    String action = String.valueOf(intent.getAction());
    String text = intent.getStringExtra("text");
    boolean typed;
    switch (action) {
      case CLEAR_TEXT:
        typed = service.enter("", false);
        break;
      case INPUT_TEXT:
        if (text == null) return "Missing text";
        typed = service.enter(text, true);
        break;
      case INPUT_TEXT_B64:
        if (text == null) return "Missing text";
        try {
          typed = service.enter(new String(Base64.decode(text, Base64.DEFAULT), Wire.UTF_8), true);
        } catch (IllegalArgumentException e) {
          return "The text is not base64";
        }
        break;
      default:
        return "Unsupported action: " + action;
    }
    return typed ? null : "No field is connected";
  }
}
