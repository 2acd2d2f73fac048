package com.callstack.agentdevice.snapshothelper;

import android.os.SystemClock;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityWindowInfo;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Looks at the windows until the roots that matter are there. */
final class AccessibilityCaptureStabilizer {
  /** Longest wait for roots, ms; a complete screen waits not at all. */
  private static final long LIMIT_MS = 500;
  /** Pause between two looks, ms. */
  private static final long RETRY_MS = 50;

  private final Platform platform;
  /** Focused windows that had no root for the whole of a limit: not waited for again. */
  private final Set<Integer> rootless = new HashSet<>();

  AccessibilityCaptureStabilizer(Platform platform) {
    this.platform = platform;
  }

  /** No root at all, or the active window's was missing, for the whole of the limit. */
  static final class IncompleteCaptureException extends RuntimeException {
    private static final long serialVersionUID = 1;

    IncompleteCaptureException(long ms) {
      super("Android accessibility capture remained incomplete after " + ms + " ms");
    }
  }

  /** One look at the screen: window roots in list order, and the active root where the list had none for it. */
  static final class Windows {
    final List<WindowRead> list = new ArrayList<>();
    /** The active window, root or not; null when none said so. */
    WindowRead active;
    /** What getRootInActiveWindow() answered; null when it was not asked or knew none. */
    AccessibilityNodeInfo fallbackRoot;
    /** {@link Platform#eventStamp()} of right before the look. */
    long eventStamp;

    private boolean anyRoot() {
      for (WindowRead w : list) if (w.root != null) return true;
      return false;
    }

    private Set<Integer> focusedWithoutRoot() {
      Set<Integer> ids = new HashSet<>();
      for (WindowRead w : list) if (w.focused && !w.active && w.root == null) ids.add(w.id);
      return ids;
    }

    /** An application is active and its root is there: enough for a screen, whatever another window lacks. */
    private boolean activeApplication() {
      return active != null && active.root != null && active.type == AccessibilityWindowInfo.TYPE_APPLICATION;
    }

    private boolean activeResolved() {
      return fallbackRoot != null || (active == null ? anyRoot() : active.root != null);
    }

    /** Types of the windows that are left out for want of a root, as a comma list in list order. */
    String missingRootTypes() {
      StringBuilder s = new StringBuilder();
      for (WindowRead w : list) {
        if (w.root == null && !(w == active && fallbackRoot != null)) s.append(s.length() == 0 ? "" : ",").append(w.type);
      }
      return s.toString();
    }

    void recycle() {
      for (WindowRead w : list) w.recycle();
      if (fallbackRoot != null) NodeRegistry.recycle(fallbackRoot);
    }
  }

  /**
   * @throws IncompleteCaptureException see there
   */
  Windows read() {
    long start = SystemClock.uptimeMillis();
    while (true) {
      Windows w = look();
      Set<Integer> lacking = w.focusedWithoutRoot();
      if (w.activeResolved() && lacking.isEmpty()) {
        rootless.clear();
        return w;
      }
      if (w.activeApplication() && rootless.containsAll(lacking)) return w;
      long left = start + LIMIT_MS - SystemClock.uptimeMillis();
      if (left <= 0) {
        if (w.activeApplication()) {
          rootless.addAll(lacking);
          return w;
        }
        w.recycle();
        throw new IncompleteCaptureException(LIMIT_MS);
      }
      w.recycle();
      SystemClock.sleep(Math.min(RETRY_MS, left));
    }
  }

  private Windows look() {
    Windows w = new Windows();
    w.eventStamp = platform.eventStamp();
    List<AccessibilityWindowInfo> found;
    try {
      found = platform.windows();
    } catch (RuntimeException e) {
      found = null; // as if there were no list: the active root may still be there
    }
    if (found != null) {
      for (AccessibilityWindowInfo info : found) {
        WindowRead read = info == null ? null : WindowRead.of(info);
        if (read == null) continue;
        w.list.add(read);
        if (read.active && w.active == null) w.active = read;
      }
    }
    if (!w.anyRoot() || (w.active != null && w.active.root == null)) w.fallbackRoot = platform.activeRoot();
    return w;
  }
}
