package com.callstack.agentdevice.snapshothelper;

import android.os.Bundle;

/** Answers a session's requests. Several at once: only those that touch the device wait for one another. */
final class SessionCommands {
  /** A repeated command waits this long for the first one, ms: more than the longest gesture takes. */
  private static final long REPLAY_MS = 180_000;
  private static final byte[] NO_BODY = {};

  private final Commands commands;
  private final CaptureOptions options;
  private final Journal journal = new Journal();
  private final Turn turn;

  SessionCommands(Commands commands, CaptureOptions options, Turn turn) {
    this.commands = commands;
    this.options = options;
    this.turn = turn;
  }

  Journal journal() {
    return journal;
  }

  /** The answer to a connection that sent no request. */
  Reply refuse(Throwable why) {
    Bundle b = new Bundle();
    Wire.putFailure(b, why);
    return reply("", b, NO_BODY, false);
  }

  Reply answer(Request r) {
    if (r.action.equals("quit")) {
      Bundle b = new Bundle();
      b.putString("ok", "true");
      return reply(r.requestId, b, NO_BODY, true);
    }
    if (r.action.equals("status")) return status(r);
    if (Commands.acts(r.action, r.payload)) return journaled(r);
    if (Commands.reads(r.action)) return read(r);
    Bundle b = new Bundle();
    Wire.putFailure(b, new IllegalArgumentException("unknown session command"));
    return reply(r.requestId, b, NO_BODY, false);
  }

  private Reply status(Request r) {
    Bundle b = new Bundle();
    String id = r.payload == null ? "" : r.payload.trim();
    int end = id.indexOf(';');
    if (end >= 0) id = id.substring(0, end);
    if (id.isEmpty()) {
      Wire.putFailure(b, new IllegalArgumentException("Missing id"));
    } else {
      journal.status(id, b);
      b.putString("ok", "true");
    }
    return reply(r.requestId, b, NO_BODY, false);
  }

  private Reply read(Request r) {
    Bundle b = new Bundle();
    byte[] body = NO_BODY;
    try {
      turn.take(r.deadline);
      try {
        if (r.action.equals("snapshot")) {
          body = commands.snapshot(r.nodeKeys, b).getBytes(Wire.UTF_8);
          options.putInto(b);
          b.putString("byteLength", Integer.toString(body.length));
        } else {
          commands.run(r.action, r.payload, new Touched(), b);
        }
      } finally {
        turn.pass();
      }
      b.putString("ok", "true");
    } catch (Throwable t) { // an Error too is an answer: the session lives on
      b = new Bundle();
      body = NO_BODY;
      Wire.putFailure(b, t);
    }
    return reply(r.requestId, b, body, false);
  }

  private Reply journaled(Request r) {
    Journal.Claim claim;
    try {
      claim = journal.accept(r.id);
    } catch (FencedException e) {
      Bundle b = new Bundle();
      Wire.putFailure(b, e);
      b.putString("began", "false");
      return reply(r.requestId, b, NO_BODY, false);
    }
    return claim.isNew ? run(r, claim.entry) : replay(r, claim.entry);
  }

  private Reply run(Request r, Journal.Entry entry) {
    Bundle b = new Bundle();
    boolean ok = false;
    try {
      turn.take(r.deadline);
      try {
        journal.started(entry);
        commands.run(r.action, r.payload, entry.touched(), b);
        if (r.foreground) commands.addForeground(b);
      } finally {
        turn.pass();
      }
      b.putString("ok", "true");
      ok = true;
    } catch (Throwable t) {
      b = new Bundle();
      Wire.putFailure(b, t);
      b.putString("began", Boolean.toString(entry.touched().yet()));
    }
    Reply reply = reply(r.requestId, b, NO_BODY, false);
    journal.over(entry, ok, b, reply.headers);
    return reply;
  }

  private Reply replay(Request r, Journal.Entry entry) {
    Bundle b = journal.await(entry, REPLAY_MS);
    if (b == null) {
      b = new Bundle();
      Wire.putFailure(b, new IllegalStateException("The first command of this id has not ended"));
      b.putString("began", "true");
    }
    b.putString("journalReplay", "true");
    return reply(r.requestId, b, NO_BODY, false);
  }

  private Reply reply(String requestId, Bundle fields, byte[] body, boolean last) {
    Bundle b = Wire.record();
    b.putAll(fields);
    b.putString("requestId", requestId);
    Wire.putSession(b, journal);
    return new Reply(Wire.headerLines(b), body, last);
  }
}
