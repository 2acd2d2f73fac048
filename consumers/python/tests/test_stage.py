"""Commands on the simulated phone, through a real daemon."""

from __future__ import annotations

import asyncio
import pickle
import threading
import time
from pathlib import Path

import pytest

from agent_device_client import (
    AgentDeviceError,
    AsyncClient,
    Cancel,
    Client,
    DaemonUnavailableError,
    outcome_of,
)

LATE = "id=late"


def refused(call: object) -> AgentDeviceError:
    """The failure of a call."""
    with pytest.raises(AgentDeviceError) as failed:
        call()  # type: ignore[operator]
    return failed.value


def test_a_ref_a_selector_a_point_and_an_object_are_targets(stage: Client) -> None:
    counter = next(node for node in stage.snapshot(interactive_only=True)["nodes"] if node.get("label") == "Counter")
    stage.press(f"@{counter['ref']}".replace("@@", "@"))
    stage.press('label="Press me"')
    pressed = stage.press({"kind": "selector", "selector": "id=tap"})
    stage.press((pressed["x"], pressed["y"]))
    assert stage.is_("exists", 'label="Pressed 3 times"')["pass"] is True


def test_a_failure_says_everything_that_is_known_of_it(stage: Client) -> None:
    failed = refused(lambda: stage.with_options(readiness_timeout_ms=0).press("id=nothing"))
    assert (failed.code, failed.dispatched, failed.dispatched_steps) == ("ELEMENT_NOT_FOUND", "no", None)
    assert failed.row is not None and failed.hint is not None and failed.request_id is not None
    assert str(failed).splitlines()[1] == "Dispatched: no"
    again = pickle.loads(pickle.dumps(failed))
    assert (again.code, again.row, again.request_id) == (failed.code, failed.row, failed.request_id)


def test_a_batch_that_fails_in_the_middle_is_unknown_and_counts_what_was_sent(stage: Client) -> None:
    failed = refused(
        lambda: stage.batch(
            ["press label=Counter", {"command": "press", "args": {"target": {"kind": "selector", "selector": "id=no"}}}]
        )
    )
    assert (failed.dispatched, failed.dispatched_steps, failed.details["step"]) == ("unknown", 1, 2)


def test_a_press_waits_for_its_target_only_where_it_may(stage: Client) -> None:
    stage.press('label="Timing"')
    assert refused(lambda: stage.press(LATE, readiness_timeout_ms=0)).code == "ELEMENT_NOT_FOUND"
    stage.press(LATE)


def test_forms_of_a_command_are_checked_before_anything_is_sent(stage: Client) -> None:
    stage.wait("duration", 1)
    stage.wait("text", "Field Notes", timeout_ms=5_000)
    with pytest.raises(TypeError, match="one of: duration, text"):
        stage.wait("forever")  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="no argument 'text'"):
        stage.wait("duration", 1, text="x")  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="twice"):
        stage.wait("text", "x", text="x")  # type: ignore[call-overload]


def test_a_flag_that_is_false_is_not_a_flag_that_is_left_out(stage: Client) -> None:
    # `on` is needed: were it dropped, the daemon would miss it and not the capability.
    assert refused(lambda: stage.settings("wifi", False)).code == "UNSUPPORTED_OPERATION"


def test_what_is_no_json_is_refused_before_anything_is_sent(stage: Client) -> None:
    failed = refused(lambda: stage.run("press", {"target": object()}))
    assert (failed.code, failed.dispatched) == ("INVALID_ARGS", "no")
    assert refused(lambda: stage.run("press", {"target": float("nan")})).code == "INVALID_ARGS"


def test_the_same_request_id_runs_once(stage: Client) -> None:
    stage.press("label=Counter")
    args = {"target": {"kind": "selector", "selector": "id=tap"}}
    first = stage.run("press", args, request_id="once-1")
    assert stage.run("press", args, request_id="once-1") == first
    assert stage.is_("exists", 'label="Pressed 1 times"')["pass"] is True
    assert refused(lambda: stage.run("press", {**args, "count": 2}, request_id="once-1")).reason == "request_id_reused"


def test_aliases_are_the_same_commands(stage: Client) -> None:
    stage.tap("label=Counter")
    stage.click("id=tap")
    assert (
        stage.run("click", {"target": {"kind": "selector", "selector": "id=tap"}})["element"] == '[button] "Press me"'
    )


def test_paths_are_the_callers(stage: Client, tmp_path: Path) -> None:
    here = Client(stage.session_name, cwd=tmp_path)
    assert Path(here.screenshot("shot.png")["path"]) == tmp_path / "shot.png"
    assert (tmp_path / "shot.png").read_bytes().startswith(b"\x89PNG")
    failed = refused(lambda: here.screenshot("no-such-folder/shot.png"))
    assert (failed.code, failed.dispatched, failed.row) == ("STORAGE_FAILED", "no", "client.output-unwritable")
    assert refused(lambda: here.open("./no-such-page.html")).reason == "file_unreadable"


