package com.callstack.agentdevice.snapshothelper;

import android.os.SystemClock;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.Semaphore;

/** The session's TCP server on the loopback interface. */
final class SessionServer implements Closeable {
  /** Connections served at once. */
  private static final int MAX_CONNECTIONS = 64;
  private static final int BACKLOG = 64;
  /** A client has this long to read its answer, ms. */
  private static final long WRITE_LIMIT_MS = 60_000;
  /** accept() may fail this often in a row, with a pause in between, before the session gives up. */
  private static final int MAX_ACCEPT_FAILURES = 50;
  private static final long ACCEPT_RETRY_MS = 100;
  /** The command that is running when a session ends has this long to end, ms. */
  private static final long LAST_COMMAND_MS = 8_000;

  private final ServerSocket server;
  private final SessionCommands commands;
  private final Turn turn;
  private final Semaphore slots = new Semaphore(MAX_CONNECTIONS);
  private final Timer limits = new Timer("answer limits", true);
  private final long clientTimeoutMs;

  private long lastRequest = SystemClock.elapsedRealtime();
  /** Requests that came and are not answered yet. */
  private int busy;
  /** The same, until the answer is sent. */
  private int open;
  private boolean quit;
  private IOException failure;

  /**
   * Binds the port.
   *
   * @throws IOException the port is taken
   * @throws IllegalArgumentException there is no such port
   */
  SessionServer(int port, long clientTimeoutMs, SessionCommands commands, Turn turn) throws IOException {
    this.server = new ServerSocket(port, BACKLOG, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
    this.clientTimeoutMs = clientTimeoutMs;
    this.commands = commands;
    this.turn = turn;
  }

  /** Why the session ended. */
  enum End {
    QUIT,
    CLIENT_GONE
  }

  /**
   * Serves until a quit, or until no client has asked for anything for {@code clientTimeoutMs}.
   *
   * @throws IOException no connection could be accepted any more
   */
  End serve() throws IOException {
    daemon("accept", this::accept);
    End end = waitForEnd();
    close();
    turn.close();
    waitForAnswers();
    return end;
  }

  /** The command that runs is answered with its result, and those that wait for a turn with their refusal. */
  private synchronized void waitForAnswers() {
    long until = SystemClock.elapsedRealtime() + LAST_COMMAND_MS;
    while (open > 0) {
      long left = until - SystemClock.elapsedRealtime();
      if (left <= 0) return; // a long gesture is cut off: whoever ended the session wanted the end
      try {
        wait(left);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private synchronized End waitForEnd() throws IOException {
    while (true) {
      if (quit) return End.QUIT;
      if (failure != null) throw failure;
      long left = 0; // for ever
      if (clientTimeoutMs > 0 && busy == 0) {
        left = lastRequest + clientTimeoutMs - SystemClock.elapsedRealtime();
        if (left <= 0) return End.CLIENT_GONE;
      }
      try {
        wait(left);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return End.QUIT;
      }
    }
  }

  private void accept() {
    int failures = 0;
    while (!server.isClosed()) {
      try {
        slots.acquireUninterruptibly();
        Socket s = server.accept();
        failures = 0;
        daemon("request", new SessionConnection(s, this, commands));
      } catch (IOException e) {
        slots.release();
        if (++failures >= MAX_ACCEPT_FAILURES) fail(e);
        else if (!server.isClosed()) SystemClock.sleep(ACCEPT_RETRY_MS);
      }
    }
  }

  private static void daemon(String name, Runnable work) {
    Thread t = new Thread(work, name);
    t.setDaemon(true);
    t.start();
  }

  private synchronized void fail(IOException e) {
    failure = e;
    notifyAll();
  }

  /** A request has come. */
  synchronized void requested() {
    busy++;
    open++;
  }

  /** It has been answered. A long command's time is not a time without clients, a silent connection's is. */
  synchronized void answered() {
    busy--;
    lastRequest = SystemClock.elapsedRealtime();
    notifyAll();
  }

  /** A connection is over: {@code asked} when a request came, {@code last} when its answer was the session's last. */
  synchronized void closed(boolean asked, boolean last) {
    slots.release();
    if (asked) open--;
    quit |= last;
    notifyAll();
  }

  /** Closes {@code socket} unless it is closed itself within {@link #WRITE_LIMIT_MS}. */
  Limit limit(Socket socket) {
    Limit l = new Limit(socket);
    limits.schedule(l.task, WRITE_LIMIT_MS);
    return l;
  }

  static final class Limit {
    private final TimerTask task;

    private Limit(Socket socket) {
      task =
          new TimerTask() {
            @Override
            public void run() {
              try {
                socket.close();
              } catch (IOException e) {
                // Closed already, then.
              }
            }
          };
    }

    void lift() {
      task.cancel();
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
