"""One request: how the daemon is reached, and what is made of a reply that does not come.

Written once for both clients, as coroutines over a `Way`. The blocking client's way never suspends, so that
`run_blocking` runs them to their end in one step.
"""

from __future__ import annotations

import time
from collections.abc import Coroutine, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeVar

from ._facts import LINE_LIMIT, VERSION
from ._protocol import HELLO, RETAINED, RUN, Answer, Gone, Reply, outcome, read_reply, request_line
from .cancel import Cancel, note_outcome
from .errors import AgentDeviceError, lost, refused

#: How long a daemon may take to greet, s.
GREET_LIMIT = 5.0
#: What a client waits beyond the request's own limit before it gives the daemon up, s.
MARGIN = 20.0
#: How often the result of a request is asked for whose reply was lost. To ask is a read: it may be lost as well.
ASKS = 3
#: How often a daemon is looked for: one may just be ending.
TRIES = 3

T = TypeVar("T")


class Nobody(Exception):
    """Nobody listens."""


class Link(Protocol):
    """One connection."""

    async def write(self, line: bytes) -> None:
        """Hands a line to the system, whole; `OSError` where that failed."""

    async def read_line(self, deadline: float) -> bytes | None:
        """One line with its end, or `None` at the end of the stream; `Gone` at the deadline, `OSError` otherwise."""
        ...

    def end_writing(self) -> None:
        """Says that nothing more is asked: the daemon cancels what was. Safe from any thread."""

    def close(self) -> None:
        """Gives it back."""


class Way(Protocol):
    """How a client reaches the daemon."""

    async def connect(self) -> Link:
        """A new connection; `Nobody` where there is none to be had."""
        ...

    async def ensure(self) -> None:
        """Makes sure that a daemon runs; an `AgentDeviceError` says why there is none."""


@dataclass(frozen=True)
class Asked:
    """One request, and what the client knows of it."""

    request: Mapping[str, Any]
    effect: Literal["observes", "mutates", "manages"]
    limit: float
    """How long it may take by its own rules, s."""
    cancel: Cancel | None = None

    @property
    def id(self) -> str:
        """The request's id."""
        return str(self.request["requestId"])


def run_blocking(work: Coroutine[Any, Any, T]) -> T:
    """Runs a coroutine that never suspends."""
    try:
        work.send(None)
    except StopIteration as done:
        result: T = done.value
        return result
    work.close()
    raise RuntimeError("a blocking client was made to wait for an event loop")


async def ask(way: Way, asked: Asked) -> Answer:
    """Sends one request and waits for its answer.

    A reply that is lost is asked for again by the request's id, without running anything; where no daemon can answer
    for it any more, the failure is `unknown` (`no` for a command that only looks).
    """
    line = request_line(1, RUN, asked.request)
    if len(line) > LINE_LIMIT:
        raise refused(
            "INVALID_ARGS",
            f"a request of more than {LINE_LIMIT >> 20} MiB",
            row="client.usage",
            reason="line_too_long",
            hint="send less in one request",
        )
    link, instance = await _reach(way)
    deadline = time.monotonic() + asked.limit + MARGIN
    try:
        try:
            await link.write(line)
        except TimeoutError:
            # Somebody's alarm, not the socket's.
            raise
        except OSError as why:
            # A line that was written in part has no end: the daemon cannot have taken it for a request.
            raise unreachable(f"the request could not be written: {why}") from why
        # Only now: a request that is cut off would be none.
        with asked.cancel.asking(link.end_writing) if asked.cancel else nullcontext():
            return outcome(await _reply(link, 1, deadline), None, asked.id)
    except Gone as cause:
        return await _ask_again(way, asked, instance, str(cause))
    except (Exception, GeneratorExit) as failed:
        if isinstance(failed, AgentDeviceError | GeneratorExit):
            raise
        await _join(way, link, asked, instance, failed)
        raise
    except BaseException as stopped:
        await _join(way, link, asked, instance, stopped)
        raise
    finally:
        link.close()


async def _join(way: Way, link: Link, asked: Asked, instance: str, stopped: BaseException) -> None:
    """Ends a request whose caller was stopped, and keeps what became of it on what stopped it."""
    link.end_writing()
    deadline = time.monotonic() + MARGIN
    try:
        note_outcome(stopped, outcome(await _reply(link, 1, deadline), None, asked.id))
    except AgentDeviceError as failed:
        note_outcome(stopped, failed)
    except Gone as cause:
        try:
            note_outcome(stopped, await _ask_again(way, asked, instance, str(cause)))
        except AgentDeviceError as failed:
            note_outcome(stopped, failed)