def test_closing_twice_is_no_failure(stage: Client) -> None:
    stage.ensure_closed()
    stage.ensure_closed()
    assert refused(stage.snapshot).code == "SESSION_NOT_FOUND"


def test_a_session_is_closed_when_its_block_fails(program: str) -> None:
    with pytest.raises(ZeroDivisionError), Client("t-fails", platform="stage") as client:
        client.open()
        raise ZeroDivisionError
    assert all(one["name"] != "t-fails" for one in client.session("list")["sessions"])


def test_events_are_read_to_the_end_of_the_session(stage: Client) -> None:
    reader = Client(stage.session_name)
    seen: list[str] = []

    def read() -> None:
        seen.extend(event["command"] for event in reader.events(follow=True, interval=0.02, limit=30))

    reading = threading.Thread(target=read)
    reading.start()
    stage.press("label=Counter")
    stage.close()
    reading.join(30)
    assert seen == ["open", "press", "close"]
    assert [event["command"] for event in reader.events()] == seen
    assert [event["command"] for event in reader.events(after=1)] == seen[1:]


def test_a_call_is_stopped_from_another_thread_and_says_what_became_of_it(stage: Client) -> None:
    cancel = Cancel()
    threading.Timer(0.2, cancel.set).start()
    began = time.monotonic()
    failed = refused(lambda: stage.with_options(cancel=cancel).wait("selector", "id=never", timeout_ms=30_000))
    assert (failed.code, failed.dispatched) == ("CANCELLED", "no")
    assert time.monotonic() - began < 10
    # What is asked with it afterwards is stopped at once.
    assert refused(lambda: stage.with_options(cancel=cancel).wait("duration", 30_000)).code == "CANCELLED"


def test_an_alarm_in_the_middle_of_a_call_passes_on_and_the_answer_is_kept(stage: Client) -> None:
    import signal

    class Alarm(TimeoutError):
        pass

    def ring(number: int, frame: object) -> None:
        raise Alarm

    before = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(Alarm) as stopped:
            stage.wait("selector", "id=never", timeout_ms=30_000)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    outcome = outcome_of(stopped.value)
    assert isinstance(outcome, AgentDeviceError) and outcome.code == "CANCELLED"


def test_without_a_daemon_and_without_leave_to_start_one_nothing_is_sent(tmp_path: Path) -> None:
    failed = refused(lambda: Client("x", state_dir=tmp_path / "s", start=False).snapshot())
    assert isinstance(failed, DaemonUnavailableError) and failed.dispatched == "no"


def test_a_daemon_that_was_stopped_is_started_again(tmp_path: Path) -> None:
    client = Client("again", state_dir=tmp_path / "s", platform="stage")
    client.open()
    client.daemon("stop")
    assert refused(client.snapshot).code == "SESSION_NOT_FOUND"
    client.daemon("stop")


def test_asyncio_calls_run_at_the_same_time(program: str) -> None:
    async def one(number: int) -> str:
        async with AsyncClient(f"t-async-{number}", platform="stage") as client:
            await client.open()
            await client.press("label=Counter")
            await client.press("id=tap", count=number)
            return str((await client.get("text", "id=taps"))["text"])

    async def all_of_them() -> list[str]:
        return await asyncio.gather(*(one(number) for number in range(1, 6)))

    assert asyncio.run(all_of_them()) == [f"Pressed {number} times" for number in range(1, 6)]


def test_asyncio_events_and_batch_and_text(stage: Client) -> None:
    async def work() -> list[str]:
        client = AsyncClient(stage.session_name)
        await client.batch(["press label=Counter", "press id=tap"])
        assert "Press me" in await client.text("snapshot")
        follow = asyncio.create_task(collect(client))
        await client.close()
        return await asyncio.wait_for(follow, 30)

    async def collect(client: AsyncClient) -> list[str]:
        return [event["command"] async for event in client.events(follow=True, interval=0.02)]

    assert asyncio.run(work())[-1] == "close"


def test_a_task_that_is_cancelled_joins_what_it_asked_for(stage: Client) -> None:
    async def work() -> object:
        client = AsyncClient(stage.session_name)
        task = asyncio.create_task(client.wait("selector", "id=never", timeout_ms=30_000))
        await asyncio.sleep(0.1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError) as stopped:
            await task
        return outcome_of(stopped.value)

    outcome = asyncio.run(work())
    assert isinstance(outcome, AgentDeviceError) and (outcome.code, outcome.dispatched) == ("CANCELLED", "no")


def test_an_asyncio_call_is_stopped_by_a_cancel(stage: Client) -> None:
    async def work() -> AgentDeviceError:
        cancel = Cancel()
        client = AsyncClient(stage.session_name).with_options(cancel=cancel)
        task = asyncio.create_task(client.wait("selector", "id=never", timeout_ms=30_000))
        asyncio.get_running_loop().call_later(0.1, cancel.set)
        with pytest.raises(AgentDeviceError) as failed:
            await task
        return failed.value

    assert asyncio.run(work()).code == "CANCELLED"
