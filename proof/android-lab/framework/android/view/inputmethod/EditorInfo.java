package android.view.inputmethod;

public class EditorInfo {
  public int inputType = 1;
}
