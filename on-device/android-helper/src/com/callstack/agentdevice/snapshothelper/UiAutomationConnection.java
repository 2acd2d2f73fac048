package com.callstack.agentdevice.snapshothelper;

import android.accessibilityservice.AccessibilityServiceInfo;
import android.app.Instrumentation;
import android.app.UiAutomation;
import android.os.Build;
import android.os.SystemClock;
import java.util.concurrent.TimeoutException;

/**
 * Connects UiAutomation, and again after it was lost.
 *
 * <p>{@code getUiAutomation()} may block for as long as it likes, so it runs on a daemon thread. An attempt that outlives its
 * caller is what the next caller waits for: there is never more than one.
 */
final class UiAutomationConnection {
  /** Pause between two tries, ms. */
  private static final long RETRY_MS = 50;

  private final Instrumentation instrumentation;
  private final EventCount events = new EventCount();
  private UiAutomation automation;
  private Attempt attempt;

  UiAutomationConnection(Instrumentation instrumentation) {
    this.instrumentation = instrumentation;
  }

  /**
   * @throws TimeoutException not connected within {@code timeoutMs}
   * @throws RuntimeException what {@code getUiAutomation()} itself threw
   */
  void connect(long timeoutMs) throws TimeoutException {
    Attempt mine;
    synchronized (this) {
      if (automation != null && attempt == null && prepared(automation)) return;
      if (timeoutMs <= 0) throw timedOut();
      long until = SystemClock.uptimeMillis() + timeoutMs;
      if (attempt == null) {
        attempt = new Attempt(until);
        attempt.start();
      }
      mine = attempt;
      mine.giveUpAt = Math.max(mine.giveUpAt, until);
      while (!mine.done) {
        long left = until - SystemClock.uptimeMillis();
        if (left <= 0) throw timedOut();
        waitFor(left);
      }
      if (attempt == mine) attempt = null;
    }
    if (mine.failure instanceof Error) throw (Error) mine.failure;
    if (mine.failure != null) throw (RuntimeException) mine.failure;
    if (mine.connected == null) throw timedOut();
  }

  /** The connected UiAutomation, or an IllegalStateException. */
  synchronized UiAutomation connected() {
    if (automation == null) throw new IllegalStateException("UiAutomation not connected!");
    return automation;
  }

  long eventStamp() {
    return events.stamp();
  }

  private static TimeoutException timedOut() {
    return new TimeoutException("Timed out waiting for Android UiAutomation to connect");
  }

  private void waitFor(long ms) {
    try {
      wait(ms);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while waiting for Android UiAutomation");
    }
  }

  /** Other accessibility services (a screen reader, say) keep running where Android allows it, API 24. */
  private UiAutomation ask() {
    return Build.VERSION.SDK_INT >= 24
        ? instrumentation.getUiAutomation(UiAutomation.FLAG_DONT_SUPPRESS_ACCESSIBILITY_SERVICES)
        : instrumentation.getUiAutomation();
  }

  /** True when it answers; interactive windows are asked for then. False when it is not connected (any more). */
  private static boolean prepared(UiAutomation a) {
    try {
      AccessibilityServiceInfo info = a.getServiceInfo();
      if (info != null && (info.flags & AccessibilityServiceInfo.FLAG_RETRIEVE_INTERACTIVE_WINDOWS) == 0) {
        info.flags |= AccessibilityServiceInfo.FLAG_RETRIEVE_INTERACTIVE_WINDOWS;
        a.setServiceInfo(info);
      }
      return true;
    } catch (IllegalStateException e) {
      return false; // what every call says while it is not connected
    }
  }

  private final class Attempt extends Thread {
    private long giveUpAt; // guarded by the connection, like the rest
    private boolean done;
    private UiAutomation connected;
    private Throwable failure;

    Attempt(long giveUpAt) {
      super("connect UiAutomation");
      setDaemon(true);
      this.giveUpAt = giveUpAt;
    }

    @Override
    public void run() {
      UiAutomation found = null;
      Throwable thrown = null;
      try {
        while (found == null && !late()) {
          UiAutomation a = ask();
          if (a != null && prepared(a)) found = a;
          else SystemClock.sleep(RETRY_MS);
        }
      } catch (RuntimeException | Error e) {
        thrown = e;
      }
      synchronized (UiAutomationConnection.this) {
        connected = found;
        failure = thrown;
        done = true;
        if (found != null && found != automation) events.listenTo(found);
        if (found != null) automation = found;
        UiAutomationConnection.this.notifyAll();
      }
    }

    private boolean late() {
      synchronized (UiAutomationConnection.this) {
        return SystemClock.uptimeMillis() >= giveUpAt;
      }
    }
  }
}
