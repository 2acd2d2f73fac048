package fake;

/** A process that only holds an input method service, as the system starts one for a keyboard whose app does not run. */
public final class Service {
  private Service() {}

  public static void main(String[] args) throws InterruptedException {
    Scene.get();
    Events.start();
    Thread.sleep(Long.MAX_VALUE); // until the device ends it
  }
}
