package fake;

import android.view.inputmethod.InputConnection;

/** A keyboard's way into a field. Holds the real text where the node shows bullets. */
public final class FieldConnection implements InputConnection {
  private final Scene.Node n;
  private final StringBuilder text;
  private int start, end;

  public FieldConnection(Scene.Node n) {
    this.n = n;
    text = new StringBuilder(n.text == null || n.is("showing-hint") ? "" : n.text);
    start = n.selectionStart < 0 ? text.length() : Math.min(n.selectionStart, text.length());
    end = n.selectionEnd < 0 ? text.length() : Math.min(n.selectionEnd, text.length());
  }

  private boolean show() {
    int at = start;
    Actions.setText(n, text.toString());
    n.selectionStart = n.selectionEnd = at;
    return true;
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
    if (n.refuses.contains("commit")) return false;
    text.replace(start, end, t.toString());
    start = end = start + t.length();
    return show();
  }

  @Override
  public boolean performContextMenuAction(int id) {
    if (n.refuses.contains("select_all") || id != 0x0102001f) return false;
    start = 0;
    end = text.length();
    return true;
  }

  @Override
  public boolean deleteSurroundingText(int before, int after) {
    int from = Math.max(0, start - before);
    text.delete(end, Math.min(text.length(), end + after)).delete(from, start);
    end = end - (start - from);
    start = from;
    return show();
  }

  @Override
  public boolean setSelection(int s, int e) {
    start = s;
    end = e;
    return true;
  }

  @Override
  public CharSequence getTextBeforeCursor(int max, int flags) {
    return text.substring(Math.max(0, start - max), start);
  }

  @Override
  public CharSequence getTextAfterCursor(int max, int flags) {
    return text.substring(end, Math.min(text.length(), end + max));
  }

  @Override
  public CharSequence getSelectedText(int flags) {
    return start == end ? null : text.substring(start, end);
  }
}
