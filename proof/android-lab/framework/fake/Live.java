package fake;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/**
 * The running device behind the doubles, when LAB_DEVICE names one (host:port) and no LAB_SCENE is given: every question
 * is one JSON object a line, and so is its answer. A question takes a connection that is free or opens one, so one that waits holds
 * nobody up.
 */
public final class Live {
  private static final ArrayDeque<Live> FREE = new ArrayDeque<>();
  private final BufferedReader in;
  private final OutputStream out;

  private Live(Socket s) throws IOException {
    s.setTcpNoDelay(true);
    in = new BufferedReader(new InputStreamReader(s.getInputStream(), StandardCharsets.UTF_8), 1 << 16);
    out = s.getOutputStream();
  }

  public static boolean on() {
    return System.getenv("LAB_DEVICE") != null && System.getenv("LAB_SCENE") == null;
  }

  /** Asks the device. What it says the framework would throw is thrown. */
  public static JSONObject ask(String question, Object... keysAndValues) {
    try {
      JSONObject q = new JSONObject().put("q", question);
      for (int i = 0; i < keysAndValues.length; i += 2) q.put((String) keysAndValues[i], keysAndValues[i + 1]);
      Live line = take();
      JSONObject answer = line.exchange(q);
      synchronized (FREE) {
        FREE.push(line);
      }
      if (answer.has("throws")) throw new IllegalStateException(answer.getString("throws"));
      return answer;
    } catch (IOException | JSONException e) {
      throw new IllegalStateException("the device is gone: " + e, e);
    }
  }

  /** What the screen shows: the head of the answer, and its lines. No lines, and "same", where it is what {@code known} names. */
  static JSONObject scene(String known, List<String> lines) {
    try {
      Live line = take();
      JSONObject head = line.exchange(new JSONObject().put("q", "scene").put("known", known));
      if (head.has("throws")) throw new IllegalStateException(head.getString("throws"));
      for (int i = head.optInt("lines"); i > 0; i--) lines.add(line.in.readLine());
      synchronized (FREE) {
        FREE.push(line);
      }
      return head;
    } catch (IOException | JSONException e) {
      throw new IllegalStateException("the device is gone: " + e, e);
    }
  }

  public static boolean ok(JSONObject answer) {
    return answer.optBoolean("ok");
  }

  private static Live take() throws IOException, JSONException {
    Live free;
    synchronized (FREE) {
      free = FREE.poll();
    }
    return free == null ? open() : free;
  }

  private static Live open() throws IOException, JSONException {
    String[] at = System.getenv("LAB_DEVICE").split(":");
    Live live = new Live(new Socket(at[0], Integer.parseInt(at[1])));
    live.exchange(new JSONObject().put("q", "hello").put("pid", pid()));
    return live;
  }

  static JSONObject hello() {
    return ask("hello", "pid", pid());
  }

  private static int pid() {
    try {
      return Integer.parseInt(new java.io.File("/proc/self").getCanonicalFile().getName());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private JSONObject exchange(JSONObject question) throws IOException, JSONException {
    say(question);
    return hear();
  }

  private void say(JSONObject o) throws IOException {
    out.write((o + "\n").getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  private JSONObject hear() throws IOException, JSONException {
    String line = in.readLine();
    if (line == null) throw new IOException("closed");
    return new JSONObject(line);
  }

  /** What happens without a question: keyboards, broadcasts, changes. Never returns while the device lives. */
  static void listen() throws IOException, JSONException {
    Live live = open();
    live.say(new JSONObject().put("q", "events"));
    while (true) {
      JSONObject done = Events.happened(live.hear());
      if (done != null) live.say(done);
    }
  }

  /** A touch event: action and pointers. */
  static JSONObject touch(android.view.MotionEvent e) throws JSONException {
    JSONArray points = new JSONArray();
    for (int i = 0; i < e.getPointerCount(); i++) {
      // JSON has no infinity; a display is never this large.
      points.put(new JSONObject().put("id", e.getPointerId(i)).put("x", finite(e.getX(i))).put("y", finite(e.getY(i))));
    }
    return new JSONObject().put("action", e.getAction()).put("points", points);
  }

  private static double finite(float f) {
    return Float.isNaN(f) ? -1e6 : Math.max(-1e6, Math.min(1e6, f));
  }

  /** Injects a touch or a key. */
  public static boolean inject(android.view.InputEvent event, boolean sync) {
    try {
      if (event instanceof android.view.MotionEvent) {
        return ok(ask("inject", "event", touch((android.view.MotionEvent) event), "sync", sync));
      }
      android.view.KeyEvent k = (android.view.KeyEvent) event;
      return ok(ask("key", "code", k.getKeyCode(), "action", k.getAction(), "meta", k.getMetaState()));
    } catch (JSONException e) {
      throw new IllegalStateException(e);
    }
  }
}
