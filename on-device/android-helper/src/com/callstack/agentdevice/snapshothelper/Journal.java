package com.callstack.agentdevice.snapshothelper;

import android.os.Bundle;
import android.os.SystemClock;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What became of the last commands that may change the device.
 *
 * <p>A host that lost a reply asks here instead of guessing. The same id never runs twice; an id that was reported absent
 * never runs at all. Fences are counted apart from commands: asking cannot push a command out.
 */
final class Journal {
  /** Commands remembered. */
  static final int CAPACITY = 64;
  private static final int FENCES = 1024;

  private final LinkedHashMap<String, Entry> entries = new LinkedHashMap<>();
  private final LinkedHashMap<String, Boolean> fences = new LinkedHashMap<>();
  private long accepted;

  enum State {
    ACCEPTED("accepted"),
    STARTED("started"),
    COMPLETED("completed"),
    FAILED("failed");

    final String wire;

    State(String wire) {
      this.wire = wire;
    }

    boolean over() {
      return this == COMPLETED || this == FAILED;
    }
  }

  /** One command. Its fields are guarded by the journal. */
  static final class Entry {
    private State state = State.ACCEPTED;
    private final Touched touched = new Touched();
    private Bundle result;
    private String headers;

    Touched touched() {
      return touched;
    }
  }

  /** What {@link #accept} found: exactly one of a new command to run, and a known one to wait for. */
  static final class Claim {
    final Entry entry;
    final boolean isNew;

    private Claim(Entry entry, boolean isNew) {
      this.entry = entry;
      this.isNew = isNew;
    }
  }

  /**
   * @throws FencedException the id was reported absent
   */
  synchronized Claim accept(String id) {
    if (id.isEmpty()) return new Claim(new Entry(), true); // nobody can ask for it
    if (fences.containsKey(id)) throw new FencedException(id);
    Entry known = entries.get(id);
    if (known != null) return new Claim(known, false);
    Entry e = new Entry();
    entries.put(id, e);
    accepted++;
    Iterator<Map.Entry<String, Entry>> oldest = entries.entrySet().iterator();
    while (entries.size() > CAPACITY && oldest.hasNext()) {
      // One that still runs stays: forgetting it would let it run twice.
      if (oldest.next().getValue().state.over()) oldest.remove();
    }
    return new Claim(e, true);
  }

  synchronized void started(Entry e) {
    e.state = State.STARTED;
  }

  /**
   * @param result the fields of the answer
   * @param headers the answer as it goes over the wire
   */
  synchronized void over(Entry e, boolean ok, Bundle result, String headers) {
    e.state = ok ? State.COMPLETED : State.FAILED;
    e.result = new Bundle(result);
    e.headers = headers;
    notifyAll();
  }

  /** The retained fields of a known command, waited for while it runs; null when it did not end within {@code ms}. */
  synchronized Bundle await(Entry e, long ms) {
    long until = SystemClock.uptimeMillis() + ms;
    while (!e.state.over()) {
      long left = until - SystemClock.uptimeMillis();
      if (left <= 0) return null;
      try {
        wait(left);
      } catch (InterruptedException x) {
        Thread.currentThread().interrupt();
        return null;
      }
    }
    return new Bundle(e.result);
  }

  /** Puts what is known of {@code id}, and fences it when that is nothing. */
  synchronized void status(String id, Bundle b) {
    b.putString("kind", "status");
    b.putString("capacity", Integer.toString(CAPACITY));
    Entry e = entries.get(id);
    if (e == null) {
      b.putString("state", fences.containsKey(id) ? "fenced" : "absent");
      b.putString("began", "false");
      fence(id);
      return;
    }
    b.putString("state", e.state.wire);
    b.putString("began", Boolean.toString(e.touched.yet()));
    if (e.headers != null) b.putString("reply", Wire.base64(e.headers.getBytes(Wire.UTF_8)));
  }

  private void fence(String id) {
    fences.remove(id);
    fences.put(id, true);
    Iterator<String> oldest = fences.keySet().iterator();
    while (fences.size() > FENCES && oldest.hasNext()) {
      oldest.next();
      oldest.remove();
    }
  }

  synchronized long acceptedTotal() {
    return accepted;
  }
}
