"""A daemon that says what a test wrote down, for what a real one does not do: lose a reply, stall, talk nonsense."""

from __future__ import annotations

import contextlib
import json
import socket
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from agent_device_client._facts import VERSION

INSTANCE = "instance-1"


class Connection:
    """One connection, as the double sees it."""

    def __init__(self, connected: socket.socket, methods: list[str]) -> None:
        self._socket = connected
        self._file = connected.makefile("rb")
        self._methods = methods

    def read(self) -> dict[str, Any]:
        """The next line of the client."""
        line = self._file.readline()
        if not line:
            raise ConnectionError("the client has gone")
        said: dict[str, Any] = json.loads(line)
        self._methods.append(said["method"])
        return said

    def say(self, number: int | None, **rest: Any) -> None:
        """A reply."""
        self.raw(json.dumps({"jsonrpc": "2.0", "id": number, **rest}).encode() + b"\n")

    def raw(self, text: bytes) -> None:
        """Bytes as they are."""
        self._socket.sendall(text)

    def greet(self, **changes: Any) -> None:
        """Reads the greeting and answers it."""
        self.read()
        welcome = {
            "version": VERSION,
            "build": "b",
            "instance": INSTANCE,
            "pid": 1,
            "sessions": 0,
            "accepted": True,
        }
        self.say(0, result={**welcome, **changes})

    def until_gone(self) -> None:
        """Waits until the client ends the connection."""
        while self._file.readline():
            pass

    def close(self) -> None:
        """Ends it."""
        # A file of the socket keeps it open.
        self._file.close()
        self._socket.close()


Scene = Callable[[Connection], None]


class Double:
    """Plays one scene for each connection, then listens no more."""

    def __init__(self, *scenes: Scene, version: str = VERSION) -> None:
        self.methods: list[str] = []
        self._folder = tempfile.TemporaryDirectory(prefix="ad-py-", dir="/tmp")
        folder = Path(self._folder.name)
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listener.bind(str(folder / "s"))
        self._listener.listen()
        status = {"running": True, "socket": str(folder / "s"), "version": version}
        self.program = folder / "agent-device"
        self.program.write_text(f"#!/bin/sh\necho '{json.dumps({'success': True, 'data': status})}'\n")
        self.program.chmod(0o755)
        self._playing: list[threading.Thread] = []
        self._thread = threading.Thread(target=self._play, args=(scenes,), daemon=True)

    def _play(self, scenes: tuple[Scene, ...]) -> None:
        for number, scene in enumerate(scenes, 1):
            connected, _ = self._listener.accept()
            if number == len(scenes):
                self._listener.close()
            playing = threading.Thread(
                target=self._scene, args=(scene, Connection(connected, self.methods)), daemon=True
            )
            self._playing.append(playing)
            playing.start()

    @staticmethod
    def _scene(scene: Scene, connection: Connection) -> None:
        with contextlib.suppress(OSError):
            scene(connection)
        connection.close()

    def __enter__(self) -> Double:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for thread in (self._thread, *self._playing):
            thread.join(10)
            assert not thread.is_alive(), "the double still waits for a client"
        self._folder.cleanup()
