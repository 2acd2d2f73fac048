"""The `agent-device` program: where it is, and what it is run for.

It makes sure that a daemon runs (`daemon start`), and does what only it can do: scripts, suites, the page of a trace.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ._exchange import mismatch, unreachable
from ._facts import VERSION
from ._json import as_object
from .errors import error_of, refused

NAME = "agent-device"

#: How long the program may take until a daemon listens, s: it waits for one that ends, and then for the new one.
START_LIMIT = 60.0
#: How long a program that was told to end may take, s.
END_LIMIT = 30.0


class Said(NamedTuple):
    """What the program printed with `--json`."""

    success: bool
    data: dict[str, Any]
    error: dict[str, Any]
    exit_code: int


def find(given: str | os.PathLike[str] | None) -> str:
    """The program: the one that was given, that of `AGENT_DEVICE_BINARY`, the one that came with this package, or the
    one on the `PATH`.
    """
    for named, origin in ((given, "binary"), (os.environ.get("AGENT_DEVICE_BINARY") or None, "AGENT_DEVICE_BINARY")):
        if named is not None:
            path = str(Path(named).expanduser().absolute())
            if os.path.isfile(path) and os.access(path, os.X_OK):
                return path
            raise _missing(f"{origin} names no program: {path}")
    folders = [sysconfig.get_path("scripts"), str(Path(sys.executable).parent)]
    if sysconfig.get_preferred_scheme("user"):
        folders.append(sysconfig.get_path("scripts", sysconfig.get_preferred_scheme("user")))
    found = shutil.which(NAME, path=os.pathsep.join(dict.fromkeys(folders))) or shutil.which(NAME)
    if found is None:
        raise _missing(f"there is no program {NAME}: neither beside this Python nor on the PATH")
    return os.path.abspath(found)


def _missing(why: str) -> Exception:
    return refused(
        "TOOL_MISSING",
        why,
        row="client.daemon-not-started",
        reason="program_missing",
        hint="install it (pip install agent-device-client brings it), or name it: AGENT_DEVICE_BINARY=FILE",
    )


def environment(state_dir: str | None, extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment that the program is run in."""
    own = {"AGENT_DEVICE_STATE_DIR": state_dir} if state_dir else {}
    return {**os.environ, **own, **(extra or {})}


def read(program: str, words: Sequence[str], output: bytes, errors: bytes, code: int) -> Said:
    """Reads what the program printed."""
    line = output.strip().rsplit(b"\n", 1)[-1]
    try:
        said = as_object(json.loads(line))
    except ValueError:
        said = None
    if said is None or "success" not in said:
        told = (errors or output).decode(errors="replace").strip()[-400:]
        raise unreachable(f"{program} {' '.join(words[:2])} ended with {code} and said no JSON: {told or 'nothing'}")
    return Said(said["success"] is True, as_object(said.get("data")) or {}, as_object(said.get("error")) or {}, code)


def run(program: str, words: Sequence[str], *, env: Mapping[str, str], cwd: str, limit: float) -> Said:
    """Runs the program and waits for it. Whoever is interrupted interrupts it as well, and waits until it has ended."""
    try:
        process = subprocess.Popen(
            [program, *words, "--json"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(env),
            cwd=cwd,
        )
    except OSError as why:
        raise unreachable(f"{program} cannot be run: {why}") from why
    with process:
        try:
            output, errors = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            output, errors = _end(process)
            if not output.strip():
                raise too_late(program, words, limit) from None
        except BaseException:
            _end(process)
            raise
    return read(program, words, output, errors, process.returncode)


def _end(process: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
    """Tells a program to stop: it cancels what it has asked for, and says what became of it."""
    process.send_signal(signal.SIGINT)
    try:
        return process.communicate(timeout=END_LIMIT)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.communicate()


def too_late(program: str, words: Sequence[str], limit: float) -> Exception:
    """The program took too long and did not say what became of what it did."""
    return error_of(
        {
            "code": "TIMEOUT",
            "message": f"{program} {' '.join(words[:2])} did not end within {limit:.0f} s",
            "hint": "look first (snapshot), then decide",
            "details": {"dispatched": "unknown", "reason": "program_timeout"},
        }
    )


def socket_of(program: str, said: Said) -> str:
    """Where the daemon listens, from what `daemon start` or `daemon status` said."""
    if not said.success:
        if said.error.get("code") == "INVALID_ARGS":
            raise mismatch(f"{program} is not agent-device {VERSION}: it does not know `daemon start`")
        raise error_of(said.error)
    if said.data.get("running") is not True:
        raise unreachable("no daemon is running")
    version = said.data.get("version")
    if version != VERSION:
        raise mismatch(f"{program} is agent-device {version}, this is the Python client {VERSION}")
    return str(said.data.get("socket"))
