package com.callstack.agentdevice.snapshothelper;

import android.os.Bundle;
import android.os.SystemClock;
import android.util.DisplayMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;

/** Takes a snapshot: idle wait, fresh windows, XML. */
final class SnapshotCapture {
  private final Platform platform;
  private final NodeRegistry registry;
  private final AccessibilityCaptureStabilizer stabilizer;

  SnapshotCapture(Platform platform, NodeRegistry registry) {
    this.platform = platform;
    this.registry = registry;
    this.stabilizer = new AccessibilityCaptureStabilizer(platform);
  }

  /**
   * Puts the facts of the capture into {@code b} and answers with the XML.
   *
   * @param startedAt uptime when the command began, connecting included
   */
  String take(CaptureOptions options, boolean keys, long startedAt, Bundle b) {
    if (options.waitForIdleTimeoutMs > 0) {
      try {
        platform.waitForIdle(Math.min(options.waitForIdleQuietMs, options.waitForIdleTimeoutMs), options.waitForIdleTimeoutMs);
      } catch (TimeoutException e) {
        // Something moves on and on: the limit is the point.
      }
    }
    platform.clearCache();
    AccessibilityCaptureStabilizer.Windows windows = stabilizer.read();
    HierarchyXml xml = new HierarchyXml(options, platform.api(), keys);
    String missing = windows.missingRootTypes();
    Written written;
    try {
      written = write(windows, xml, keys);
    } finally {
      windows.recycle();
    }
    b.putString("rootPresent", "true");
    b.putString("captureMode", written.fromList > 0 ? "interactive-windows" : "active-window");
    b.putString("windowCount", Integer.toString(written.windows));
    b.putString("nodeCount", Integer.toString(xml.nodes()));
    b.putString("truncated", Boolean.toString(xml.truncated()));
    if (windows.eventStamp >= 0) b.putString("eventStamp", Long.toString(windows.eventStamp));
    if (!missing.isEmpty()) b.putString("missingRootWindowTypes", missing);
    DisplayMetrics display = platform.display();
    b.putString("pixelDensity", Float.toString(display.density));
    b.putString("displayWidth", Integer.toString(display.widthPixels));
    b.putString("displayHeight", Integer.toString(display.heightPixels));
    b.putString("elapsedMs", Long.toString(SystemClock.uptimeMillis() - startedAt));
    return xml.document(written.fragments);
  }

  private static final class Written {
    final List<HierarchyXml.Fragment> fragments = new ArrayList<>();
    int fromList;
    int windows;
  }

  private Written write(AccessibilityCaptureStabilizer.Windows windows, HierarchyXml xml, boolean keys) {
    WindowRead active = windows.active;
    HierarchyXml.Fragment activeFragment = null;
    RuntimeException activeFailure = null;
    if (active != null && active.root != null) {
      // First, so that a short budget goes to the window that matters.
      try {
        activeFragment = xml.write(active.root, active);
      } catch (RuntimeException e) {
        activeFailure = e;
      }
    }
    Written w = new Written();
    for (WindowRead window : windows.list) {
      HierarchyXml.Fragment f = window == active ? activeFragment : writeOther(window, xml);
      if (f != null) w.fragments.add(f);
    }
    w.fromList = w.fragments.size();
    w.windows = w.fromList;
    if (w.fromList == 0 || (active != null && activeFragment == null)) {
      writeFallback(windows, xml, w, activeFailure);
    }
    if (keys) {
      List<NodeRegistry.Group> groups = new ArrayList<>();
      for (HierarchyXml.Fragment f : w.fragments) groups.add(f.group);
      registry.keep(groups);
      // The roots now belong to the registry, too.
      for (WindowRead window : windows.list) window.root = null;
      windows.fallbackRoot = null;
    }
    return w;
  }

  /** A window that throws is left out. */
  private static HierarchyXml.Fragment writeOther(WindowRead window, HierarchyXml xml) {
    if (window.root == null) return null;
    try {
      return xml.write(window.root, window);
    } catch (RuntimeException e) {
      return null;
    }
  }

  private void writeFallback(
      AccessibilityCaptureStabilizer.Windows windows, HierarchyXml xml, Written w, RuntimeException activeFailure) {
    if (windows.fallbackRoot == null) windows.fallbackRoot = platform.activeRoot();
    if (windows.fallbackRoot == null) {
      if (activeFailure != null) throw activeFailure;
      if (w.fromList == 0) throw new IllegalStateException("No window could be read");
      return;
    }
    HierarchyXml.Fragment f = xml.write(windows.fallbackRoot, windows.active);
    if (f != null) w.fragments.add(f);
    w.windows++;
  }
}