async def _ask_again(way: Way, asked: Asked, instance: str, cause: str) -> Answer:
    """Asks the same daemon, if it still lives, for the result of a request whose reply was lost."""
    deadline = time.monotonic() + asked.limit + MARGIN
    for _ in range(ASKS):
        if time.monotonic() >= deadline:
            break
        try:
            link, welcome = await _greet(way)
        except Nobody:
            break
        except (Gone, AgentDeviceError):
            # A refusal of the greeting says nothing of the request.
            continue
        try:
            if welcome.get("instance") != instance:
                break
            await link.write(request_line(1, RETAINED, {"requestId": asked.id}))
            return outcome(await _reply(link, 1, deadline), asked.id, asked.id)
        except AgentDeviceError as failed:
            if failed.reason != "not_seen":
                raise
            # It lives, has never seen the request, and will not run it. Looks are not kept, so they may have run.
            raise lost_reply(asked, cause) if asked.effect == "observes" else not_taken(cause) from None
        except TimeoutError:
            raise
        except (Gone, OSError):
            continue
        finally:
            link.close()
    raise lost_reply(asked, cause)


async def _reach(way: Way) -> tuple[Link, str]:
    """A greeted connection to a daemon of this version, started where there is none."""
    why = "no daemon is running"
    for attempt in range(TRIES):
        if attempt:
            await way.ensure()
        try:
            link, welcome = await _greet(way)
        except Nobody as nobody:
            why = str(nobody) or why
            continue
        except Gone as broken:
            raise unreachable(f"the daemon does not answer: {broken}") from broken
        if welcome.get("accepted") is True and welcome.get("version") == VERSION:
            return link, str(welcome.get("instance"))
        link.close()
        why = (
            f"the running daemon (pid {welcome.get('pid')}) is agent-device {welcome.get('version')} "
            f"and has {welcome.get('sessions')} open session(s); this is the Python client {VERSION}"
        )
        if welcome.get("sessions") or attempt == TRIES - 1:
            raise mismatch(why)
        # One that has nothing open is replaced by `ensure`.
    raise unreachable(why)


async def _greet(way: Way) -> tuple[Link, dict[str, Any]]:
    link = await way.connect()
    try:
        await link.write(request_line(0, HELLO, {"version": VERSION}))
        reply = await _reply(link, 0, time.monotonic() + GREET_LIMIT, ended=Nobody)
        if reply.result is not None:
            return link, reply.result
        outcome(reply, None, None)
        raise Gone("it refused the greeting")
    except (BrokenPipeError, ConnectionResetError) as why:
        # A daemon that is just ending closes what it has accepted: the same as nobody.
        link.close()
        raise Nobody(str(why)) from why
    except OSError as why:
        link.close()
        if isinstance(why, TimeoutError):
            raise
        raise Gone(str(why)) from why
    except BaseException:
        link.close()
        raise


async def _reply(link: Link, number: int, deadline: float, ended: type[Exception] = Gone) -> Reply:
    """Reads on until the reply to a request comes. A reply without an id is about a line that the daemon could not
    read, and there is only one that it can be about. A reply to another request says nothing of this one.
    """
    while True:
        try:
            line = await link.read_line(deadline)
        except TimeoutError:
            # Somebody's alarm, not the socket's.
            raise
        except OSError as why:
            raise ended(f"the connection broke: {why}") from why
        if line is None:
            raise ended("the connection was closed")
        reply = read_reply(line)
        if reply.id is None or reply.id == number:
            return reply


def unreachable(why: str) -> AgentDeviceError:
    """There is no daemon to ask."""
    return refused(
        "DAEMON_UNAVAILABLE",
        why,
        row="client.daemon-not-started",
        reason="daemon_unavailable",
        hint="the daemon's log is daemon.log in the state folder: agent-device session state-dir",
    )


def mismatch(why: str) -> AgentDeviceError:
    """Program, daemon and client are not of the same version."""
    return refused(
        "VERSION_MISMATCH",
        why,
        row="client.version-mismatch",
        reason="version_mismatch",
        hint="install client and program in the same version; an old daemon is ended by: agent-device daemon stop",
    )


def lost_reply(asked: Asked, cause: str) -> AgentDeviceError:
    """A reply that nobody has any more."""
    message = f"the daemon went away before it answered ({cause})"
    if asked.effect == "observes":
        return refused(
            "DAEMON_UNAVAILABLE", message, row="client.look-lost", reason="daemon_reply_lost", retriable=True
        )
    return lost(
        f"{message}; no daemon can say what became of the request",
        row="client.reply-lost",
        hint="look first (a snapshot), then decide; the daemon's log: agent-device session state-dir",
    )


def not_taken(cause: str) -> AgentDeviceError:
    """A request that the daemon has never had, and refuses from now on."""
    return refused(
        "DAEMON_UNAVAILABLE",
        f"the connection was lost before the daemon had the request ({cause}); it did not run",
        row="client.request-not-taken",
        reason="request_not_taken",
        retriable=True,
    )
