package android.os;

import java.util.TreeMap;

public class PersistableBundle {
  private final TreeMap<String, Boolean> values = new TreeMap<>();

  public void putBoolean(String key, boolean value) {
    values.put(key, value);
  }

  @Override
  public String toString() {
    return values.toString();
  }
}
