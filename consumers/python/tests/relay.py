"""A relay between a client and `serve` that breaks one request, as tunnels do."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable

Break = Callable[[bytes], str | None]
"""What happens to a request: `reply` (forwarded, its reply is cut off), `request` (cut off before it is whole), `gateway`
(forwarded, and something else answers), or nothing.
"""


class Relay:
    """Listens on a port of its own and forwards one request per connection."""

    def __init__(self, to: tuple[str, int], judge: Break) -> None:
        self._to = to
        self._judge = judge
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.broken: list[str] = []
        self._thread = threading.Thread(target=self._run, daemon=True)

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def __enter__(self) -> Relay:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join(10)

    def _run(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with client, contextlib.suppress(OSError):
            request = whole(client)
            what = self._judge(request)
            if what is not None:
                self.broken.append(what)
            with socket.create_connection(self._to) as server:
                server.sendall(request[:-5] if what == "request" else request)
                if what == "request":
                    return
                reply = bytearray()
                while chunk := server.recv(1 << 16):
                    reply += chunk
                    if what == "reply":
                        # It has run by now; half of what is said of it arrives.
                        client.sendall(reply[: len(reply) // 2])
                        return
                    if what == "gateway":
                        client.sendall(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 4\r\n\r\noops")
                        return
                    client.sendall(chunk)
                    if complete(bytes(reply)):
                        return


def whole(client: socket.socket) -> bytes:
    """One request."""
    request = bytearray()
    while not complete(bytes(request)):
        chunk = client.recv(1 << 16)
        if not chunk:
            raise OSError("the client has gone")
        request += chunk
    return bytes(request)


def complete(message: bytes) -> bool:
    """Whether a message is there with its body."""
    head, end, body = message.partition(b"\r\n\r\n")
    if not end:
        return False
    sizes = [line.split(b":")[1] for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    return len(body) >= (int(sizes[0]) if sizes else 0)
