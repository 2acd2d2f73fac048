"""What a caller does about a failure."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from agent_device_client import (
    AgentDeviceError,
    Decision,
    observe_then_decide,
    observe_then_decide_async,
    with_resend,
    with_resend_async,
)
from agent_device_client.errors import error_of


def failure(code: str, dispatched: str, *, retriable: bool = False) -> AgentDeviceError:
    """A failure as it came over the wire."""
    return error_of({"code": code, "message": code, "retriable": retriable, "details": {"dispatched": dispatched}})


class Act:
    """An action that fails as often as it is told, and counts."""

    def __init__(self, *outcomes: AgentDeviceError | str) -> None:
        self._outcomes = list(outcomes)
        self.calls = 0

    def __call__(self) -> str:
        self.calls += 1
        outcome = self._outcomes.pop(0)
        if isinstance(outcome, AgentDeviceError):
            raise outcome
        return outcome

    async def later(self) -> str:
        """The same as a coroutine."""
        return self()


@pytest.fixture(params=["blocking", "asyncio"])
def resend(request: pytest.FixtureRequest) -> Callable[..., str]:
    """Both kinds of `with_resend`."""

    def blocking(act: Act, **options: Any) -> str:
        return with_resend(act, pause=0, **options)

    def asynchronous(act: Act, **options: Any) -> str:
        return asyncio.run(with_resend_async(act.later, pause=0, **options))

    return blocking if request.param == "blocking" else asynchronous


@pytest.fixture(params=["blocking", "asyncio"])
def decide(request: pytest.FixtureRequest) -> Callable[..., str]:
    """Both kinds of `observe_then_decide`."""

    async def look() -> str:
        return "seen"

    def blocking(act: Act, decision: Decision) -> str:
        return observe_then_decide(act, look=lambda: "seen", decide=lambda seen: decision)

    def asynchronous(act: Act, decision: Decision) -> str:
        return asyncio.run(observe_then_decide_async(act.later, look=look, decide=lambda seen: decision))

    return blocking if request.param == "blocking" else asynchronous


def test_what_was_not_sent_is_sent_again(resend: Callable[..., str]) -> None:
    act = Act(failure("ELEMENT_NOT_FOUND", "no"), failure("COMMAND_FAILED", "no", retriable=True), "done")
    assert resend(act) == "done" and act.calls == 3


def test_what_may_have_been_sent_is_never_sent_again(resend: Callable[..., str]) -> None:
    act = Act(failure("DAEMON_UNAVAILABLE", "unknown", retriable=True))
    with pytest.raises(AgentDeviceError):
        resend(act, when=lambda error: True)
    assert act.calls == 1


def test_what_will_fail_again_is_not_tried_again(resend: Callable[..., str]) -> None:
    act = Act(failure("INVALID_ARGS", "no"))
    with pytest.raises(AgentDeviceError):
        resend(act)
    assert act.calls == 1


def test_the_attempts_are_counted(resend: Callable[..., str]) -> None:
    act = Act(*[failure("ELEMENT_NOT_FOUND", "no")] * 4)
    with pytest.raises(AgentDeviceError):
        resend(act, attempts=4)
    assert act.calls == 4
    with pytest.raises(ValueError, match="1 or more"):
        resend(act, attempts=0)


def test_an_action_that_landed_is_not_repeated(decide: Callable[..., str]) -> None:
    act = Act(failure("TIMEOUT", "unknown"))
    assert decide(act, "landed") == "seen" and act.calls == 1


def test_an_action_that_did_not_land_is_sent_again(decide: Callable[..., str]) -> None:
    act = Act(failure("TIMEOUT", "unknown"), "done")
    assert decide(act, "resend") == "done" and act.calls == 2


def test_where_nobody_can_tell_the_failure_stays(decide: Callable[..., str]) -> None:
    for decision, outcomes in (("fail", 1), ("resend", 2)):
        act = Act(*[failure("TIMEOUT", "unknown")] * outcomes)
        with pytest.raises(AgentDeviceError):
            decide(act, decision)
        assert act.calls == outcomes


def test_nobody_looks_after_a_no(decide: Callable[..., str]) -> None:
    act = Act(failure("ELEMENT_NOT_FOUND", "no"))
    with pytest.raises(AgentDeviceError):
        decide(act, "landed")
    assert act.calls == 1
