package com.callstack.agentdevice.snapshothelper;

import android.os.SystemClock;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;

/** One connection: one request, one answer. Whatever the client does ends the connection, never the session. */
final class SessionConnection implements Runnable {
  /** A client that sends nothing for this long, ms, is not waited for. */
  private static final int READ_TIMEOUT_MS = 10_000;

  private final Socket socket;
  private final SessionServer server;
  private final SessionCommands commands;
  private boolean asked;

  SessionConnection(Socket socket, SessionServer server, SessionCommands commands) {
    this.socket = socket;
    this.server = server;
    this.commands = commands;
  }

  @Override
  public void run() {
    boolean last = false;
    try (Socket s = socket) {
      s.setTcpNoDelay(true);
      s.setSoTimeout(READ_TIMEOUT_MS);
      Reply reply = reply(s.getInputStream());
      last = reply.last;
      // A client that does not read would hold this thread: closing the socket frees it.
      SessionServer.Limit limit = server.limit(s);
      try {
        s.getOutputStream().write(reply.bytes());
        s.getOutputStream().flush();
        end(s);
      } finally {
        limit.lift();
      }
    } catch (IOException e) {
      // The client has gone. What it asked for is in the journal.
    } finally {
      server.closed(asked, last);
    }
  }

  private Reply reply(InputStream in) throws IOException {
    Request request;
    try {
      String line = RequestLine.read(in);
      request = Request.parse(line, SystemClock.elapsedRealtime());
    } catch (SocketException e) {
      throw e;
    } catch (IOException e) {
      return commands.refuse(e);
    }
    server.requested();
    asked = true;
    try {
      return commands.answer(request);
    } finally {
      server.answered();
    }
  }

  /** Closing with unread bytes would reset the connection, and the answer with it. */
  private static void end(Socket s) throws IOException {
    s.shutdownOutput();
    InputStream in = s.getInputStream();
    byte[] b = new byte[1024];
    while (in.available() > 0 && in.read(b) > 0) continue;
  }
}
