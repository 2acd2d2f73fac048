"""The `device` fixture for pytest: a session of its own for every test, and what was on the screen where one fails.

| option | ini | |
| --- | --- | --- |
| `--device-app` | `device_app` | what the fixture opens; without it the test opens something itself |
| `--device-platform` | `device_platform` | where a device lives: stage, web or android |
| `--device-id` | `device_id` | which device |
| `--device-readiness-ms` | `device_readiness_ms` | how long a press waits while its target is absent |
| `--device-artifacts` | `device_artifacts` | the folder for what is kept of a failure |
| `--device-trace` | `device_trace` | of which tests a page is kept that shows every step |
"""

from __future__ import annotations

import re
import sys
import uuid
from collections.abc import Callable, Generator, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, cast

import pytest

from ._protocol import Answer
from .client import Client
from .errors import AgentDeviceError

#: The folder for what is kept, where nothing is said.
ARTIFACTS = "agent-device-results"

_OPTIONS = {
    "app": "What the device fixture opens: an app, a page or an address",
    "platform": "Where its device lives: stage, web or android",
    "id": "Which device it takes",
    "readiness-ms": "How long a press waits while its target is absent, ms (0 does not wait)",
    "artifacts": f"The folder for screenshots, snapshots and traces of tests that fail [default: {ARTIFACTS}]",
    "trace": "Of which tests a page is kept that shows every step: never, on-failure or always [default: on-failure]",
}

_TRACES = ("never", "on-failure", "always")


class Device(Client):
    """The client that the fixture gives: it keeps a trace from the first `open` on."""

    tracing: bool = False
    """Whether a trace is wanted."""
    traced: bool = False
    """Whether one is being kept."""

    def _ask(
        self,
        command: str,
        args: Mapping[str, Any],
        *,
        readiness_timeout_ms: int | None = None,
        render: Literal["json", "text"] = "json",
        identity: str | None = None,
    ) -> Answer:
        answer = super()._ask(
            command, args, readiness_timeout_ms=readiness_timeout_ms, render=render, identity=identity
        )
        if command == "open" and self.tracing and not self.traced:
            super()._ask("trace", {"action": "start"})
            self.traced = True
        elif command == "close":
            self.traced = False
        return answer


_DEVICE = pytest.StashKey[Device]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options, and the same in the ini file."""
    group = parser.getgroup("agent-device", "devices and browsers through agent-device")
    for name, about in _OPTIONS.items():
        group.addoption(f"--device-{name}", default=None, help=about)
        parser.addini(f"device_{name.replace('-', '_')}", about, default=None)


def _option(config: pytest.Config, name: str) -> str | None:
    given = config.getoption(f"device_{name.replace('-', '_')}") or config.getini(f"device_{name.replace('-', '_')}")
    return str(given) if given else None


def _trace(config: pytest.Config) -> str:
    wanted = _option(config, "trace") or "on-failure"
    if wanted not in _TRACES:
        raise pytest.UsageError(f"--device-trace is one of {', '.join(_TRACES)}, not {wanted!r}")
    return wanted


def pytest_configure(config: pytest.Config) -> None:
    """Says at once what is wrong with an option."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == __package__:
            # pytest's word for it: a traceback ends where the test called. What the client does inside is no part of it.
            vars(module)["__tracebackhide__"] = True
    _trace(config)
    readiness = _option(config, "readiness-ms")
    if readiness is not None and not readiness.isdigit():
        raise pytest.UsageError(f"--device-readiness-ms is a number of ms, not {readiness!r}")


@pytest.fixture(scope="session")
def device_options(pytestconfig: pytest.Config) -> dict[str, Any]:
    """What the device's client is made with. Override it for more: any argument of `Client`."""
    readiness = _option(pytestconfig, "readiness-ms")
    return {
        "platform": _option(pytestconfig, "platform"),
        "device": _option(pytestconfig, "id"),
        "readiness_timeout_ms": int(readiness) if readiness is not None else None,
        "cwd": pytestconfig.rootpath,
    }


@pytest.fixture
def device(request: pytest.FixtureRequest, device_options: dict[str, Any]) -> Iterator[Client]:
    """A client in a session of its own, which is closed after the test."""
    config = request.config
    wanted = _trace(config)
    made = Device(f"pytest-{uuid.uuid4().hex[:12]}", **device_options)
    made.tracing = wanted != "never"
    node = cast("pytest.Item", request.node)
    node.stash[_DEVICE] = made
    try:
        app = _option(config, "app")
        if app is not None:
            made.open(app)
        yield made
        if wanted == "always" and made.traced:
            folder = _folder(config, node)
            made.trace("stop", out=folder / "trace.html")
            made.traced = False
    finally:
        del node.stash[_DEVICE]
        try:
            made.ensure_closed()
        finally:
            made.disconnect()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Keeps what was on the screen when a test failed, while its session is still open."""
    report = yield
    if report.failed and report.when in ("setup", "call") and _DEVICE in item.stash:
        _keep(item, item.stash[_DEVICE], report, call)
    return report


def _keep(item: pytest.Item, device: Device, report: pytest.TestReport, call: pytest.CallInfo[None]) -> None:
    folder = _folder(item.config, item)
    files: list[str] = []

    def snapshot() -> None:
        text = device.text("snapshot", {"forceFull": True})
        (folder / "snapshot.txt").write_text(text + "\n", encoding="utf-8")
        report.sections.append(("device: snapshot", text))
        files.append(str(folder / "snapshot.txt"))

    def screenshot() -> None:
        device.screenshot(str(folder / "screenshot.png"))
        files.append(str(folder / "screenshot.png"))

    def trace() -> None:
        if device.traced:
            device.traced = False
            device.trace("stop", out=folder / "trace.html")
            files.append(str(folder / "trace.html"))

    notes = [note for note in (_tried(snapshot), _tried(screenshot), _tried(trace)) if note]
    failed = call.excinfo.value if call.excinfo is not None else None
    if isinstance(failed, AgentDeviceError):
        notes.insert(0, f"dispatched: {failed.dispatched}, request {failed.request_id}")
    report.sections.append(("device: kept", "\n".join([*files, *notes])))


def _tried(keep: Callable[[], None]) -> str | None:
    """A screen that cannot be kept is no second failure of the test."""
    try:
        keep()
    except (AgentDeviceError, OSError) as why:
        return f"no {keep.__name__}: {str(why).splitlines()[0]}"
    return None


def _folder(config: pytest.Config, item: pytest.Item) -> Path:
    """The test's own folder."""
    root = config.rootpath / (_option(config, "artifacts") or ARTIFACTS)
    folder = root / re.sub(r"[^A-Za-z0-9_.-]+", "-", item.nodeid).strip("-.")[-150:]
    folder.mkdir(parents=True, exist_ok=True)
    return folder
