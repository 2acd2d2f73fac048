"""What the tests stand on: the real program, a daemon of their own, real Chromium."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from agent_device_client import Client, _program

pytest_plugins = ["pytester"]

REPOSITORY = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def program() -> str:
    """The program under test: that of `AGENT_DEVICE_BINARY`, else the one that was built beside the sources."""
    built = os.environ.get("AGENT_DEVICE_BINARY") or str(REPOSITORY / "target" / "debug" / "agent-device")
    return _program.find(built)


@pytest.fixture(scope="session", autouse=True)
def state_dir(program: str) -> Iterator[Path]:
    """A state folder, and so a daemon, of the tests' own. Its path is short: the socket lies in it."""
    folder = Path(tempfile.mkdtemp(prefix="ad-py-", dir="/tmp"))
    kept = {name: os.environ.get(name) for name in ("AGENT_DEVICE_STATE_DIR", "AGENT_DEVICE_BINARY")}
    os.environ["AGENT_DEVICE_STATE_DIR"] = str(folder)
    os.environ["AGENT_DEVICE_BINARY"] = program
    for name in ("AGENT_DEVICE_SESSION", "AGENT_DEVICE_PLATFORM", "AGENT_DEVICE_URL"):
        os.environ.pop(name, None)
    try:
        yield folder
    finally:
        subprocess.run([program, "daemon", "stop"], check=False, capture_output=True, timeout=60)
        for name, value in kept.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def stage(request: pytest.FixtureRequest) -> Iterator[Client]:
    """A client with the stage's demo open in a session of the test's own."""
    with Client(f"t-{request.node.name}"[:80], platform="stage", timeout_ms=60_000) as client:
        client.open()
        yield client


def plugin_words() -> list[str]:
    """How a pytest run gets the plugin: by its entry point where the package is installed, else by its name."""
    installed = any(one.name == "agent_device" for one in entry_points(group="pytest11"))
    return [] if installed else ["-p", "agent_device_client.pytest_plugin"]


def needs_chromium() -> None:
    """Skips a test where there is no browser, unless the run insists on one."""
    if shutil.which("chromedriver") is None:
        if os.environ.get("CI"):
            pytest.fail("chromedriver is not installed")
        pytest.skip("chromedriver is not installed")
