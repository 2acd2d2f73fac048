package com.callstack.agentdevice.snapshothelper;

import android.graphics.Rect;
import android.os.Bundle;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityWindowInfo;
import java.util.ArrayList;
import java.util.List;

/** Which application is in front, without waiting for anything: what a host asks after a press. */
final class Foreground {
  private final Platform platform;

  Foreground(Platform platform) {
    this.platform = platform;
  }

  private static final class Window {
    final int id;
    final int type;
    final boolean active;
    final boolean focused;
    final Rect bounds = new Rect();
    final CharSequence title;
    final CharSequence packageName;

    Window(AccessibilityWindowInfo w, int api) {
      id = w.getId();
      type = w.getType();
      active = w.isActive();
      focused = w.isFocused();
      w.getBoundsInScreen(bounds);
      title = api >= 24 ? w.getTitle() : null;
      AccessibilityNodeInfo root = active || focused ? w.getRoot() : null;
      packageName = root == null ? null : root.getPackageName();
      if (root != null) NodeRegistry.recycle(root);
    }

    boolean application() {
      return type == AccessibilityWindowInfo.TYPE_APPLICATION;
    }
  }

  /** Puts what is known; a key whose fact is not known is left out. */
  void read(Bundle b) {
    platform.clearCache();
    List<Window> windows = windows();
    Window app = application(windows);
    CharSequence appPackage = app == null ? null : app.packageName;
    if (app == null || appPackage == null) {
      AccessibilityNodeInfo root = platform.activeRoot();
      if (root != null) {
        if (appPackage == null) appPackage = root.getPackageName();
        NodeRegistry.recycle(root);
      }
    }
    if (appPackage != null) b.putString("packageName", appPackage.toString());
    if (app != null) {
      b.putString("windowId", Integer.toString(app.id));
      Wire.putText(b, "title", app.title);
    }
    putKeyboard(b, windows, app);
    for (Window w : windows) {
      boolean other = w.focused && w != app && w.packageName != null;
      if (other && !w.packageName.toString().equals(String.valueOf(appPackage))) {
        b.putString("systemWindow", w.packageName.toString());
      }
    }
    putFocus(b);
  }

  private List<Window> windows() {
    List<Window> out = new ArrayList<>();
    List<AccessibilityWindowInfo> list = platform.windows();
    if (list == null) return out;
    for (AccessibilityWindowInfo info : list) {
      if (info == null) continue;
      try {
        out.add(new Window(info, platform.api()));
      } catch (RuntimeException e) {
        // Not to be read: as in a snapshot, left out.
      } finally {
        WindowRead.recycle(info);
      }
    }
    return out;
  }

  /** The active application, else the focused one; else the first, unless the active window is none. */
  private static Window application(List<Window> windows) {
    Window focused = null;
    Window first = null;
    for (Window w : windows) {
      if (!w.application()) continue;
      if (w.active) return w;
      if (w.focused && focused == null) focused = w;
      if (first == null) first = w;
    }
    return focused != null ? focused : first;
  }

  private static void putKeyboard(Bundle b, List<Window> windows, Window app) {
    List<Rect> keyboards = new ArrayList<>();
    for (Window w : windows) {
      if (w.type == AccessibilityWindowInfo.TYPE_INPUT_METHOD && !w.bounds.isEmpty()) keyboards.add(w.bounds);
    }
    b.putString("keyboard", Boolean.toString(!keyboards.isEmpty()));
    if (app != null) InteractionViewport.putKeyboard(b, InteractionViewport.keyboard(app.bounds, keyboards));
  }

  private void putFocus(Bundle b) {
    AccessibilityNodeInfo n = platform.inputFocus();
    if (n == null) return;
    b.putString("focusedNode", NodeRegistry.key(n.getWindowId(), n));
    b.putString("focusedEditable", Boolean.toString(n.isEditable()));
    NodeRegistry.recycle(n);
  }
}
