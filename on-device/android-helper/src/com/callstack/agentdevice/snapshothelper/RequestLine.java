package com.callstack.agentdevice.snapshothelper;

import android.os.SystemClock;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;

/** Reads one line of UTF-8 ended by LF, CR or the end of the stream, without waiting for anything after it. */
final class RequestLine {
  /** The longest line, bytes: far above a gesture of 120 s with a sample every millisecond. */
  private static final int MAX_BYTES = 32 << 20;
  /** A line that is not complete after this long, ms, is not waited for. */
  private static final long TIMEOUT_MS = 30_000;

  private RequestLine() {}

  /**
   * @throws EOFException the stream ended without a byte
   * @throws SocketTimeoutException the line took too long
   */
  static String read(InputStream in) throws IOException {
    long until = SystemClock.uptimeMillis() + TIMEOUT_MS;
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    byte[] b = new byte[8192];
    while (true) {
      int n = in.read(b);
      if (n < 0) {
        if (line.size() == 0) throw new EOFException("empty command");
        return line.toString("UTF-8");
      }
      for (int i = 0; i < n; i++) {
        if (b[i] == '\n' || b[i] == '\r') {
          line.write(b, 0, i);
          return line.toString("UTF-8");
        }
      }
      line.write(b, 0, n);
      if (line.size() > MAX_BYTES) throw new IOException("The request line is longer than " + MAX_BYTES + " bytes");
      if (SystemClock.uptimeMillis() > until) throw new SocketTimeoutException("The request line did not end");
    }
  }
}
