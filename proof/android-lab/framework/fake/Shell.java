package fake;

import android.inputmethodservice.InputMethodService;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** The running device's shell; without one, `settings` and `ime` in memory. */
public final class Shell {
  private static final Map<String, String> SECURE = new HashMap<>();
  private static InputMethodService service;
  private static int imeSets;

  static {
    if (!Live.on()) SECURE.put("default_input_method", Scene.get().faults.optString("inputMethod", "com.example.keyboard/.Keyboard"));
  }

  public static byte[] run(String command) {
    if (Live.on()) return Live.ask("shell", "command", command).optString("out").getBytes(StandardCharsets.UTF_8);
    return inMemory(command);
  }

  private static synchronized byte[] inMemory(String command) {
    String[] w = command.trim().split("\\s+");
    String out = "";
    if (w[0].equals("settings") && w[2].equals("secure")) {
      if (w[1].equals("get")) out = String.valueOf(SECURE.get(w[3])) + "\n";
      if (w[1].equals("put")) SECURE.put(w[3], w[4]);
      if (w[1].equals("delete")) out = "Deleted " + (SECURE.remove(w[3]) == null ? 0 : 1) + " rows\n";
    } else if (w[0].equals("ime") && w[1].equals("set")) {
      out = set(w[2]);
    }
    return out.getBytes(StandardCharsets.UTF_8);
  }

  /** Whether the chosen input method is this process's. */
  public static synchronized boolean chosen() {
    return inThisProcess(SECURE.get("default_input_method"));
  }

  private static boolean inThisProcess(String id) {
    String[] p = String.valueOf(id).split("/");
    if (p.length != 2) return false;
    try {
      Class.forName(p[1].startsWith(".") ? p[0] + p[1] : p[1]);
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  private static String set(String id) {
    imeSets++;
    if (imeSets == Scene.get().faults.optInt("imeSetDies", -1)) Runtime.getRuntime().halt(137);
    if (Scene.get().faults.optBoolean("imeSetRefused") && inThisProcess(id)) return "Unknown input method\n";
    if (!Live.on()) SECURE.put("default_input_method", id);
    if (service != null) service.onDestroy();
    service = null;
    String[] p = id.split("/");
    if (Scene.get().faults.optBoolean("imeNeverStarts")) return "";
    try {
      service = (InputMethodService) Class.forName(p[1].startsWith(".") ? p[0] + p[1] : p[1]).newInstance();
      service.onCreate();
      service.connect();
    } catch (ReflectiveOperationException e) {
      service = null; // a keyboard of the device's
    }
    return "Input method " + id + " selected\n";
  }
}
