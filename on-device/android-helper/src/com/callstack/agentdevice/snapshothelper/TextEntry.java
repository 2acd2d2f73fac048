package com.callstack.agentdevice.snapshothelper;

import android.os.Bundle;
import android.os.SystemClock;
import android.view.accessibility.AccessibilityNodeInfo;
import java.io.IOException;
import org.json.JSONException;
import org.json.JSONObject;

/**
 * Puts text into a field: by ACTION_SET_TEXT, which takes any Unicode; by the helper's own input method where that is
 * refused or has no effect. Then tells what the field holds, so that nobody has to believe it.
 */
final class TextEntry {
  /** How long a field may take to show what it was given, ms. */
  private static final long SETTLE_MS = 500;
  /** A text that has changed into something else counts as final once it stays so long, ms. */
  private static final long STEADY_MS = 120;
  private static final long RETRY_MS = 20;

  private final Platform platform;
  private final NodeRegistry registry;
  private final InputMethodSwitch inputMethod;

  TextEntry(Platform platform, NodeRegistry registry, InputMethodSwitch inputMethod) {
    this.platform = platform;
    this.registry = registry;
    this.inputMethod = inputMethod;
  }

  /**
   * Puts performed, method, editable, password and textBase64 (what the field holds afterwards; left out when it has gone).
   *
   * @throws NodeGoneException no such node
   * @throws NoFocusException no node was named, and none has the input focus
   * @throws IllegalArgumentException the payload asks for something that cannot be done
   */
  void enter(JSONObject payload, Touched touched, Bundle b) throws JSONException, IOException {
    String mode = payload.getString("mode");
    boolean append = mode.equals("append");
    if (!append && !mode.equals("set") && !mode.equals("clear")) throw new IllegalArgumentException("Unsupported mode: " + mode);
    String text = mode.equals("clear") ? "" : payload.getString("text");
    String via = payload.optString("via", "auto");
    if (!via.equals("auto") && !via.equals("set-text") && !via.equals("ime")) throw new IllegalArgumentException("Unsupported via: " + via);
    AccessibilityNodeInfo n = field(payload);
    try {
      if (!n.isEditable() && !via.equals("ime")) throw new IllegalArgumentException("The node is not editable");
      // A password's text reads as bullets: appending to those would replace it.
      boolean unreadable = append && n.isPassword() && !shown(n).isEmpty();
      if (unreadable && via.equals("set-text")) throw new IllegalArgumentException("Nothing can be appended to a password by set-text");
      boolean done = false;
      if (!via.equals("ime") && !unreadable) {
        done = setText(n, text, append, touched);
        if (done || via.equals("set-text")) b.putString("method", "set-text");
      }
      if (!done && !via.equals("set-text")) {
        done = byInputMethod(n, text, append, touched);
        b.putString("method", "ime");
      }
      b.putString("performed", Boolean.toString(done));
      b.putString("editable", Boolean.toString(n.isEditable()));
      b.putString("password", Boolean.toString(n.isPassword()));
      if (n.refresh()) Wire.putText(b, "text", shown(n));
    } finally {
      NodeRegistry.recycle(n);
    }
  }

  private AccessibilityNodeInfo field(JSONObject payload) throws JSONException {
    if (!payload.isNull("node")) return NodeGoneException.orNode(registry, payload.getString("node"));
    platform.clearCache(); // the focus may have moved without an event having come yet
    AccessibilityNodeInfo n = platform.inputFocus();
    if (n == null) throw new NoFocusException("No view has the input focus");
    return n;
  }

  /** What the field holds. A hint that is showing is not content. */
  private String shown(AccessibilityNodeInfo n) {
    CharSequence t = n.getText();
    if (t == null || (platform.api() >= 26 && n.isShowingHintText())) return "";
    return t.toString();
  }

  /** False when it was refused, or accepted without any effect. */
  private boolean setText(AccessibilityNodeInfo n, String text, boolean append, Touched touched) {
    String before = shown(n);
    String whole = text;
    int cursor = text.length();
    if (append) {
      int start = n.getTextSelectionStart();
      int end = n.getTextSelectionEnd();
      if (start < 0 || end < 0 || start > before.length() || end > before.length()) start = end = before.length();
      int from = Math.min(start, end);
      whole = before.substring(0, from) + text + before.substring(Math.max(start, end));
      cursor = from + text.length();
    }
    Bundle arguments = new Bundle();
    arguments.putCharSequence(AccessibilityNodeInfo.ACTION_ARGUMENT_SET_TEXT_CHARSEQUENCE, whole);
    touched.now();
    if (!n.performAction(AccessibilityNodeInfo.ACTION_SET_TEXT, arguments)) return false;
    if (!tookEffect(n, before, whole)) return false;
    if (append && cursor < whole.length()) {
      n.performAction(AccessibilityNodeInfo.ACTION_SET_SELECTION, NodeAction.selection(cursor, cursor));
    }
    return true;
  }

  private boolean byInputMethod(AccessibilityNodeInfo n, String text, boolean append, Touched touched) throws IOException {
    String before = shown(n);
    touched.now();
    if (!n.isFocused()) n.performAction(AccessibilityNodeInfo.ACTION_FOCUS);
    if (!inputMethod.enter(text, append)) return false;
    return text.isEmpty() || tookEffect(n, before, append ? null : text);
  }

  /**
   * Waits until the field shows {@code wanted}. A field that shows, and goes on to show, something else than before has
   * taken the text in its own way (a formatted number, a length limit): that counts, and the caller sees it.
   *
   * @param wanted null when it is not known: any change counts
   */
  private boolean tookEffect(AccessibilityNodeInfo n, String before, String wanted) {
    long until = SystemClock.uptimeMillis() + SETTLE_MS;
    String last = before;
    long since = SystemClock.uptimeMillis();
    while (true) {
      if (!n.refresh()) return true; // the field has gone: it did something with the text
      String now = shown(n);
      boolean changed = !now.equals(before);
      if (!now.equals(last)) since = SystemClock.uptimeMillis();
      last = now;
      if (now.equals(wanted) || (wanted == null && changed)) return true;
      if (n.isPassword() && wanted != null && now.length() == wanted.length()) return true;
      long time = SystemClock.uptimeMillis();
      if (time >= until || (changed && time - since >= STEADY_MS)) return changed;
      SystemClock.sleep(RETRY_MS);
    }
  }
}
