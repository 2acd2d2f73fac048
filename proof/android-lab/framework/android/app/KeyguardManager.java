package android.app;

import fake.Scene;

public class KeyguardManager {
  public boolean isDeviceLocked() {
    return Scene.get().faults.optBoolean("locked");
  }
}
