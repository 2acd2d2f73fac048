package android.content;

import fake.Live;
import fake.Scene;
import fake.Shell;
import org.json.JSONObject;

/**
 * The device's clipboard, with Android's rule: from API 29 on it is read by the application whose input method is chosen (the one
 * with the focus is never the instrumentation's), and by nobody while the device is locked.
 */
public class ClipboardManager {
  private static ClipData held; // where no device runs
  private static boolean begun;

  ClipboardManager() {
    // It made a Handler then.
    if (Scene.get().api < 26) android.os.Looper.need();
  }

  public void setPrimaryClip(ClipData clip) {
    String text = String.valueOf(clip.getItemAt(0).getText());
    Scene.get().trace("setPrimaryClip", "text", text, "extras", String.valueOf(clip.getDescription().extras));
    if (Live.on()) {
      Live.ask("copy", "text", text);
      return;
    }
    synchronized (ClipboardManager.class) {
      begun = true;
      held = clip;
    }
  }

  public ClipData getPrimaryClip() {
    if (Live.on()) {
      JSONObject clip = Live.ask("clip");
      return clip.has("text") ? ClipData.newPlainText("", clip.optString("text")) : null;
    }
    JSONObject faults = Scene.get().faults;
    boolean allowed = (Scene.get().api < 29 || Shell.chosen()) && !faults.optBoolean("locked");
    Scene.get().trace("getPrimaryClip", "allowed", allowed);
    if (faults.has("clipboardThrows")) throw new RuntimeException(faults.optString("clipboardThrows"));
    synchronized (ClipboardManager.class) {
      if (!begun && faults.has("clipboard")) held = new ClipData(new ClipData.Item(faults.isNull("clipboard") ? null : faults.optString("clipboard")));
      begun = true;
      return allowed ? held : null;
    }
  }
}
