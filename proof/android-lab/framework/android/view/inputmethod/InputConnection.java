package android.view.inputmethod;

public interface InputConnection {
  boolean beginBatchEdit();

  boolean endBatchEdit();

  boolean finishComposingText();

  boolean commitText(CharSequence text, int newCursorPosition);

  boolean performContextMenuAction(int id);

  boolean deleteSurroundingText(int before, int after);

  boolean setSelection(int start, int end);

  CharSequence getTextBeforeCursor(int n, int flags);

  CharSequence getTextAfterCursor(int n, int flags);

  CharSequence getSelectedText(int flags);
}
