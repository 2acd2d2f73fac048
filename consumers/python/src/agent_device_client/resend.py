"""What a caller does about a failure, from `dispatched`: send again what was not sent, look before anything else."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Literal, TypeVar

from .errors import AgentDeviceError

T = TypeVar("T")
S = TypeVar("S")

#: Failures that may pass by themselves: the app is not there yet, something is in the way, a daemon is just ending.
PASSING = frozenset(
    {
        "ELEMENT_NOT_FOUND",
        "ELEMENT_COVERED",
        "ELEMENT_DISABLED",
        "ELEMENT_OFFSCREEN",
        "AMBIGUOUS_MATCH",
        "ALERT_NOT_FOUND",
        "PREDICATE_FAILED",
        "CAPTURE_FAILED",
        "WAIT_TIMEOUT",
        "DEVICE_IN_USE",
        "DAEMON_UNAVAILABLE",
    }
)

Decision = Literal["landed", "resend", "fail"]
"""What somebody who looked says of an action: it happened; it did not, send it again; neither is certain."""


def may_pass(error: AgentDeviceError) -> bool:
    """Whether the same request may work a moment later."""
    return error.retriable or error.code in PASSING


def with_resend(
    act: Callable[[], T],
    *,
    attempts: int = 3,
    pause: float = 0.2,
    when: Callable[[AgentDeviceError], bool] = may_pass,
) -> T:
    """Calls `act` again where it failed with `dispatched: no`, and never after an `unknown`.

    Args:
        act: what to do: one action, since a second one would be sent after a first that worked
        attempts: how often at most
        pause: time between two tries, s
        when: which failures are worth another try; `dispatched` is looked at before
    """
    for left in range(_checked(attempts) - 1, -1, -1):
        try:
            return act()
        except AgentDeviceError as error:
            if not _again(error, left, when):
                raise
            time.sleep(pause)
    raise AssertionError("the last attempt returns or raises")


async def with_resend_async(
    act: Callable[[], Awaitable[T]],
    *,
    attempts: int = 3,
    pause: float = 0.2,
    when: Callable[[AgentDeviceError], bool] = may_pass,
) -> T:
    """As `with_resend`, for coroutines."""
    for left in range(_checked(attempts) - 1, -1, -1):
        try:
            return await act()
        except AgentDeviceError as error:
            if not _again(error, left, when):
                raise
            await asyncio.sleep(pause)
    raise AssertionError("the last attempt returns or raises")


def observe_then_decide(
    act: Callable[[], T], *, look: Callable[[], S], decide: Callable[[S], Decision], attempts: int = 2
) -> T | S:
    """Acts; where nobody knows whether it landed, looks, and does what `decide` says of what was seen.

    Returns the action's answer, or what was seen where that shows that the action landed. Raises the failure where it is
    a `no`, where `decide` says `fail`, and where the attempts are used up.
    """
    for left in range(_checked(attempts) - 1, -1, -1):
        try:
            return act()
        except AgentDeviceError as error:
            if error.dispatched == "no":
                raise
            seen = look()
            decision = decide(seen)
            if decision == "landed":
                return seen
            if decision != "resend" or not left:
                raise
    raise AssertionError("the last attempt returns or raises")


async def observe_then_decide_async(
    act: Callable[[], Awaitable[T]],
    *,
    look: Callable[[], Awaitable[S]],
    decide: Callable[[S], Decision],
    attempts: int = 2,
) -> T | S:
    """As `observe_then_decide`, for coroutines."""
    for left in range(_checked(attempts) - 1, -1, -1):
        try:
            return await act()
        except AgentDeviceError as error:
            if error.dispatched == "no":
                raise
            seen = await look()
            decision = decide(seen)
            if decision == "landed":
                return seen
            if decision != "resend" or not left:
                raise
    raise AssertionError("the last attempt returns or raises")


def _checked(attempts: int) -> int:
    if attempts < 1:
        raise ValueError("attempts is 1 or more")
    return attempts


def _again(error: AgentDeviceError, left: int, when: Callable[[AgentDeviceError], bool]) -> bool:
    return left > 0 and error.dispatched == "no" and when(error)
