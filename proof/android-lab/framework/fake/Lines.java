package fake;

import java.util.ArrayList;
import java.util.List;
import org.json.JSONException;
import org.json.JSONObject;

/** Windows and nodes told in lines, the form in which a running device answers (the other side says why). */
final class Lines {
  private final String line;
  private int at;

  private Lines(String line) {
    this.line = line;
  }

  static void read(List<String> lines, List<Scene.Window> windows) throws JSONException {
    Scene.Window window = null;
    List<Scene.Node> open = new ArrayList<>(); // the way from the root to the last node
    for (String line : lines) {
      char first = line.charAt(0);
      if (first == 'W') {
        if (window != null && window.root != null) Scene.adopt(window.root, null, window);
        window = Scene.window(new JSONObject(line.substring(1)), windows.size());
        windows.add(window);
        open.clear();
      } else if (first == 'X') {
        open.get(Integer.parseInt(line.substring(1)) - 1).children.add(null);
      } else {
        Lines l = new Lines(line);
        int depth = Integer.parseInt(l.raw());
        Scene.Node n = l.node();
        while (open.size() > depth) open.remove(open.size() - 1);
        if (depth == 0) window.root = n;
        else open.get(depth - 1).children.add(n);
        open.add(n);
      }
    }
    if (window != null && window.root != null) Scene.adopt(window.root, null, window);
  }

  private Scene.Node node() {
    Scene.Node n = new Scene.Node();
    n.hash = number(n.hash);
    n.cls = text();
    n.pkg = text();
    n.text = text();
    n.desc = text();
    n.id = text();
    n.hint = text();
    n.uniqueId = text();
    n.state = text();
    n.error = text();
    n.roleDescription = text();
    n.paneTitle = text();
    n.throwsIn = text();
    n.drawingOrder = number(0);
    n.inputType = number(0);
    n.flags.add("enabled");
    n.flags.add("visible");
    words(n.flags);
    String not = text();
    if (not != null && !not.isEmpty()) n.flags.removeAll(Scene.words(not));
    words(n.actions);
    words(n.refuses);
    words(n.ignores);
    n.bounds = numbers();
    int[] selection = numbers();
    if (selection.length == 2) {
      n.selectionStart = selection[0];
      n.selectionEnd = selection[1];
    }
    return n;
  }

  private String raw() {
    int end = line.indexOf('\t', at);
    String field = end < 0 ? line.substring(at) : line.substring(at, end);
    at = end < 0 ? line.length() : end + 1;
    return field;
  }

  private String text() {
    String field = raw();
    if (field.isEmpty()) return null;
    String value = field.substring(1);
    if (value.indexOf('\\') < 0) return value;
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '\\') {
        char e = value.charAt(++i);
        c = e == 't' ? '\t' : e == 'n' ? '\n' : e == 'r' ? '\r' : e;
      }
      out.append(c);
    }
    return out.toString();
  }

  private int number(int otherwise) {
    String field = raw();
    return field.isEmpty() ? otherwise : Integer.parseInt(field.substring(1));
  }

  private void words(List<String> into) {
    String field = text();
    for (int from = 0; field != null && from < field.length(); ) {
      int end = field.indexOf(' ', from);
      if (end < 0) end = field.length();
      if (end > from) into.add(field.substring(from, end));
      from = end + 1;
    }
  }

  private int[] numbers() {
    String field = raw();
    int[] found = new int[4];
    int count = 0;
    for (int from = 0; from < field.length(); ) {
      int end = field.indexOf(' ', from);
      if (end < 0) end = field.length();
      found[count++] = Integer.parseInt(field.substring(from, end));
      from = end + 1;
    }
    return count == 4 ? found : java.util.Arrays.copyOf(found, count);
  }
}
