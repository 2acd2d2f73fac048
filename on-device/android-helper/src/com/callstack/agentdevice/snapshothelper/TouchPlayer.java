package com.callstack.agentdevice.snapshothelper;

import android.os.SystemClock;
import android.view.InputDevice;
import android.view.MotionEvent;
import android.view.MotionEvent.PointerCoords;
import android.view.MotionEvent.PointerProperties;

/** Injects a {@link TouchPlan}. Event times follow the plan even when the injection is late: no sample is skipped. */
final class TouchPlayer {
  /** The second finger comes down, and the first goes up, this much after the other. */
  private static final long SECOND_POINTER_MS = 8;

  private final Platform platform;
  private final TouchPlan plan;
  private long downTime;
  private int injected;
  /** The event being injected, for the CANCEL after a failure. */
  private int sample;
  private int pointers;

  TouchPlayer(Platform platform, TouchPlan plan) {
    this.platform = platform;
    this.plan = plan;
  }

  /**
   * Returns the number of events injected.
   *
   * @throws IllegalStateException an event was refused; the gesture was cancelled
   * @throws RuntimeException what the injection threw; likewise
   */
  int play() {
    downTime = SystemClock.uptimeMillis();
    try {
      if (plan.paths.length == 1) one();
      else two();
    } catch (RuntimeException | Error e) {
      if (injected > 0) cancel();
      throw e;
    }
    return injected;
  }

  private void one() {
    send(MotionEvent.ACTION_DOWN, 0, 0, 1, true);
    int last = plan.samples() - 1;
    for (int i = 1; i <= last; i++) send(MotionEvent.ACTION_MOVE, offset(i), i, 1, true);
    send(MotionEvent.ACTION_UP, offset(last), last, 1, true);
  }

  private void two() {
    int last = plan.samples() - 1;
    int second = 1 << MotionEvent.ACTION_POINTER_INDEX_SHIFT;
    // Before the first move, and never later than it: with duration 0 everything happens at 0.
    long secondDown = Math.min(offset(1), Math.max(1, Math.min(SECOND_POINTER_MS, offset(1) - 1)));
    send(MotionEvent.ACTION_DOWN, 0, 0, 1, true);
    send(MotionEvent.ACTION_POINTER_DOWN | second, secondDown, 0, 2, true);
    for (int i = 1; i <= last; i++) send(MotionEvent.ACTION_MOVE, offset(i), i, 2, i == last);
    send(MotionEvent.ACTION_POINTER_UP | second, offset(last), last, 2, true);
    send(MotionEvent.ACTION_UP, offset(last) + SECOND_POINTER_MS, last, 1, true);
  }

  private long offset(int i) {
    return plan.paths[0].offsetMs[i];
  }

  private void send(int action, long offsetMs, int sampleIndex, int pointerCount, boolean sync) {
    sample = sampleIndex;
    pointers = pointerCount;
    long at = downTime + offsetMs;
    long early = at - SystemClock.uptimeMillis();
    if (early > 0) SystemClock.sleep(early);
    if (!inject(action, at, sync)) throw new IllegalStateException("injectInputEvent returned false");
    injected++;
  }

  private void cancel() {
    try {
      inject(MotionEvent.ACTION_CANCEL, SystemClock.uptimeMillis(), true);
    } catch (RuntimeException e) {
      // The failure that led here is the one to tell.
    }
  }

  private boolean inject(int action, long eventTime, boolean sync) {
    PointerProperties[] properties = new PointerProperties[pointers];
    PointerCoords[] coords = new PointerCoords[pointers];
    for (int p = 0; p < pointers; p++) {
      properties[p] = new PointerProperties();
      properties[p].id = p;
      properties[p].toolType = MotionEvent.TOOL_TYPE_FINGER;
      coords[p] = new PointerCoords();
      coords[p].x = plan.paths[p].x[sample];
      coords[p].y = plan.paths[p].y[sample];
      coords[p].pressure = 1;
      coords[p].size = 1;
    }
    MotionEvent e =
        MotionEvent.obtain(
            downTime, eventTime, action, pointers, properties, coords, 0, 0, 1f, 1f, 0, 0, InputDevice.SOURCE_TOUCHSCREEN, 0);
    try {
      return platform.inject(e, sync);
    } finally {
      e.recycle();
    }
  }
}
