package com.callstack.agentdevice.snapshothelper;

import android.os.SystemClock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** One command at a time touches the device, in the order of arrival. */
final class Turn {
  private final ReentrantLock lock = new ReentrantLock(true);
  private volatile boolean closed;

  /**
   * Waits for the turn.
   *
   * @param deadline {@link SystemClock#elapsedRealtime()} after which it is no longer wanted
   * @throws DeadlinePassedException the turn was not to be had by then
   * @throws SessionEndingException there are no more turns
   */
  void take(long deadline) {
    waitForLock(deadline);
    if (!closed) return;
    lock.unlock();
    throw new SessionEndingException();
  }

  private void waitForLock(long deadline) {
    try {
      if (deadline == Long.MAX_VALUE) {
        lock.lockInterruptibly();
        return;
      }
      long left = deadline - SystemClock.elapsedRealtime();
      if (left < 0 || !lock.tryLock(left, TimeUnit.MILLISECONDS)) throw new DeadlinePassedException();
      if (SystemClock.elapsedRealtime() > deadline) {
        lock.unlock();
        throw new DeadlinePassedException();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while waiting for the turn");
    }
  }

  void pass() {
    lock.unlock();
  }

  /** From now on whoever gets the turn is sent away. */
  void close() {
    closed = true;
  }
}
