"""The blocking client's way to the daemon: plain sockets, which never suspend a coroutine."""

from __future__ import annotations

import contextlib
import select
import socket
import time

from . import _program
from ._exchange import Link, Nobody
from ._protocol import REPLY_LIMIT, Gone


class BlockingLink:
    """One connection."""

    def __init__(self, connected: socket.socket) -> None:
        self._socket = connected
        self._buffer = bytearray()
        self._poll = select.poll()
        self._poll.register(connected, select.POLLIN)

    async def write(self, line: bytes) -> None:
        """See `Link`."""
        self._socket.sendall(line)

    async def read_line(self, deadline: float) -> bytes | None:
        """See `Link`."""
        searched = 0
        while True:
            end = self._buffer.find(b"\n", searched)
            if end >= 0:
                line = bytes(self._buffer[: end + 1])
                del self._buffer[: end + 1]
                return line
            searched = len(self._buffer)
            if searched > REPLY_LIMIT:
                raise Gone("a reply that is too long")
            left = deadline - time.monotonic()
            # Waiting and reading apart, so that a `TimeoutError` here can only be somebody's alarm.
            if left <= 0 or not self._poll.poll(left * 1000):
                raise Gone("no answer in time")
            chunk = self._socket.recv(1 << 18)
            if not chunk:
                return None
            self._buffer += chunk

    def end_writing(self) -> None:
        """See `Link`."""
        # It is gone already where this fails.
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        """See `Link`."""
        self._socket.close()


class BlockingWay:
    """The way to the daemon of one state folder. Its socket is asked for once, and again where nobody listens there."""

    def __init__(self, program: str, state_dir: str | None, folder: str, *, start: bool) -> None:
        self._program = program
        self._env = _program.environment(state_dir)
        self._folder = folder
        self._start = start
        self._path: str | None = None

    async def connect(self) -> Link:
        """See `Way`."""
        if self._path is None:
            raise Nobody
        connected = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            connected.connect(self._path)
        except OSError as why:
            connected.close()
            raise Nobody(f"{self._path}: {why}") from why
        return BlockingLink(connected)

    async def ensure(self) -> None:
        """See `Way`."""
        words = ["daemon", "start" if self._start else "status"]
        said = _program.run(self._program, words, env=self._env, cwd=self._folder, limit=_program.START_LIMIT)
        self._path = _program.socket_of(self._program, said)
