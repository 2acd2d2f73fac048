package com.callstack.agentdevice.snapshothelper;

import android.os.Bundle;

/** What {@code am instrument -e KEY VALUE} may say. */
final class Arguments {
  final CaptureOptions options;
  /** False: the XML is not sent as status records. */
  final boolean emitChunks;
  /** A file that gets the XML as well; null for none. */
  final String outputPath;
  /** Port of the session; 0 for a one-shot run. */
  final int sessionPort;
  /** Ends the session when no request came for this long, ms; 0 never. */
  final int clientTimeoutMs;
  /** One of {@link OneShot}'s modes. */
  final String mode;
  /** Null when there was none. */
  final String payloadBase64;

  Arguments(Bundle b) {
    options =
        new CaptureOptions(
            number(b, "waitForIdleTimeoutMs", 500),
            number(b, "waitForIdleQuietMs", 100),
            number(b, "timeoutMs", 8000),
            number(b, "maxDepth", 128),
            number(b, "maxNodes", 5000));
    String chunks = text(b, "emitChunks");
    emitChunks = chunks == null || chunks.equalsIgnoreCase("true");
    outputPath = text(b, "outputPath");
    sessionPort = number(b, "sessionPort", 0);
    clientTimeoutMs = number(b, "clientTimeoutMs", 0);
    String m = text(b, "mode");
    mode = m == null ? "snapshot" : m;
    payloadBase64 = b == null ? null : b.getString("payloadBase64");
  }

  /** Trimmed; null when missing or blank. */
  private static String text(Bundle b, String key) {
    String v = b == null ? null : b.getString(key);
    v = v == null ? "" : v.trim();
    return v.isEmpty() ? null : v;
  }

  /** Anything but a decimal int is the default; a negative one is 0. */
  private static int number(Bundle b, String key, int otherwise) {
    String v = text(b, key);
    if (v == null) return otherwise;
    try {
      return Math.max(0, Integer.parseInt(v));
    } catch (NumberFormatException e) {
      return otherwise;
    }
  }
}
