package com.callstack.agentdevice.snapshothelper;

import android.os.Bundle;
import android.util.Log;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.TimeoutException;
import org.json.JSONException;

/** One command for one instrumentation run. */
final class OneShot {
  /** XML bytes of one chunk. */
  private static final int CHUNK_BYTES = 2048;

  /** Where status records go. */
  interface Status {
    void send(int code, Bundle record);
  }

  private final Arguments arguments;
  private final Commands commands;
  private final Status status;

  OneShot(Arguments arguments, Commands commands, Status status) {
    this.arguments = arguments;
    this.commands = commands;
    this.status = status;
  }

  /** Fails for a mode that there is not. */
  static void check(String mode) {
    if (!Commands.reads(mode) && !Commands.acts(mode, null)) throw new IllegalArgumentException("Unsupported mode: " + mode);
  }

  /** Puts the outcome into {@code b}, a failure too. Answers with the result code. */
  int run(Bundle b) {
    String mode = arguments.mode;
    Touched touched = new Touched();
    Bundle found = new Bundle();
    try {
      if (mode.equals("snapshot")) {
        snapshot(found);
      } else {
        if (!mode.equals("viewport") && !mode.equals("gesture")) Wire.putExtensions(b);
        commands.run(mode, arguments.payloadBase64, touched, found);
      }
      b.putAll(found);
      b.putString("ok", "true");
      return Wire.RESULT_OK;
    } catch (Throwable t) { // an Error too is an outcome
      Wire.putFailure(b, t);
      if (Commands.acts(mode, arguments.payloadBase64)) b.putString("began", Boolean.toString(touched.yet()));
      return Wire.RESULT_FAILED;
    }
  }

  private void snapshot(Bundle found) throws TimeoutException, JSONException {
    byte[] xml = commands.snapshot(false, found).getBytes(Wire.UTF_8);
    if (arguments.outputPath != null) write(xml);
    if (arguments.emitChunks) emit(xml);
  }

  private void write(byte[] xml) {
    try (OutputStream out = new FileOutputStream(arguments.outputPath)) {
      out.write(xml);
    } catch (IOException e) {
      // In addition to the chunks: those still come.
      Log.w("agent-device", "The snapshot could not be written to " + arguments.outputPath, e);
    }
  }

  private void emit(byte[] xml) {
    int chunks = (xml.length + CHUNK_BYTES - 1) / CHUNK_BYTES;
    for (int i = 0; i < chunks; i++) {
      int from = i * CHUNK_BYTES;
      byte[] chunk = new byte[Math.min(CHUNK_BYTES, xml.length - from)];
      System.arraycopy(xml, from, chunk, 0, chunk.length);
      Bundle b = Wire.record();
      b.putString("chunkIndex", Integer.toString(i));
      b.putString("chunkCount", Integer.toString(chunks));
      b.putString("payloadBase64", Wire.base64(chunk));
      status.send(Wire.STATUS_CHUNK, b);
    }
  }
}
