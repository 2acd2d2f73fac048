"""What the program does for the client: scripts, suites, the page of a trace."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from agent_device_client import AgentDeviceError, AsyncClient, Client, _asyncio, _program

CANCELLED = '{"success": false, "error": {"code": "CANCELLED", "message": "x", "details": {"dispatched": "no"}}}'


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    """A script of the demo app, as the program records it."""
    script = tmp_path / "count.ad"
    with Client("t-record", platform="stage", cwd=tmp_path) as client:
        client.open("demo", save_script="count.ad")
        client.press("label=Counter")
        client.press("id=tap", count=2)
        client.wait("selector", 'label="Pressed 2 times"', timeout_ms=500)
    assert script.exists()
    return script


def test_a_recorded_script_is_replayed_with_a_page(recorded: Path) -> None:
    client = Client("t-replay", cwd=recorded.parent)
    done = client.replay(recorded, trace="page.html")
    assert len(done["steps"]) == 5
    assert "<html" in (recorded.parent / "page.html").read_text()
    assert asyncio.run(AsyncClient("t-replay", cwd=recorded.parent).replay("count.ad"))


def test_a_script_that_diverges_says_where_and_whether_it_was_sent(recorded: Path) -> None:
    recorded.write_text(
        recorded.read_text().replace("Pressed 2 times", "Pressed 3 times").replace("--count 2", "--count 2")
    )
    with pytest.raises(AgentDeviceError) as failed:
        Client("t-diverge", cwd=recorded.parent).replay(recorded)
    assert failed.value.code == "REPLAY_DIVERGENCE"
    assert failed.value.dispatched == "unknown"
    Client("t-diverge").ensure_closed()


def test_a_suite_reports_and_says_whether_it_passed(recorded: Path) -> None:
    client = Client(cwd=recorded.parent)
    passed = client.test("count.ad", junit="report.xml", artifacts_dir="kept")
    assert (passed.success, passed.exit_code) == (True, 0)
    assert "<testsuite" in (recorded.parent / "report.xml").read_text()
    recorded.write_text(recorded.read_text().replace("Pressed 2 times", "Pressed 9 times"))
    failed = asyncio.run(AsyncClient(cwd=recorded.parent).test("count.ad", artifacts_dir="kept"))
    assert not failed.success and failed.exit_code != 0
    with pytest.raises(AgentDeviceError) as refused:
        client.test("no-such-file.ad")
    assert refused.value.dispatched == "no"


def test_a_trace_ends_with_a_page(stage: Client, tmp_path: Path) -> None:
    stage.trace("start")
    stage.press("label=Counter")
    done = stage.trace("stop", out=tmp_path / "page.html")
    assert Path(done["page"]) == tmp_path / "page.html"
    assert "label=Counter" in (tmp_path / "page.html").read_text()
    asyncio.run(AsyncClient(stage.session_name).trace("start"))
    asyncio.run(AsyncClient(stage.session_name).trace("stop", out=tmp_path / "again.html"))
    assert (tmp_path / "again.html").exists()


@pytest.mark.parametrize("kind", ["blocking", "asyncio"])
def test_a_program_that_takes_too_long_is_interrupted_and_what_it_says_counts(tmp_path: Path, kind: str) -> None:
    program = tmp_path / "slow"
    program.write_text(
        "#!/usr/bin/env python3\n"
        "import signal, sys\n"
        "def end(*_):\n"
        f"    print({CANCELLED!r})\n"
        "    sys.exit(1)\n"
        "signal.signal(signal.SIGINT, end)\n"
        "signal.pause()\n"
    )
    program.chmod(0o755)
    env = _program.environment(None)
    if kind == "blocking":
        said = _program.run(str(program), ["replay"], env=env, cwd=str(tmp_path), limit=1.0)
    else:
        said = asyncio.run(_asyncio.run(str(program), ["replay"], env=env, cwd=str(tmp_path), limit=1.0))
    assert said.error["code"] == "CANCELLED"


@pytest.mark.parametrize("kind", ["blocking", "asyncio"])
def test_a_program_that_says_nothing_in_time_may_have_done_anything(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_program, "END_LIMIT", 0.3)
    program = tmp_path / "deaf"
    program.write_text("#!/bin/sh\ntrap '' INT\nexec sleep 60\n")
    program.chmod(0o755)
    env = _program.environment(None)
    with pytest.raises(AgentDeviceError) as failed:
        if kind == "blocking":
            _program.run(str(program), ["replay"], env=env, cwd=str(tmp_path), limit=0.3)
        else:
            asyncio.run(_asyncio.run(str(program), ["replay"], env=env, cwd=str(tmp_path), limit=0.3))
    assert (failed.value.code, failed.value.dispatched) == ("TIMEOUT", "unknown")


def test_the_program_is_looked_for_where_it_was_said_first(
    program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = tmp_path / "agent-device"
    named.symlink_to(program)
    assert _program.find(named) == str(named)
    assert _program.find(None) == program
    monkeypatch.delenv("AGENT_DEVICE_BINARY")
    monkeypatch.setattr("sysconfig.get_path", lambda *_: str(tmp_path))
    assert _program.find(None) == str(named)
    monkeypatch.setattr("sysconfig.get_path", lambda *_: "/nowhere")
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    monkeypatch.setenv("PATH", f"/nowhere:{tmp_path}")
    assert _program.find(None) == str(named)
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(AgentDeviceError, match="neither beside this Python nor on the PATH"):
        _program.find(None)
