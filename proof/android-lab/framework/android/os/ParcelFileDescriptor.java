package android.os;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;

public class ParcelFileDescriptor {
  private final byte[] content;

  public ParcelFileDescriptor(byte[] content) {
    this.content = content;
  }

  public static class AutoCloseInputStream extends FilterInputStream {
    public AutoCloseInputStream(ParcelFileDescriptor fd) {
      super(new ByteArrayInputStream(fd.content));
    }
  }
}
