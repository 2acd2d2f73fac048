package com.callstack.agentdevice.snapshothelper;

import android.accessibilityservice.AccessibilityServiceInfo;
import android.app.Instrumentation;
import android.app.KeyguardManager;
import android.app.UiAutomation;
import android.content.ClipData;
import android.content.ClipboardManager;
import android.content.Context;
import android.hardware.display.DisplayManager;
import android.os.Build;
import android.os.ParcelFileDescriptor;
import android.os.PersistableBundle;
import android.util.DisplayMetrics;
import android.view.Display;
import android.view.InputEvent;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityWindowInfo;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.TimeoutException;

/** The platform of a device. */
final class UiAutomationPlatform implements Platform {
  private final Instrumentation instrumentation;
  private final UiAutomationConnection connection;
  private Method injectWithoutAnimations;
  private boolean injectSearched;
  private ClipboardManager clipboard;

  UiAutomationPlatform(Instrumentation instrumentation) {
    this.instrumentation = instrumentation;
    this.connection = new UiAutomationConnection(instrumentation);
  }

  @Override
  public int api() {
    return Build.VERSION.SDK_INT;
  }

  @Override
  public void connect(long timeoutMs) throws TimeoutException {
    connection.connect(timeoutMs);
  }

  @Override
  public void waitForIdle(long quietMs, long timeoutMs) throws TimeoutException {
    automation().waitForIdle(quietMs, timeoutMs);
  }

  @Override
  public void clearCache() {
    UiAutomation a = automation();
    if (api() >= 34) {
      a.clearCache();
      return;
    }
    // Below 34 there is no public way, but setting the service info again drops the cache.
    AccessibilityServiceInfo info = a.getServiceInfo();
    if (info != null) a.setServiceInfo(info);
  }

  @Override
  public List<AccessibilityWindowInfo> windows() {
    return automation().getWindows();
  }

  @Override
  public AccessibilityNodeInfo activeRoot() {
    return automation().getRootInActiveWindow();
  }

  @Override
  public AccessibilityNodeInfo inputFocus() {
    return automation().findFocus(AccessibilityNodeInfo.FOCUS_INPUT);
  }

  @Override
  public boolean inject(InputEvent event, boolean sync) {
    UiAutomation a = automation();
    Method hidden = injectWithoutAnimations();
    if (hidden != null) {
      try {
        return (Boolean) hidden.invoke(a, event, sync, false);
      } catch (InvocationTargetException e) {
        if (e.getCause() instanceof RuntimeException) throw (RuntimeException) e.getCause();
        if (e.getCause() instanceof Error) throw (Error) e.getCause();
        throw new IllegalStateException(e.getCause());
      } catch (IllegalAccessException e) {
        // The event was not sent: from here on the public method is used.
        synchronized (this) {
          injectWithoutAnimations = null;
        }
      }
    }
    return a.injectInputEvent(event, sync);
  }

  /** {@code injectInputEvent(event, sync, waitForAnimations)}, API 33+ and not public; null where there is none. */
  private synchronized Method injectWithoutAnimations() {
    if (!injectSearched) {
      injectSearched = true;
      try {
        injectWithoutAnimations =
            UiAutomation.class.getMethod("injectInputEvent", InputEvent.class, boolean.class, boolean.class);
      } catch (NoSuchMethodException | SecurityException e) {
        injectWithoutAnimations = null;
      }
    }
    return injectWithoutAnimations;
  }

  @Override
  public boolean performGlobalAction(int action) {
    return automation().performGlobalAction(action);
  }

  @Override
  public String shell(String command, long timeoutMs) throws IOException {
    ParcelFileDescriptor out = automation().executeShellCommand(command);
    return new TimedRead(new ParcelFileDescriptor.AutoCloseInputStream(out)).text(timeoutMs);
  }

  @Override
  public void copy(String text) {
    ClipData clip = ClipData.newPlainText("", text);
    if (api() >= 33) {
      // Emulators then leave out the preview that would cover a corner of the screen.
      PersistableBundle extras = new PersistableBundle();
      extras.putBoolean("com.android.systemui.SUPPRESS_CLIPBOARD_OVERLAY", true);
      clip.getDescription().setExtras(extras);
    }
    clipboard().setPrimaryClip(clip);
  }

  @Override
  public CharSequence copied() {
    ClipData clip = clipboard().getPrimaryClip();
    if (clip == null) return null;
    for (int i = 0; i < clip.getItemCount(); i++) {
      CharSequence text = clip.getItemAt(i).getText();
      if (text != null) return text;
    }
    return null;
  }

  @Override
  public boolean locked() {
    KeyguardManager keyguard = (KeyguardManager) instrumentation.getTargetContext().getSystemService(Context.KEYGUARD_SERVICE);
    return keyguard != null && keyguard.isDeviceLocked();
  }

  /** Made on the main thread: on older Androids it makes a Handler, for which a thread needs a Looper. */
  private synchronized ClipboardManager clipboard() {
    if (clipboard == null) {
      Context context = instrumentation.getTargetContext();
      instrumentation.runOnMainSync(() -> clipboard = (ClipboardManager) context.getSystemService(Context.CLIPBOARD_SERVICE));
      if (clipboard == null) throw new IllegalStateException("This device has no clipboard");
    }
    return clipboard;
  }

  @Override
  public DisplayMetrics display() {
    DisplayMetrics m = new DisplayMetrics();
    Context context = instrumentation.getTargetContext();
    DisplayManager displays = (DisplayManager) context.getSystemService(Context.DISPLAY_SERVICE);
    Display display = displays == null ? null : displays.getDisplay(Display.DEFAULT_DISPLAY);
    if (display == null) return context.getResources().getDisplayMetrics();
    display.getRealMetrics(m);
    return m;
  }

  @Override
  public long eventStamp() {
    return connection.eventStamp();
  }

  @Override
  public File files() {
    return instrumentation.getTargetContext().getFilesDir();
  }

  private UiAutomation automation() {
    return connection.connected();
  }
}
