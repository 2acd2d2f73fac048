package android.content;

/** One item: a text, or what is none. */
public class ClipData {
  public static class Item {
    private final CharSequence text;

    public Item(CharSequence text) {
      this.text = text;
    }

    public CharSequence getText() {
      return text;
    }
  }

  private final Item item;
  private final ClipDescription description = new ClipDescription();

  public ClipData(Item item) {
    this.item = item;
  }

  public static ClipData newPlainText(CharSequence label, CharSequence text) {
    return new ClipData(new Item(text));
  }

  public ClipDescription getDescription() {
    return description;
  }

  public int getItemCount() {
    return 1;
  }

  public Item getItemAt(int index) {
    if (index != 0) throw new IndexOutOfBoundsException();
    return item;
  }
}
