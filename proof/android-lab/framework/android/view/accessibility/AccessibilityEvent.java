package android.view.accessibility;

public final class AccessibilityEvent {
  public static final int TYPE_WINDOW_STATE_CHANGED = 0x20, TYPE_WINDOW_CONTENT_CHANGED = 0x800, TYPE_VIEW_SCROLLED = 0x1000, TYPE_WINDOWS_CHANGED = 0x400000;
  private final int type;

  public AccessibilityEvent(int type) {
    this.type = type;
  }

  public int getEventType() {
    return type;
  }
}
