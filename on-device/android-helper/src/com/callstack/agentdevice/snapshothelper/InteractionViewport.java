package com.callstack.agentdevice.snapshothelper;

import android.graphics.Rect;
import android.os.Bundle;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityWindowInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;

/** Where on the screen a gesture reaches the application, and where the keyboard lies. */
final class InteractionViewport {
  private static final long QUIET_MS = 100;
  private static final long IDLE_TIMEOUT_MS = 2000;

  private final Platform platform;

  InteractionViewport(Platform platform) {
    this.platform = platform;
  }

  /**
   * Puts x, y, width, height and, with a keyboard, the four of it.
   *
   * @throws IllegalStateException there is no application
   */
  void read(Bundle b) {
    try {
      platform.waitForIdle(QUIET_MS, IDLE_TIMEOUT_MS);
    } catch (TimeoutException e) {
      // Measured as it is.
    }
    List<Window> windows = windows();
    Rect app = application(windows);
    b.putString("kind", "viewport");
    b.putString("x", Integer.toString(app.left));
    b.putString("y", Integer.toString(app.top));
    b.putString("width", Integer.toString(app.width()));
    b.putString("height", Integer.toString(app.height()));
    List<Rect> keyboards = new ArrayList<>();
    for (Window w : windows) if (w.type == AccessibilityWindowInfo.TYPE_INPUT_METHOD) keyboards.add(w.bounds);
    putKeyboard(b, keyboard(app, keyboards));
  }

  /**
   * The union of the keyboards that lie under the application's centre line; null when none does. A split or
   * floating-aside keyboard leaves the line free.
   */
  static Rect keyboard(Rect app, List<Rect> keyboards) {
    Rect union = null;
    int centre = app.centerX();
    for (Rect k : keyboards) {
      boolean under = !k.isEmpty() && Rect.intersects(k, app) && k.left <= centre && centre < k.right;
      if (!under) continue;
      if (union == null) union = new Rect(k);
      else union.union(k);
    }
    return union;
  }

  static void putKeyboard(Bundle b, Rect k) {
    if (k == null) return;
    b.putString("keyboardX", Integer.toString(k.left));
    b.putString("keyboardY", Integer.toString(k.top));
    b.putString("keyboardWidth", Integer.toString(k.width()));
    b.putString("keyboardHeight", Integer.toString(k.height()));
  }

  private static final class Window {
    int type;
    boolean inFront;
    final Rect bounds = new Rect();
  }

  private List<Window> windows() {
    List<Window> out = new ArrayList<>();
    List<AccessibilityWindowInfo> list = platform.windows();
    if (list == null) return out;
    for (AccessibilityWindowInfo info : list) {
      if (info == null) continue;
      try {
        Window w = new Window();
        w.type = info.getType();
        w.inFront = info.isActive() || info.isFocused();
        info.getBoundsInScreen(w.bounds);
        out.add(w);
      } finally {
        WindowRead.recycle(info);
      }
    }
    return out;
  }

  /** The first active or focused application; else the active root, whatever it is; else the first application. */
  private Rect application(List<Window> windows) {
    Rect first = null;
    for (Window w : windows) {
      if (w.type != AccessibilityWindowInfo.TYPE_APPLICATION || w.bounds.isEmpty()) continue;
      if (w.inFront) return w.bounds;
      if (first == null) first = w.bounds;
    }
    AccessibilityNodeInfo root = platform.activeRoot();
    if (root != null) {
      Rect r = new Rect();
      root.getBoundsInScreen(r);
      NodeRegistry.recycle(root);
      if (!r.isEmpty()) return r;
    }
    if (first == null) throw new IllegalStateException("Active application interaction viewport is unavailable");
    return first;
  }
}
