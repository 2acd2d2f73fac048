package android.content;

import android.os.PersistableBundle;
import fake.Scene;

public class ClipDescription {
  PersistableBundle extras;

  public void setExtras(PersistableBundle extras) {
    Scene.since(24, "ClipDescription.setExtras");
    this.extras = extras;
  }
}
