package android.os;

/** Only the main thread of a process has one here. */
public final class Looper {
  private static final ThreadLocal<Boolean> MAIN = new ThreadLocal<>();

  private Looper() {}

  /** Runs what belongs on the main thread. */
  public static void main(Runnable work) {
    MAIN.set(true);
    try {
      work.run();
    } finally {
      MAIN.remove();
    }
  }

  /** What making a Handler says in a thread without one. */
  public static void need() {
    if (MAIN.get() == null) throw new RuntimeException("Can't create handler inside thread that has not called Looper.prepare()");
  }
}
