package com.callstack.agentdevice.snapshothelper;

import android.os.Bundle;
import android.os.SystemClock;
import android.util.Base64;
import java.io.DataInputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.util.Random;

/**
 * Names and shapes of what goes over the wire.
 *
 * <p>Records are {@link Bundle}s of strings: instrumentation results must be, and a session response written by iterating
 * one has the header order that hosts have always seen.
 */
final class Wire {
  static final String PROTOCOL = "android-snapshot-helper-v1";
  static final String API_VERSION = "2";
  static final String OUTPUT_FORMAT = "uiautomator-xml";
  /** What this helper can do beyond {@link #PROTOCOL}; a host looks a name up before it relies on it. */
  static final String EXTENSIONS =
      "journal,deadline,node-keys,look,foreground,action,text,key,global,ime,guard,guard-touch,repeat,clipboard";

  /** Status code of a snapshot chunk. */
  static final int STATUS_CHUNK = 1;
  /** Status code of the session's ready record. */
  static final int STATUS_READY = 2;
  static final int RESULT_OK = 0;
  static final int RESULT_FAILED = 1;

  static final Charset UTF_8 = Charset.forName("UTF-8");
  /** Random per process, 16 hex digits: a host that sees another one knows that the journal was lost. */
  static final String BOOT_ID = String.format("%016x", random());

  private Wire() {}

  /** From the kernel, so that no security provider is needed; it is to be different, not secret. */
  static long random() {
    try (DataInputStream in = new DataInputStream(new FileInputStream("/dev/urandom"))) {
      return in.readLong();
    } catch (IOException e) {
      return new Random().nextLong() ^ System.currentTimeMillis();
    }
  }

  /** A record with the fields that every record has. */
  static Bundle record() {
    Bundle b = new Bundle();
    b.putString("agentDeviceProtocol", PROTOCOL);
    b.putString("helperApiVersion", API_VERSION);
    b.putString("outputFormat", OUTPUT_FORMAT);
    return b;
  }

  /** Says which extensions there are and which helper this is. */
  static void putExtensions(Bundle b) {
    b.putString("agentDeviceExtensions", EXTENSIONS);
    b.putString("helperVersion", BuildInfo.VERSION_NAME);
  }

  /** What every record of a session carries besides, so that a host can judge a later {@code status} answer. */
  static void putSession(Bundle b, Journal journal) {
    putExtensions(b);
    b.putString("bootId", BOOT_ID);
    b.putString("acceptedTotal", Long.toString(journal.acceptedTotal()));
    b.putString("elapsedRealtimeMs", Long.toString(SystemClock.elapsedRealtime()));
  }

  /** Turns a record into a failure. The type is the binary class name, the message never empty of meaning. */
  static void putFailure(Bundle b, Throwable t) {
    b.putString("ok", "false");
    b.putString("errorType", t.getClass().getName());
    b.putString("message", t.getMessage() == null ? t.getClass().getName() : t.getMessage());
    if (t instanceof TouchGuard.Refusal) b.putAll(((TouchGuard.Refusal) t).details);
  }

  /** A text that may hold any character, under {@code key + "Base64"}. Null is left out. */
  static void putText(Bundle b, String key, CharSequence text) {
    if (text != null) b.putString(key + "Base64", base64(text.toString().getBytes(UTF_8)));
  }

  static String base64(byte[] bytes) {
    return Base64.encodeToString(bytes, Base64.NO_WRAP);
  }

  /** {@code key=value} lines, each ended by LF. A line break inside a value becomes one blank per character. */
  static String headerLines(Bundle b) {
    StringBuilder s = new StringBuilder();
    for (String key : b.keySet()) {
      String value = String.valueOf(b.getString(key)).replace('\r', ' ').replace('\n', ' ');
      s.append(key).append('=').append(value).append('\n');
    }
    return s.toString();
  }
}
