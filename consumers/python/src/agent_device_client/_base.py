"""What both clients have in common: whom they speak for, and how a call becomes a request."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from . import _program
from ._arguments import said
from ._caller import absolute, resolve, workspace
from ._effects import effect_of
from ._exchange import Asked
from ._facts import ALIASES, COMMANDS, READINESS_CAP_MS, CommandFacts
from ._protocol import request_id
from .cancel import Cancel
from .errors import error_of

if TYPE_CHECKING:
    from ._remote import Remote
    from .generated import Platform

#: What a press may wait for its target when nothing is said, ms.
READINESS_MS = 2_000

#: What a wait lasts that was asked for without a limit, ms: the longest of the defaults.
DEFAULT_WAIT_MS = 10_000

#: A script or a suite may take so long when nothing is said, s.
RUN_LIMIT = 3_600.0

_UNKNOWN = CommandFacts("mutates", 30_000, False)


@dataclass(frozen=True)
class Options:
    """What is the same for many calls. `None` leaves it to the environment or to the daemon."""

    session: str | None = None
    workspace: str | None = None
    platform: Platform | None = None
    device: str | None = None
    timeout_ms: int | None = None
    readiness_timeout_ms: int = READINESS_MS
    cancel: Cancel | None = None
    folder: str = ""

    def asked(
        self,
        command: str,
        args: Mapping[str, Any],
        *,
        readiness_timeout_ms: int | None = None,
        render: Literal["json", "text"] = "json",
        identity: str | None = None,
    ) -> Asked:
        """A call as a request, its paths made whole."""
        name = ALIASES.get(command, command)
        facts = COMMANDS.get(name, _UNKNOWN)
        sent = resolve(name, said(args), self.folder)
        request: dict[str, Any] = {
            "requestId": identity or request_id(),
            "command": command,
            "args": sent,
            "render": render,
        }
        named = {
            "session": self.session,
            "workspace": self.workspace,
            "platform": self.platform,
            "device": self.device,
            "timeoutMs": self.timeout_ms,
        }
        request.update({key: value for key, value in named.items() if value is not None})
        readiness = self.readiness_timeout_ms if readiness_timeout_ms is None else readiness_timeout_ms
        if facts.readiness and readiness > 0:
            request["readinessTimeoutMs"] = readiness
        effect = effect_of(name, sent)
        limit = self.timeout_ms if self.timeout_ms is not None else facts.timeout_ms + waits_ms(sent)
        return Asked(request, effect, (limit + READINESS_CAP_MS) / 1000, self.cancel)

    def words(self) -> list[str]:
        """The same as flags of the command line."""
        flags = {"--session": self.session, "--platform": self.platform, "--device": self.device}
        words = [word for flag, value in flags.items() if value is not None for word in (flag, value)]
        return [*words, "--timeout", str(self.timeout_ms)] if self.timeout_ms is not None else words


def options(
    session: str | None,
    workspace_folder: str | os.PathLike[str] | None,
    platform: Platform | None,
    device: str | None,
    timeout_ms: int | None,
    readiness_timeout_ms: int | None,
    cwd: str | os.PathLike[str] | None,
) -> Options:
    """What a client was made with, completed from the environment as the command line does."""
    folder = str(Path(cwd).absolute()) if cwd is not None else str(Path.cwd())
    named: Any = platform or os.environ.get("AGENT_DEVICE_PLATFORM") or None
    return Options(
        session=session or os.environ.get("AGENT_DEVICE_SESSION") or None,
        workspace=str(workspace_folder) if workspace_folder is not None else workspace(folder),
        platform=named,
        device=device,
        timeout_ms=timeout_ms,
        readiness_timeout_ms=READINESS_MS if readiness_timeout_ms is None else readiness_timeout_ms,
        folder=folder,
    )


def remote(url: str | None, token: str | None, token_file: str | os.PathLike[str] | None) -> Remote | None:
    """The way to a device host, where one was named."""
    if not url and not os.environ.get("AGENT_DEVICE_URL"):
        return None
    # Only here: HTTP and TLS are for those who need them.
    from . import _hop
    from ._remote import Remote

    where = _hop.address(url, token, token_file)
    return Remote(_hop.Hop(where)) if where is not None else None


def changed(before: Options, changes: Mapping[str, Any]) -> Options:
    """Other options for some calls; what is `None` stays."""
    return replace(before, **{key: value for key, value in changes.items() if value is not None})


def waits_ms(args: Mapping[str, Any]) -> int:
    """An upper bound of what a command may take beyond its own limit, for the waits that it is asked to make, ms.

    The daemon ends a command that takes too long. This is only for a daemon that does not answer at all.
    """
    numbers = {key: int(value) for key, value in args.items() if key.endswith("Ms") and isinstance(value, int | float)}
    once = sum(numbers.values())
    series = int(args.get("count") or 1) * (once + 250)
    text = args.get("text")
    typed = numbers.get("delayMs", 0) * (len(text) if isinstance(text, str) else 0)
    return DEFAULT_WAIT_MS + series + typed


class Suite(dict[str, Any]):
    """What became of a suite: everything that is known of the run, and whether it passed."""

    def __init__(self, success: bool, data: Mapping[str, Any], exit_code: int) -> None:
        super().__init__(data)
        self.success = success
        self.exit_code = exit_code


def succeeded(outcome: _program.Said) -> dict[str, Any]:
    """The data of what worked."""
    if not outcome.success:
        raise error_of(outcome.error)
    return outcome.data


def trace_words(out: str | os.PathLike[str] | None, keep: bool, folder: str) -> list[str]:
    """`trace stop` as words: the program makes the page."""
    words = ["trace", "stop"]
    if out is not None:
        words += ["--out", absolute(folder, os.fspath(out))]
    return [*words, "--keep"] if keep else words


def replay_words(
    path: str | os.PathLike[str],
    *,
    env: Mapping[str, str] | None,
    from_step: int | None,
    plan_digest: str | None,
    keep_session: bool,
    save_script: bool | str | os.PathLike[str],
    force: bool,
    trace: bool | str | os.PathLike[str],
) -> list[str]:
    """`replay` as words."""
    words = ["replay", os.fspath(path), *_variables(env)]
    if from_step is not None:
        words += ["--from", str(from_step)]
    if plan_digest is not None:
        words += ["--plan-digest", plan_digest]
    words += _switch("--keep-session", keep_session) + _place("--save-script", save_script)
    return words + _switch("--force", force) + _place("--trace", trace)


def test_words(
    paths: Sequence[str | os.PathLike[str]],
    *,
    env: Mapping[str, str] | None,
    shard_split: int | None,
    shard_all: int | None,
    devices: Sequence[str],
    retries: int | None,
    fail_fast: bool,
    include_tags: Sequence[str],
    exclude_tags: Sequence[str],
    artifacts_dir: str | os.PathLike[str] | None,
    trace: Literal["never", "on-failure", "always"] | None,
    junit: str | os.PathLike[str] | None,
    report_json: str | os.PathLike[str] | None,
    fail_on_flaky: bool,
) -> list[str]:
    """`test` as words."""
    values: dict[str, Any] = {
        "--shard-split": shard_split,
        "--shard-all": shard_all,
        "--devices": ",".join(devices) or None,
        "--retries": retries,
        "--include-tags": ",".join(include_tags) or None,
        "--exclude-tags": ",".join(exclude_tags) or None,
        "--artifacts-dir": _path(artifacts_dir),
        "--trace": trace,
        "--junit": _path(junit),
        "--report-json": _path(report_json),
    }
    words = ["test", *(os.fspath(path) for path in paths), *_variables(env)]
    for flag, value in values.items():
        if value is not None:
            words += [flag, str(value)]
    return words + _switch("--fail-fast", fail_fast) + _switch("--fail-on-flaky", fail_on_flaky)


def _variables(env: Mapping[str, str] | None) -> list[str]:
    return [word for name, value in (env or {}).items() for word in ("--env", f"{name}={value}")]


def _path(given: str | os.PathLike[str] | None) -> str | None:
    return None if given is None else os.fspath(given)


def _switch(flag: str, on: bool) -> list[str]:
    return [flag] if on else []


def _place(flag: str, value: bool | str | os.PathLike[str]) -> list[str]:
    if isinstance(value, bool):
        return _switch(flag, value)
    return [flag, os.fspath(value)]
