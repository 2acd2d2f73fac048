"""The asyncio client's way to the daemon."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import time
from collections.abc import Mapping, Sequence

from . import _program
from ._exchange import Link, Nobody, unreachable
from ._protocol import REPLY_LIMIT, Gone


class AsyncLink:
    """One connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._loop = asyncio.get_running_loop()

    async def write(self, line: bytes) -> None:
        """See `Link`."""
        self._writer.write(line)
        await self._writer.drain()

    async def read_line(self, deadline: float) -> bytes | None:
        """See `Link`."""
        left = deadline - time.monotonic()
        if left <= 0:
            raise Gone("no answer in time")
        reading = asyncio.ensure_future(self._reader.readline())
        try:
            # Not `wait_for`: its `TimeoutError` could not be told from one that is somebody else's.
            done, _ = await asyncio.wait({reading}, timeout=left)
        except BaseException:
            await _ended(reading)
            raise
        if not done:
            await _ended(reading)
            raise Gone("no answer in time")
        try:
            line = reading.result()
        except ValueError as why:
            raise Gone("a reply that is too long") from why
        # What stands there without an end was cut off.
        return line if line.endswith(b"\n") else None

    def end_writing(self) -> None:
        """See `Link`."""
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._end_writing)

    def _end_writing(self) -> None:
        # It is gone already where this fails.
        with contextlib.suppress(OSError, RuntimeError):
            if not self._writer.is_closing():
                self._writer.write_eof()

    def close(self) -> None:
        """See `Link`."""
        self._writer.close()


async def _ended(reading: asyncio.Future[bytes]) -> None:
    """Stops a read and waits until it has stopped: the stream is read by one at a time. It takes no line with it."""
    reading.cancel()
    await asyncio.wait({reading})


class AsyncWay:
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
        try:
            reader, writer = await asyncio.open_unix_connection(self._path, limit=REPLY_LIMIT)
        except OSError as why:
            raise Nobody(f"{self._path}: {why}") from why
        return AsyncLink(reader, writer)

    async def ensure(self) -> None:
        """See `Way`."""
        words = ["daemon", "start" if self._start else "status"]
        said = await run(self._program, words, env=self._env, cwd=self._folder, limit=_program.START_LIMIT)
        self._path = _program.socket_of(self._program, said)


async def run(program: str, words: Sequence[str], *, env: Mapping[str, str], cwd: str, limit: float) -> _program.Said:
    """Runs the program and waits for it. Whoever is cancelled interrupts it, and waits until it has ended."""
    try:
        process = await asyncio.create_subprocess_exec(
            program,
            *words,
            "--json",
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=dict(env),
            cwd=cwd,
        )
    except OSError as why:
        raise unreachable(f"{program} cannot be run: {why}") from why
    said = asyncio.ensure_future(process.communicate())
    try:
        done, _ = await asyncio.wait({said}, timeout=limit)
    except BaseException:
        await _end(process, said)
        raise
    late = not done
    if late:
        await _end(process, said)
    output, errors = said.result() if said.done() and not said.cancelled() else (b"", b"")
    if late and not output.strip():
        raise _program.too_late(program, words, limit)
    return _program.read(program, words, output, errors, process.returncode or 0)


async def _end(process: asyncio.subprocess.Process, said: asyncio.Future[tuple[bytes, bytes]]) -> None:
    """Tells a program to stop: it cancels what it has asked for, and says what became of it."""
    with contextlib.suppress(ProcessLookupError):
        process.send_signal(signal.SIGINT)
    done, _ = await asyncio.wait({said}, timeout=_program.END_LIMIT)
    if not done:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await asyncio.wait({said})
