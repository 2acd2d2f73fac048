package com.callstack.agentdevice.snapshothelper;

import android.app.UiAutomation;
import android.view.accessibility.AccessibilityEvent;

/**
 * Counts the events that tell of a changed screen. Two equal stamps: nothing was reported in between. The count begins
 * anywhere, so that a stamp of a process that has died says nothing to the next one.
 */
final class EventCount {
  private static final int COUNTED =
      AccessibilityEvent.TYPE_WINDOW_STATE_CHANGED
          | AccessibilityEvent.TYPE_WINDOWS_CHANGED
          | AccessibilityEvent.TYPE_WINDOW_CONTENT_CHANGED
          | AccessibilityEvent.TYPE_VIEW_SCROLLED;

  private boolean listening;
  /** Below 2^51 at first: readers that have only doubles keep it exact. */
  private long count = Wire.random() >>> 13;

  void listenTo(UiAutomation automation) {
    boolean set;
    try {
      automation.setOnAccessibilityEventListener(this::event);
      set = true;
    } catch (RuntimeException e) {
      set = false; // hosts then have to look for themselves
    }
    synchronized (this) {
      listening = set;
      count++; // what came between two connections is not known
    }
  }

  private void event(AccessibilityEvent e) {
    if ((e.getEventType() & COUNTED) == 0) return;
    synchronized (this) {
      count++;
    }
  }

  /** -1 where no listener could be set. */
  synchronized long stamp() {
    return listening ? count : -1;
  }
}
