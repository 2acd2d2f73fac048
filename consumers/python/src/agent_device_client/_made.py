"""What both clients are made with: the settings, once."""

from __future__ import annotations

import copy
import os
from abc import ABC, abstractmethod
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from . import _program
from ._base import changed, options, remote
from ._exchange import Way
from .cancel import Cancel

if TYPE_CHECKING:
    from .generated import Platform

_Same = TypeVar("_Same", bound="Made")


class Made(ABC):
    """A client's settings, whichever way it speaks."""

    def __init__(
        self,
        session: str | None = None,
        *,
        workspace: str | os.PathLike[str] | None = None,
        platform: Platform | None = None,
        device: str | None = None,
        timeout_ms: int | None = None,
        readiness_timeout_ms: int | None = None,
        state_dir: str | os.PathLike[str] | None = None,
        binary: str | os.PathLike[str] | None = None,
        cwd: str | os.PathLike[str] | None = None,
        start: bool = True,
        url: str | None = None,
        token: str | None = None,
        token_file: str | os.PathLike[str] | None = None,
    ) -> None:
        """Each setting that is left out is the environment's or the daemon's.

        Args:
            session: the session's name; without it that of `AGENT_DEVICE_SESSION`, else the one of the folder
            workspace: the folder that names the session where it has no name
            platform: where a device lives, for `open`
            device: which device, for `open`
            timeout_ms: the limit of every request; without it each command's own
            readiness_timeout_ms: how long a press waits while its target is absent, at most 2000 (the default); 0: not
                at all
            state_dir: the state folder, which has a daemon of its own; without it that of `AGENT_DEVICE_STATE_DIR`, else
                the user's
            binary: the program; without it that of `AGENT_DEVICE_BINARY`, the one that came with this package, or the
                one on the PATH
            cwd: where relative paths begin; without it the current folder
            start: whether a daemon is started where none runs
            url: an `agent-device serve` on a device host, instead of the local daemon; without it that of
                `AGENT_DEVICE_URL`
            token: what opens it; without it `token_file`, `AGENT_DEVICE_TOKEN` or `AGENT_DEVICE_TOKEN_FILE`
            token_file: a file with the token
        """
        self._options = options(session, workspace, platform, device, timeout_ms, readiness_timeout_ms, cwd)
        self._state_dir: str | None = str(Path(state_dir).absolute()) if state_dir is not None else None
        self._remote = remote(url, token, token_file)
        self._named = binary
        # Over a hop the program is needed for scripts only.
        self._program: str | None = _program.find(binary) if self._remote is None else None
        self._way: Way = self._local(start=start)

    @abstractmethod
    def _local(self, *, start: bool) -> Way:
        """The way to the daemon of this machine."""

    @property
    def session_name(self) -> str | None:
        """The session's name, where it was given one."""
        return self._options.session

    @property
    def binary(self) -> str:
        """The program."""
        return self._program or _program.find(self._named)

    def with_options(
        self: _Same,
        *,
        session: str | None = None,
        platform: Platform | None = None,
        device: str | None = None,
        timeout_ms: int | None = None,
        readiness_timeout_ms: int | None = None,
        cancel: Cancel | None = None,
    ) -> _Same:
        """The same client with other options, for some calls: `client.with_options(timeout_ms=500).snapshot()`."""
        other = copy.copy(self)
        other._options = changed(
            self._options,
            {
                "session": session,
                "platform": platform,
                "device": device,
                "timeout_ms": timeout_ms,
                "readiness_timeout_ms": readiness_timeout_ms,
                "cancel": cancel,
            },
        )
        return other

    def _environment(self) -> dict[str, str]:
        """What a program that speaks for this client is started with."""
        where = self._remote.hop.where.environment() if self._remote else None
        return _program.environment(self._state_dir, where)
