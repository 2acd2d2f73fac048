package com.callstack.agentdevice.snapshothelper;

import android.os.Bundle;
import android.os.SystemClock;
import android.view.accessibility.AccessibilityNodeInfo;
import java.io.IOException;
import java.util.concurrent.TimeoutException;
import org.json.JSONException;
import org.json.JSONObject;

/** What the helper can do, whichever way it was asked. Callers hold the {@link Turn}. */
final class Commands {
  /** Budget for connecting UiAutomation before anything but a snapshot, ms. */
  private static final long CONNECT_MS = 8000;

  private final Platform platform;
  private final CaptureOptions options;
  private final NodeRegistry registry;
  private final SnapshotCapture capture;
  private final InputMethodSwitch inputMethod;

  Commands(Platform platform, CaptureOptions options) {
    this.platform = platform;
    this.options = options;
    this.registry = new NodeRegistry(platform);
    this.capture = new SnapshotCapture(platform, registry);
    this.inputMethod = new InputMethodSwitch(platform);
  }

  /** True for what only reads. */
  static boolean reads(String action) {
    switch (action) {
      case "clipboard": // where it does not act
      case "snapshot":
      case "viewport":
      case "look":
      case "foreground":
        return true;
      default:
        return false;
    }
  }

  /** True for what may change the device: these are journaled. */
  static boolean acts(String action, String payloadBase64) {
    switch (action) {
      case "clipboard":
        return Clipboard.sets(payloadBase64);
      case "gesture":
      case "action":
      case "text":
      case "key":
      case "global":
        return true;
      default:
        return false;
    }
  }

  /** Gives the user their keyboard back if an earlier run could not. */
  void recover() {
    if (!inputMethod.pending()) return;
    try {
      connectAsEver();
    } catch (RuntimeException e) {
      return; // next time
    }
    inputMethod.recover();
  }

  /** Answers with the XML; the facts go into {@code b}. */
  String snapshot(boolean nodeKeys, Bundle b) throws TimeoutException {
    long start = SystemClock.uptimeMillis();
    platform.connect(options.timeoutMs);
    return capture.take(options, nodeKeys, start, b);
  }

  /**
   * Any other command of {@link #reads} or {@link #acts}.
   *
   * @throws IllegalArgumentException the payload is not valid; nothing was touched
   * @throws NotConnectedException UiAutomation did not connect; nothing was touched
   */
  void run(String action, String payloadBase64, Touched touched, Bundle b) throws JSONException, IOException {
    if (action.equals("gesture")) {
      gesture(payloadBase64, touched, b);
      return;
    }
    if (action.equals("viewport")) {
      connectAsEver();
      new InteractionViewport(platform).read(b);
      return;
    }
    boolean needsPayload = !action.equals("foreground");
    JSONObject payload = needsPayload ? TouchPlan.payload(payloadBase64) : null;
    connect();
    b.putString("kind", action);
    switch (action) {
      case "foreground":
        new Foreground(platform).read(b);
        break;
      case "look":
        look(payload, b);
        break;
      case "action":
        NodeAction.perform(payload, registry, touched, b);
        break;
      case "text":
        new TextEntry(platform, registry, inputMethod).enter(payload, touched, b);
        break;
      case "clipboard":
        new Clipboard(platform, inputMethod).run(payload, touched, b);
        break;
      case "key":
        new KeyPlayer(platform).press(payload, touched, b);
        break;
      case "global":
        new KeyPlayer(platform).global(payload, touched, b);
        break;
      default:
        throw new IllegalArgumentException("Unsupported mode: " + action);
    }
  }

  private void gesture(String payloadBase64, Touched touched, Bundle b) throws JSONException {
    TouchPlan plan = TouchPlan.parse(payloadBase64);
    connectAsEver();
    if (plan.expect != null) {
      new TouchGuard(platform, registry).check(plan.expect, plan.paths[0].x[0], plan.paths[0].y[0]);
      b.putString("guard", "checked");
    }
    long start = SystemClock.uptimeMillis();
    touched.now();
    int injected = 0;
    for (int i = 0; i < plan.count; i++) {
      if (i > 0) SystemClock.sleep(plan.pauseMs);
      injected += new TouchPlayer(platform, plan).play();
    }
    b.putString("kind", plan.kind);
    b.putString("injectedEvents", Integer.toString(injected));
    b.putString("elapsedMs", Long.toString(SystemClock.uptimeMillis() - start));
  }

  private void look(JSONObject payload, Bundle b) throws JSONException {
    AccessibilityNodeInfo n = registry.find(payload.getString("node"));
    b.putString("found", Boolean.toString(n != null));
    if (n == null) return;
    Look.put(b, n, platform.api());
    NodeRegistry.recycle(n);
  }

  /** Puts the keys of {@code foreground}, or why they could not be read. */
  void addForeground(Bundle b) {
    Bundle found = new Bundle();
    try {
      new Foreground(platform).read(found);
      b.putAll(found);
    } catch (RuntimeException e) {
      b.putString("foregroundError", String.valueOf(e.getMessage()));
    }
  }

  private void connect() {
    try {
      platform.connect(CONNECT_MS);
    } catch (TimeoutException e) {
      throw new NotConnectedException(e.getMessage());
    }
  }

  /** With the exception that gesture and viewport have always failed with. */
  private void connectAsEver() {
    try {
      platform.connect(CONNECT_MS);
    } catch (TimeoutException e) {
      throw new IllegalStateException(e.getMessage());
    }
  }
}
