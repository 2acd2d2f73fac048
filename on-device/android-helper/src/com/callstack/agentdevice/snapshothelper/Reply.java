package com.callstack.agentdevice.snapshothelper;

import java.io.ByteArrayOutputStream;

/** What a connection is answered with. */
final class Reply {
  final String headers;
  /** Empty for all but a snapshot. */
  private final byte[] body;
  /** True: the session ends once this is sent. */
  final boolean last;

  Reply(String headers, byte[] body, boolean last) {
    this.headers = headers;
    this.body = body;
    this.last = last;
  }

  /** Header lines, an empty line, the body. */
  byte[] bytes() {
    byte[] head = headers.getBytes(Wire.UTF_8);
    ByteArrayOutputStream out = new ByteArrayOutputStream(head.length + 1 + body.length);
    out.write(head, 0, head.length);
    out.write('\n');
    out.write(body, 0, body.length);
    return out.toByteArray();
  }
}
