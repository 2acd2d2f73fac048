package com.callstack.agentdevice.snapshothelper;

import android.util.DisplayMetrics;
import android.view.InputEvent;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityWindowInfo;
import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeoutException;

/**
 * Everything that the helper asks of Android's UiAutomation and Instrumentation. Nothing else in this package names them,
 * apart from the class Android starts and the one that ends the run.
 *
 * <p>Except for {@link #connect} and {@link #api}, callers hold the {@link Turn}: one command at a time.
 */
interface Platform {
  /** Android's API level. */
  int api();

  /**
   * Returns once UiAutomation is connected and interactive windows are asked for. At once when it already is.
   *
   * @throws TimeoutException not connected within {@code timeoutMs}
   */
  void connect(long timeoutMs) throws TimeoutException;

  /**
   * Waits until nothing has happened for {@code quietMs}.
   *
   * @throws TimeoutException something went on happening for {@code timeoutMs}
   */
  void waitForIdle(long quietMs, long timeoutMs) throws TimeoutException;

  /** Forgets what Android caches of windows and nodes in this process. */
  void clearCache();

  /** Windows of the default display, topmost first. May hold nulls. The caller recycles them. */
  List<AccessibilityWindowInfo> windows();

  /** Root of the active window, or null. The caller recycles it. */
  AccessibilityNodeInfo activeRoot();

  /** The node that has the input focus, or null. The caller recycles it. */
  AccessibilityNodeInfo inputFocus();

  /** Injects without waiting for animations where Android can. False: refused. */
  boolean inject(InputEvent event, boolean sync);

  boolean performGlobalAction(int action);

  /**
   * What a command, run as the shell user, printed on its standard output. Words are split at blanks; there is no quoting.
   *
   * @throws IOException it could not be run, or its output did not end within {@code timeoutMs}
   */
  String shell(String command, long timeoutMs) throws IOException;

  /** Puts a text on the clipboard. */
  void copy(String text);

  /**
   * The first text on the clipboard; null when there is none, when it is locked away, and when Android hides the clipboard
   * from the caller.
   */
  CharSequence copied();

  /** True while the device waits for its user's secret. */
  boolean locked();

  /** Size and density of the default display, system bars included. */
  DisplayMetrics display();

  /**
   * How many events have said that the screen changed: windows, window states, contents, scrolling. -1 where that is not
   * known.
   */
  long eventStamp();

  /** A folder of the helper's own that outlives the process. */
  File files();
}
