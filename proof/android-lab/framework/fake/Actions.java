package fake;

import android.app.UiAutomation;
import android.os.Bundle;

/** What accessibility actions do to the scene. */
public final class Actions {
  private Actions() {}

  private static String name(int action) {
    switch (action) {
      case 1: return "focus";
      case 2: return "clear_focus";
      case 4: return "select";
      case 0x10: return "click";
      case 0x20: return "long_click";
      case 0x1000: return "scroll_forward";
      case 0x2000: return "scroll_backward";
      case 0x20000: return "set_selection";
      case 0x200000: return "set_text";
      case 0x01020036: return "show_on_screen";
      default: return "unknown";
    }
  }

  public static boolean perform(Scene.Node n, int action, Bundle a) {
    String name = name(action);
    if (n.gone || name.equals("unknown") || n.refuses.contains(name)) return false;
    if (n.ignores.contains(name)) return true;
    if (Live.on()) return live(n, action, a);
    switch (name) {
      case "set_text":
        if (!n.is("editable")) return false;
        CharSequence t = a == null ? null : a.getCharSequence("ACTION_ARGUMENT_SET_TEXT_CHARSEQUENCE");
        setText(n, t == null ? "" : t.toString());
        break;
      case "set_selection":
        n.selectionStart = a.getInt("ACTION_ARGUMENT_SELECTION_START_INT", -1);
        n.selectionEnd = a.getInt("ACTION_ARGUMENT_SELECTION_END_INT", -1);
        break;
      case "focus":
        Scene.Node f = Scene.get().inputFocus();
        if (f != null) f.flags.remove("focused");
        n.flags.add("focused");
        break;
      case "clear_focus":
        n.flags.remove("focused");
        break;
      case "select":
        n.flags.add("selected");
        break;
      case "click":
        if (n.is("checkable") && !n.flags.remove("checked")) n.flags.add("checked");
        break;
      default:
        break;
    }
    UiAutomation.changed();
    return true;
  }

  private static boolean live(Scene.Node n, int action, Bundle a) {
    CharSequence t = a == null ? null : a.getCharSequence("ACTION_ARGUMENT_SET_TEXT_CHARSEQUENCE");
    return Live.ok(Live.ask("act", "hash", n.hash, "action", action, "text", t == null ? "" : t.toString()));
  }

  public static void setText(Scene.Node n, String text) {
    n.text = n.is("password") ? text.replaceAll(".", "\u2022") : text;
    n.selectionStart = n.selectionEnd = n.text.length();
    n.flags.remove("showing-hint");
    if (text.isEmpty() && n.hint != null) n.flags.add("showing-hint");
    UiAutomation.changed();
  }
}
