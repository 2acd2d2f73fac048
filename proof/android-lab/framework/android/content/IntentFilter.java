package android.content;

import java.util.ArrayList;
import java.util.List;

public class IntentFilter {
  public final List<String> actions = new ArrayList<>();

  public final void addAction(String a) {
    actions.add(a);
  }
}
