package fake;

import android.view.inputmethod.InputConnection;
import org.json.JSONObject;

/** A keyboard's way into the field of the running device that has the focus. The cursor is at its end. */
public final class LiveConnection implements InputConnection {
  private boolean allSelected;

  /** Null where nothing that takes text has the focus. */
  public static InputConnection current() {
    return Live.ask("field").optBoolean("editable") ? new LiveConnection() : null;
  }

  private static String text() {
    JSONObject field = Live.ask("field");
    return field.optString("text", "");
  }

  @Override
  public boolean beginBatchEdit() {
    return true;
  }

  @Override
  public boolean endBatchEdit() {
    return true;
  }

  @Override
  public boolean finishComposingText() {
    return true;
  }

  @Override
  public boolean commitText(CharSequence t, int cursor) {
    boolean replaces = allSelected;
    allSelected = false;
    return Live.ok(Live.ask(replaces ? "replace" : "commit", "text", t.toString()));
  }

  @Override
  public boolean performContextMenuAction(int id) {
    allSelected = id == 0x0102001f;
    return allSelected;
  }

  @Override
  public boolean deleteSurroundingText(int before, int after) {
    return Live.ok(Live.ask("delete", "before", before, "after", after));
  }

  @Override
  public boolean setSelection(int s, int e) {
    int length = text().length();
    allSelected = s == 0 && e >= length && length > 0;
    return allSelected || s == e && s >= length;
  }

  @Override
  public CharSequence getTextBeforeCursor(int max, int flags) {
    String t = allSelected ? "" : text();
    return t.substring(Math.max(0, t.length() - max));
  }

  @Override
  public CharSequence getTextAfterCursor(int max, int flags) {
    return "";
  }

  @Override
  public CharSequence getSelectedText(int flags) {
    return allSelected ? text() : null;
  }
}
