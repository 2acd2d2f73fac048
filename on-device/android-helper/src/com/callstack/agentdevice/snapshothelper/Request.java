package com.callstack.agentdevice.snapshothelper;

import android.os.SystemClock;

/** One request line: {@code <action> <requestId>[;key=value]* [payload]}. */
final class Request {
  /** Empty for a blank line. */
  final String action;
  /** The whole token, options included: older helpers echo it, so hosts compare it. Empty when there was none. */
  final String requestId;
  /** The token up to its first semicolon: what the journal knows the command by. */
  final String id;
  /** The rest of the line; null when there was none. */
  final String payload;
  /** {@link SystemClock#elapsedRealtime()} after which the command must not begin; {@link Long#MAX_VALUE} for never. */
  final long deadline;
  /** True: node keys and window ids are wanted in the XML. */
  final boolean nodeKeys;
  /** True: what is in front afterwards is wanted in the answer. */
  final boolean foreground;

  private Request(String[] parts, long readAt) {
    action = parts[0];
    requestId = parts.length > 1 ? parts[1] : "";
    payload = parts.length > 2 ? parts[2] : null;
    String[] options = requestId.split(";");
    id = options.length == 0 ? "" : options[0];
    long until = Long.MAX_VALUE;
    boolean keys = false;
    boolean front = false;
    for (int i = 1; i < options.length; i++) {
      String value = options[i].substring(options[i].indexOf('=') + 1);
      if (options[i].startsWith("deadlineMs=")) until = Math.min(until, later(readAt, number(value)));
      if (options[i].startsWith("deadlineAtMs=")) until = Math.min(until, number(value));
      if (options[i].startsWith("nodeKeys=")) keys = value.equals("1");
      if (options[i].startsWith("foreground=")) front = value.equals("1");
    }
    deadline = until;
    nodeKeys = keys;
    foreground = front;
  }

  /** @param readAt {@link SystemClock#elapsedRealtime()} when the line was complete */
  static Request parse(String line, long readAt) {
    return new Request(line.trim().split("\\s+", 3), readAt);
  }

  private static long later(long from, long ms) {
    return ms > Long.MAX_VALUE - from ? Long.MAX_VALUE : from + ms;
  }

  /** A number that cannot be read sets no limit. */
  private static long number(String s) {
    try {
      return Math.max(0, Long.parseLong(s));
    } catch (NumberFormatException e) {
      return Long.MAX_VALUE;
    }
  }
}
