package android.content;

import java.util.HashMap;
import java.util.Map;

public class Intent {
  private final String action;
  private final Map<String, String> extras = new HashMap<>();

  public Intent(String action) {
    this.action = action;
  }

  public String getAction() {
    return action;
  }

  public Intent putExtra(String k, String v) {
    extras.put(k, v);
    return this;
  }

  public String getStringExtra(String k) {
    return extras.get(k);
  }
}
