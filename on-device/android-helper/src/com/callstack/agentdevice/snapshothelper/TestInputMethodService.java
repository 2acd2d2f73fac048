package com.callstack.agentdevice.snapshothelper;

import android.content.IntentFilter;
import android.inputmethodservice.InputMethodService;
import android.os.Build;
import android.os.SystemClock;
import android.view.View;
import android.view.inputmethod.EditorInfo;
import android.view.inputmethod.InputConnection;

/**
 * An input method without a face: it types what it is told, by the instrumentation in the same process or by a broadcast
 * that only the shell may send ({@link TextReceiver}).
 */
public final class TestInputMethodService extends InputMethodService {
  /** Context.RECEIVER_EXPORTED, which Android 13 made mandatory: the shell is another application. */
  private static final int RECEIVER_EXPORTED = 0x2;
  /** More characters than a field is expected to hold, for reading around the cursor. */
  private static final int EVERYTHING = 1 << 20;

  /** How long Android may take to start the service where it is wanted without a field, ms. It may not start it at all. */
  private static final long RUN_MS = 1_000;

  private static TestInputMethodService running; // guarded by the class

  private TextReceiver receiver;
  private boolean started; // guarded by the class: a field is connected

  @Override
  public void onCreate() {
    super.onCreate();
    receiver = new TextReceiver(this);
    IntentFilter actions = new IntentFilter();
    for (String action : TextReceiver.ACTIONS) actions.addAction(action);
    if (Build.VERSION.SDK_INT >= 33) {
      registerReceiver(receiver, actions, TextReceiver.PERMISSION, null, RECEIVER_EXPORTED);
    } else {
      registerReceiver(receiver, actions, TextReceiver.PERMISSION, null);
    }
    synchronized (TestInputMethodService.class) {
      running = this;
      TestInputMethodService.class.notifyAll();
    }
  }

  @Override
  public void onDestroy() {
    synchronized (TestInputMethodService.class) {
      if (running == this) running = null;
    }
    unregisterReceiver(receiver);
    super.onDestroy();
  }

  @Override
  public void onStartInput(EditorInfo attribute, boolean restarting) {
    super.onStartInput(attribute, restarting);
    synchronized (TestInputMethodService.class) {
      started = true;
      TestInputMethodService.class.notifyAll();
    }
  }

  @Override
  public void onFinishInput() {
    synchronized (TestInputMethodService.class) {
      started = false;
    }
    super.onFinishInput();
  }

  @Override
  public boolean onEvaluateInputViewShown() {
    super.onEvaluateInputViewShown();
    return false;
  }

  @Override
  public boolean onEvaluateFullscreenMode() {
    return false;
  }

  @Override
  public View onCreateInputView() {
    return null;
  }

  /** True once Android runs the service; false when it does not within {@link #RUN_MS}. */
  static boolean awaitRunning() {
    long until = SystemClock.uptimeMillis() + RUN_MS;
    synchronized (TestInputMethodService.class) {
      while (running == null) {
        long left = until - SystemClock.uptimeMillis();
        if (left <= 0 || !await(left)) return false;
      }
      return true;
    }
  }

  /** The service once Android has connected it to a field; null when it did not within {@code timeoutMs}. */
  static TestInputMethodService awaitConnected(long timeoutMs) {
    long until = SystemClock.uptimeMillis() + timeoutMs;
    synchronized (TestInputMethodService.class) {
      while (running == null || !running.started || running.getCurrentInputConnection() == null) {
        long left = until - SystemClock.uptimeMillis();
        if (left <= 0 || !await(left)) return null;
      }
      return running;
    }
  }

  /** False when the thread was told to stop. The caller holds the class's lock. */
  private static boolean await(long ms) {
    try {
      TestInputMethodService.class.wait(ms);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Types at the cursor, or in place of all there is. False when no field is connected or it refused. */
  boolean enter(String text, boolean append) {
    InputConnection c = getCurrentInputConnection();
    if (c == null) return false;
    c.beginBatchEdit();
    try {
      c.finishComposingText();
      if (!append) clear(c);
      return text.isEmpty() || c.commitText(text, 1);
    } finally {
      c.endBatchEdit();
    }
  }

  private static void clear(InputConnection c) {
    c.performContextMenuAction(android.R.id.selectAll);
    c.commitText("", 1); // replaces the selection
    // A field without a context menu selected nothing.
    CharSequence before = c.getTextBeforeCursor(EVERYTHING, 0);
    CharSequence after = c.getTextAfterCursor(EVERYTHING, 0);
    int left = before == null ? 0 : before.length();
    int right = after == null ? 0 : after.length();
    if (left + right > 0) c.deleteSurroundingText(left, right);
  }
}
