"""The asyncio client."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, cast

from . import _asyncio, _program
from ._async_commands import AsyncCommands
from ._base import (
    RUN_LIMIT,
    Suite,
    replay_words,
    succeeded,
    test_words,
    trace_words,
)
from ._events import Follower
from ._exchange import Way, ask
from ._made import Made
from ._protocol import Answer
from .errors import AgentDeviceError

if TYPE_CHECKING:
    from .generated import Batched, Event, StepCall, TraceAction


class AsyncClient(Made, AsyncCommands):
    """Drives devices and browsers through the daemon, and says of every failure whether it reached the device.

    One method for each command. Every request has a connection of its own, so calls can run at the same time;
    commands of one session run one after another. As a context manager it closes the session at the end.
    """

    def _local(self, *, start: bool) -> Way:
        return _asyncio.AsyncWay(self._program or "", self._state_dir, self._options.folder, start=start)

    async def run(
        self,
        command: str,
        args: Mapping[str, Any] | None = None,
        *,
        readiness_timeout_ms: int | None = None,
        request_id: str | None = None,
    ) -> dict[str, Any]:
        """Any command by its name, with its arguments as they go over the wire.

        A request that is sent again with the same id runs once: the daemon answers with what it kept.
        """
        answer = await self._ask(command, args or {}, readiness_timeout_ms=readiness_timeout_ms, identity=request_id)
        return answer.data

    async def text(self, command: str, args: Mapping[str, Any] | None = None) -> str:
        """Any command, answered as text for people: `client.text("snapshot", {"interactiveOnly": True})`."""
        return (await self._ask(command, args or {}, render="text")).text or ""

    async def batch(self, steps: Sequence[str | StepCall]) -> Batched:
        """Run several commands in one request, and stop at the first that fails.

        Args:
            steps: lines as on the command line, or commands with their arguments as they go over the wire
        """
        return cast("Batched", await self._call("batch", {"steps": list(steps)}))

    async def events(
        self,
        *,
        after: int = 0,
        follow: bool = False,
        interval: float = 0.2,
        limit: float | None = None,
    ) -> AsyncIterator[Event]:
        """The session's timeline, oldest first.

        Args:
            after: begin behind this event's number
            follow: go on with what happens from now on, until the session is closed
            interval: how often to look for more, s
            limit: how long to follow at most, s
        """
        follower = Follower(after, follow, limit)
        while True:
            # In this order: what happened before the session ended is told as well.
            gone = follow and follower.closed(
                await self.session("list"), self._options.session, self._options.workspace
            )
            for event in follower.taken(await self._call("events", follower.args())):
                yield event
            if follower.ended or gone:
                return
            await asyncio.sleep(interval)

    async def trace(
        self, action: TraceAction, *, out: str | os.PathLike[str] | None = None, keep: bool = False
    ) -> dict[str, Any]:
        """Keep what every command of this session does, for a page that shows it.

        Args:
            action: `start` begins a trace; `stop` ends it and makes the page, which the program does
            out: the page [default: trace-TIME.html in the current folder]
            keep: leave the folder of the trace where it is, also when the session is closed
        """
        if action == "start":
            return await self._call("trace", {"action": action, "keep": keep})
        words = trace_words(out, keep, self._options.folder)
        return succeeded(await self._run_program(words, limit=_program.START_LIMIT))

    async def replay(
        self,
        path: str | os.PathLike[str],
        *,
        env: Mapping[str, str] | None = None,
        from_step: int | None = None,
        plan_digest: str | None = None,
        keep_session: bool = False,
        save_script: bool | str | os.PathLike[str] = False,
        force: bool = False,
        trace: bool | str | os.PathLike[str] = False,
        limit: float = RUN_LIMIT,
    ) -> dict[str, Any]:
        """Run a recorded script or a Maestro flow, step by step, and wait for each target. The program does it.

        Args:
            path: the script (.ad) or flow (.yaml)
            env: values for `${NAME}`
            from_step: go on from this step; the failure of the run before names it
            plan_digest: the plan that the step is of; the failure of the run before names it too
            keep_session: leave the session open
            save_script: write the repaired script, beside the old one or where you say
            force: replace a repaired script that is there already
            trace: write a page that shows every step, beside or where you say
            limit: how long it may take, s
        """
        words = replay_words(
            path,
            env=env,
            from_step=from_step,
            plan_digest=plan_digest,
            keep_session=keep_session,
            save_script=save_script,
            force=force,
            trace=trace,
        )
        return succeeded(await self._run_program(words, limit=limit))

    async def test(
        self,
        *paths: str | os.PathLike[str],
        env: Mapping[str, str] | None = None,
        shard_split: int | None = None,
        shard_all: int | None = None,
        devices: Sequence[str] = (),
        retries: int | None = None,
        fail_fast: bool = False,
        include_tags: Sequence[str] = (),
        exclude_tags: Sequence[str] = (),
        artifacts_dir: str | os.PathLike[str] | None = None,
        trace: Literal["never", "on-failure", "always"] | None = None,
        junit: str | os.PathLike[str] | None = None,
        report_json: str | os.PathLike[str] | None = None,
        fail_on_flaky: bool = False,
        limit: float = RUN_LIMIT,
    ) -> Suite:
        """Run many scripts and flows, and report. The program does it; `success` says whether the suite passed.

        Args:
            paths: files, folders and patterns
            limit: how long it may take, s
        """
        words = test_words(
            paths,
            env=env,
            shard_split=shard_split,
            shard_all=shard_all,
            devices=devices,
            retries=retries,
            fail_fast=fail_fast,
            include_tags=include_tags,
            exclude_tags=exclude_tags,
            artifacts_dir=artifacts_dir,
            trace=trace,
            junit=junit,
            report_json=report_json,
            fail_on_flaky=fail_on_flaky,
        )
        done = await self._run_program(words, limit=limit)
        if done.error:
            succeeded(done)
        return Suite(done.success, done.data, done.exit_code)

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, failure: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                await self.ensure_closed()
            else:
                # What went wrong before counts.
                with contextlib.suppress(AgentDeviceError):
                    await self.ensure_closed()
        finally:
            await self.disconnect()

    async def disconnect(self) -> None:
        """Ends the lease on a device host: what is still open there is closed, its files are removed. Nothing where the
        daemon is the local one. It happens by itself when the client is forgotten or Python ends.
        """
        if self._remote is not None:
            await asyncio.to_thread(self._remote.hop.close)

    async def ensure_closed(self) -> None:
        """Closes the session, if one is open."""
        try:
            await self.close()
        except AgentDeviceError as failed:
            if failed.code != "SESSION_NOT_FOUND":
                raise

    async def _call(
        self, command: str, args: Mapping[str, Any], *, readiness_timeout_ms: int | None = None
    ) -> dict[str, Any]:
        return (await self._ask(command, args, readiness_timeout_ms=readiness_timeout_ms)).data

    async def _ask(
        self,
        command: str,
        args: Mapping[str, Any],
        *,
        readiness_timeout_ms: int | None = None,
        render: Literal["json", "text"] = "json",
        identity: str | None = None,
    ) -> Answer:
        asked = self._options.asked(
            command, args, readiness_timeout_ms=readiness_timeout_ms, render=render, identity=identity
        )
        return await (self._remote.ask_in_thread(asked) if self._remote is not None else ask(self._way, asked))

    async def _run_program(self, words: Sequence[str], *, limit: float) -> _program.Said:
        return await _asyncio.run(
            self.binary,
            [*words, *self._options.words()],
            env=self._environment(),
            cwd=self._options.folder,
            limit=limit,
        )
