package com.callstack.agentdevice.snapshothelper;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/** Reads a stream to its end on a daemon thread, so that one that never ends cannot hold the caller. */
final class TimedRead extends Thread {
  private final InputStream in;
  private final ByteArrayOutputStream read = new ByteArrayOutputStream();
  private IOException failure;
  private boolean done;

  TimedRead(InputStream in) {
    super("read output");
    this.in = in;
    setDaemon(true);
  }

  /** All of it as UTF-8. The stream is closed in any case. */
  String text(long timeoutMs) throws IOException {
    start();
    try {
      join(timeoutMs);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    synchronized (this) {
      if (failure != null) throw failure;
      if (done) return read.toString("UTF-8");
    }
    in.close();
    throw new IOException("No end of output within " + timeoutMs + " ms");
  }

  @Override
  public void run() {
    IOException thrown = null;
    try (InputStream source = in) {
      byte[] b = new byte[4096];
      for (int n; (n = source.read(b)) > 0; ) {
        synchronized (this) {
          read.write(b, 0, n);
        }
      }
    } catch (IOException e) {
      thrown = e;
    }
    synchronized (this) {
      failure = thrown;
      done = true;
    }
  }
}
