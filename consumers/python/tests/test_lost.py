"""What is made of a reply that does not come: the daemon is a scripted one, both clients are held to the same."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agent_device_client import (
    AgentDeviceError,
    AsyncClient,
    Client,
    DaemonUnavailableError,
    VersionMismatchError,
    _exchange,
)

from .double import Connection, Double, Scene

Run = Callable[..., dict[str, Any]]

PRESS = ("press", {"target": {"kind": "selector", "selector": "id=a"}})
LOOK: tuple[str, dict[str, Any]] = ("snapshot", {})


@pytest.fixture(params=["blocking", "asyncio"])
def run(request: pytest.FixtureRequest) -> Run:
    """Runs one command in a client of either kind."""

    def blocking(double: Double, command: str, args: dict[str, Any], **options: Any) -> dict[str, Any]:
        return Client("s", binary=double.program, **options).run(command, args)

    def asynchronous(double: Double, command: str, args: dict[str, Any], **options: Any) -> dict[str, Any]:
        return asyncio.run(AsyncClient("s", binary=double.program, **options).run(command, args))

    return blocking if request.param == "blocking" else asynchronous


def loses(connection: Connection) -> None:
    """Takes the request and closes."""
    connection.greet()
    connection.read()


def cuts(connection: Connection) -> None:
    """Takes the request and answers half."""
    connection.greet()
    connection.read()
    connection.raw(b'{"jsonrpc":"2.0","id":1,"result":{"data":{"a":')


def babbles(connection: Connection) -> None:
    """Takes the request and answers with nonsense."""
    connection.greet()
    connection.read()
    connection.raw(b"<html>502</html>\n")


def says_nothing(connection: Connection) -> None:
    """Takes the request and answers with neither a result nor an error."""
    connection.greet()
    connection.read()
    connection.say(1)


def speaks_of_something_else(connection: Connection) -> None:
    """Answers about another request."""
    connection.greet()
    connection.read()
    connection.say(1, of="another", result={"data": {"wrong": True}})


def retains(**outcome: Any) -> Scene:
    """Answers for the request whose reply was lost."""

    def scene(connection: Connection) -> None:
        connection.greet()
        asked = connection.read()["params"]["requestId"]
        connection.say(1, of=asked, **outcome)

    return scene


def refuses_the_question(connection: Connection) -> None:
    """Answers, and not about the request."""
    connection.greet()
    connection.read()
    connection.say(1, error=failure("DAEMON_UNAVAILABLE", "no", reason="too_many_connections"))


def failure(code: str, dispatched: str | None, **details: Any) -> dict[str, Any]:
    """An error as it goes over the wire."""
    said = {"dispatched": dispatched} if dispatched else {}
    return {"code": -32000, "message": code, "data": {"code": code, "message": code, "details": {**said, **details}}}


def failed(run: Run, double: Double, call: tuple[str, dict[str, Any]], **options: Any) -> AgentDeviceError:
    """The failure of a call."""
    with pytest.raises(AgentDeviceError) as error:
        run(double, *call, **options)
    return error.value


@pytest.mark.parametrize("loss", [loses, cuts, babbles, says_nothing, speaks_of_something_else])
def test_a_lost_reply_is_fetched_and_the_action_is_not_sent_again(run: Run, loss: Scene) -> None:
    with Double(loss, retains(result={"data": {"x": 1}})) as double:
        assert run(double, *PRESS) == {"x": 1}
        assert double.methods == ["hello", "run", "hello", "retained"]


def test_a_lost_reply_that_was_a_failure_is_that_failure(run: Run) -> None:
    with Double(loses, retains(error=failure("ELEMENT_COVERED", "unknown", dispatchedSteps=2))) as double:
        error = failed(run, double, PRESS)
        assert (error.code, error.dispatched, error.dispatched_steps) == ("ELEMENT_COVERED", "unknown", 2)


def test_a_request_that_the_daemon_has_never_seen_did_not_run(run: Run) -> None:
    with Double(loses, retains(error=failure("COMMAND_FAILED", "no", reason="not_seen"))) as double:
        error = failed(run, double, PRESS)
        assert (error.dispatched, error.row, error.retriable) == ("no", "client.request-not-taken", True)


def test_a_look_that_was_lost_may_be_repeated(run: Run) -> None:
    with Double(loses, retains(error=failure("COMMAND_FAILED", "no", reason="not_seen"))) as double:
        error = failed(run, double, LOOK)
        assert (error.dispatched, error.row) == ("no", "client.look-lost")


def test_another_daemon_cannot_answer_for_the_first(run: Run) -> None:
    def another(connection: Connection) -> None:
        connection.greet(instance="instance-2")
        asked = connection.read()["params"]["requestId"]
        # True of this daemon, and no proof for the first one.
        connection.say(1, of=asked, error=failure("COMMAND_FAILED", "no", reason="not_seen"))

    with Double(loses, another) as double:
        error = failed(run, double, PRESS)
        assert (error.dispatched, error.row, error.reason) == ("unknown", "client.reply-lost", "daemon_reply_lost")
        assert double.methods == ["hello", "run", "hello"]


@pytest.mark.parametrize(
    ("call", "dispatched", "row"), [(PRESS, "unknown", "client.reply-lost"), (LOOK, "no", "client.look-lost")]
)
def test_where_nobody_can_answer_any_more_only_a_look_is_a_no(
    run: Run, call: tuple[str, dict[str, Any]], dispatched: str, row: str
) -> None:
    with Double(loses) as double:
        error = failed(run, double, call)
        assert isinstance(error, DaemonUnavailableError)
        assert (error.dispatched, error.row) == (dispatched, row)


def test_a_refused_question_is_no_answer(run: Run) -> None:
    with Double(loses, *[refuses_the_question] * 3) as double:
        error = failed(run, double, PRESS)
        assert (error.dispatched, error.row) == ("unknown", "client.reply-lost")
        assert double.methods.count("run") == 1


def test_a_refused_greeting_is_no_answer(run: Run) -> None:
    def refuses(connection: Connection) -> None:
        connection.read()
        connection.say(0, error=failure("DAEMON_UNAVAILABLE", "no", reason="too_many_connections"))

    with Double(loses, *[refuses] * 3) as double:
        error = failed(run, double, PRESS)
        assert (error.dispatched, error.row) == ("unknown", "client.reply-lost")


def test_a_question_that_is_lost_is_asked_again(run: Run) -> None:
    with Double(loses, loses, retains(result={"data": {"x": 1}})) as double:
        assert run(double, *PRESS) == {"x": 1}
        assert double.methods.count("run") == 1


def test_a_daemon_that_stalls_is_asked_and_not_told_that_its_caller_has_gone(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_exchange, "MARGIN", 0.0)
    gone = threading.Event()

    def stalls(connection: Connection) -> None:
        connection.greet()
        connection.read()
        connection.until_gone()
        gone.set()

    def retains(connection: Connection) -> None:
        connection.greet()
        asked = connection.read()["params"]["requestId"]
        # The end of the first connection would cancel what it asked for.
        connection.say(1, of=asked, result={"data": {"cancelled": gone.wait(0.2)}})

    with Double(stalls, retains) as double:
        began = time.monotonic()
        # The cap of the readiness wait comes on top: 2 s.
        assert run(double, *PRESS, timeout_ms=10) == {"cancelled": False}
        assert time.monotonic() - began < 10


@pytest.mark.parametrize(
    ("call", "given", "sent"), [(PRESS, None, 2000), (PRESS, 300, 300), (PRESS, 0, None), (LOOK, None, None)]
)
def test_a_readiness_wait_is_asked_for_only_where_it_may_be(
    run: Run, call: tuple[str, dict[str, Any]], given: int | None, sent: int | None
) -> None:
    def scene(connection: Connection) -> None:
        connection.greet()
        connection.say(1, result={"data": {"asked": connection.read()["params"].get("readinessTimeoutMs")}})

    with Double(scene) as double:
        assert run(double, *call, readiness_timeout_ms=given) == {"asked": sent}


def test_a_reply_to_another_line_is_passed_over(run: Run) -> None:
    def scene(connection: Connection) -> None:
        connection.greet()
        connection.read()
        connection.say(0, result={"data": {"wrong": True}})
        connection.say(1, result={"data": {"right": True}})

    with Double(scene) as double:
        assert run(double, *PRESS) == {"right": True}


def test_a_reply_of_several_parts_is_one_reply(run: Run) -> None:
    def scene(connection: Connection) -> None:
        connection.greet()
        connection.read()
        for part in (b'{"jsonrpc":"2.0","id":1,', b'"result":{"data":{"x":', b'"' + b"y" * 300_000 + b'"}}}', b"\n"):
            connection.raw(part)

    with Double(scene) as double:
        assert len(run(double, *PRESS)["x"]) == 300_000


def test_an_error_that_says_nothing_of_sends_is_read_as_unknown(run: Run) -> None:
    def scene(connection: Connection) -> None:
        connection.greet()
        connection.read()
        connection.say(1, error=failure("INTERNAL", None))

    with Double(scene) as double:
        assert failed(run, double, PRESS).dispatched == "unknown"


def test_a_busy_daemon_of_another_version_is_refused(run: Run) -> None:
    with Double(lambda connection: connection.greet(version="9.9.9", accepted=False, sessions=2)) as double:
        error = failed(run, double, PRESS)
        assert isinstance(error, VersionMismatchError)
        assert (error.dispatched, error.row) == ("no", "client.version-mismatch")
        assert "9.9.9" in error.message and double.methods == ["hello"]


def test_a_program_of_another_version_is_refused_before_anything_is_said(run: Run) -> None:
    with Double(version="9.9.9") as double:
        error = failed(run, double, PRESS)
        assert isinstance(error, VersionMismatchError) and error.dispatched == "no"
        assert double.methods == []


@pytest.mark.parametrize("greeting", [b"SSH-2.0-OpenSSH_9.2\n", b"{}\n", b"[]\n"])
def test_what_does_not_greet_is_no_daemon(run: Run, greeting: bytes) -> None:
    def scene(connection: Connection) -> None:
        connection.read()
        connection.raw(greeting)

    with Double(*[scene] * 1) as double:
        error = failed(run, double, PRESS)
        assert (error.code, error.dispatched) == ("DAEMON_UNAVAILABLE", "no")


def test_a_daemon_that_ends_while_it_is_greeted_is_looked_for_again(run: Run) -> None:
    def answers(connection: Connection) -> None:
        connection.greet()
        connection.read()
        connection.say(1, result={"data": {"x": 1}})

    with Double(lambda connection: None, answers) as double:
        assert run(double, *PRESS) == {"x": 1}


def test_a_program_that_is_something_else_is_named(run: Run, tmp_path: Path) -> None:
    with Double() as double:
        double.program.write_text("#!/bin/sh\necho hello; exit 3\n")
        error = failed(run, double, PRESS)
        assert (error.code, error.dispatched) == ("DAEMON_UNAVAILABLE", "no")
        assert "ended with 3" in error.message and "hello" in error.message


def test_a_program_that_is_missing_is_said_with_where_it_was_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(AgentDeviceError) as error:
        Client("s", binary="/no/such/program")
    assert (error.value.code, error.value.dispatched) == ("TOOL_MISSING", "no")
    monkeypatch.setenv("AGENT_DEVICE_BINARY", "/neither/this")
    with pytest.raises(AgentDeviceError, match="AGENT_DEVICE_BINARY names no program: /neither/this"):
        AsyncClient("s")
