"""Both clients over the hop: a real `agent-device serve`, a relay that breaks what a tunnel breaks."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from agent_device_client import AgentDeviceError, AsyncClient, Cancel, Client, VersionMismatchError, _hop, outcome_of

from .relay import Relay

pytestmark = pytest.mark.xdist_group("remote")

TOKEN = "t" * 40


@dataclass(frozen=True)
class Server:
    """A device host."""

    url: str
    folder: Path

    @property
    def at(self) -> tuple[str, int]:
        """Where it listens."""
        parts = urlsplit(self.url)
        return str(parts.hostname), int(parts.port or 0)

    def here(self, session: str) -> Client:
        """A client on the device host itself, past the hop."""
        return Client(session, state_dir=self.folder / "s")


@pytest.fixture(scope="module")
def server(program: str) -> Iterator[Server]:
    """`serve` with a daemon of its own."""
    if subprocess.run([program, "serve", "--help"], check=False, capture_output=True, timeout=60).returncode != 0:
        pytest.fail(f"{program} has no `serve`")
    folder = Path(tempfile.mkdtemp(prefix="ad-py-", dir="/tmp"))
    token, address = folder / "token", folder / "address"
    token.write_text(TOKEN)
    token.chmod(0o600)
    environment = {**os.environ, "AGENT_DEVICE_STATE_DIR": str(folder / "s")}
    words = [program, "serve", "--token-file", str(token), "--print-address-file", str(address)]
    process = subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 30
        while not address.exists() or not address.read_text().strip():
            assert process.poll() is None and time.monotonic() < deadline, "serve does not listen"
            threading.Event().wait(0.02)
        said = address.read_text().strip()
        yield Server(said if "://" in said else f"http://{said}", folder)
    finally:
        process.terminate()
        process.wait(30)
        subprocess.run([program, "daemon", "stop"], env=environment, check=False, capture_output=True, timeout=60)
        shutil.rmtree(folder, ignore_errors=True)


Run = Callable[..., dict[str, Any]]


@pytest.fixture(params=["blocking", "asyncio"])
def kind(request: pytest.FixtureRequest) -> str:
    """Which client."""
    return str(request.param)


def run(kind: str, url: str, session: str, command: str, args: dict[str, Any], **options: Any) -> dict[str, Any]:
    """One command with a client of either kind, whose lease stays until the end of the run."""
    if kind == "blocking":
        return Client(session, url=url, token=TOKEN, **options).run(command, args)
    return asyncio.run(AsyncClient(session, url=url, token=TOKEN, **options).run(command, args))


TAP = {"target": {"kind": "selector", "selector": "id=tap"}}


@pytest.fixture
def counter(server: Server, request: pytest.FixtureRequest) -> Iterator[Client]:
    """The counter's screen, opened on the device host itself: what lands there is looked at past the hop."""
    with server.here(f"r-{abs(hash(request.node.nodeid)) % 10**8}") as client:
        client.open("demo")
        client.press("label=Counter")
        yield client


def taps(counter: Client) -> str:
    """What the counter shows."""
    return counter.get("text", "id=taps")["text"]


def test_a_session_over_the_hop_is_a_session(server: Server, tmp_path: Path) -> None:
    with Client("hop-1", url=server.url, token=TOKEN, platform="stage", cwd=tmp_path) as client:
        client.open("demo")
        client.press("label=Counter")
        client.press("id=tap", count=2)
        assert client.is_("exists", 'label="Pressed 2 times"')["pass"]
        shot = client.screenshot("shot.png")
        assert Path(shot["path"]) == tmp_path / "shot.png"
        assert (tmp_path / "shot.png").read_bytes().startswith(b"\x89PNG")
        assert [event["command"] for event in client.events()] == ["open", "press", "press", "is", "screenshot"]
        assert any(one["name"] == "hop-1" for one in server.here("x").session("list")["sessions"])
    assert all(one["name"] != "hop-1" for one in server.here("x").session("list")["sessions"])


def test_asyncio_over_the_hop(server: Server, tmp_path: Path) -> None:
    async def work() -> str:
        async with AsyncClient("hop-2", url=server.url, token=TOKEN, cwd=tmp_path) as client:
            await client.open("demo")
            await client.press("label=Counter")
            await asyncio.gather(*(client.press("id=tap") for _ in range(5)))
            await client.screenshot("shot.png")
            return (await client.get("text", "id=taps"))["text"]

    assert asyncio.run(work()) == "Pressed 5 times"
    assert (tmp_path / "shot.png").exists()


def test_files_of_the_caller_travel(server: Server, tmp_path: Path) -> None:
    source = Path(__file__).resolve().parents[3] / "contracts" / "conformance" / "app.toml"
    shutil.copy(source, tmp_path / "mine.toml")
    with Client("hop-3", url=server.url, token=TOKEN, cwd=tmp_path) as client:
        client.open("./mine.toml", save_script="script.ad")
        client.press("id=go-press")
        assert client.is_("exists", "id=count")["pass"]
        client.batch([{"command": "screenshot", "args": {"path": "in-batch.png"}}])
        assert (tmp_path / "in-batch.png").exists()
        closed = client.close()
    assert Path(closed["script"]) == tmp_path / "script.ad"
    assert "press" in (tmp_path / "script.ad").read_text()


def test_the_program_takes_the_same_way(server: Server, tmp_path: Path) -> None:
    with Client("hop-4", url=server.url, token=TOKEN, cwd=tmp_path) as client:
        client.open("demo")
        client.trace("start")
        client.press("label=Counter")
        client.trace("stop", out="page.html")
        assert "label=Counter" in (tmp_path / "page.html").read_text()


@pytest.mark.parametrize("breaks", ["reply", "gateway"])
def test_a_reply_that_is_lost_on_the_hop_is_fetched_and_the_press_is_not_repeated(
    server: Server, counter: Client, kind: str, breaks: str
) -> None:
    def judge(request: bytes) -> str | None:
        return breaks if b'"run"' in request and b'"press"' in request else None

    with Relay(server.at, judge) as relay:
        done = run(kind, relay.url, str(counter.session_name), "press", TAP)
        assert done["element"] == '[button] "Press me"'
        assert relay.broken == [breaks]
    assert taps(counter) == "Pressed 1 times"


def test_a_gateway_that_ends_every_question_early_is_asked_until_it_lets_one_through(
    server: Server, counter: Client, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agent_device_client._remote.SILENCE", 0.3)
    monkeypatch.setattr("agent_device_client._remote.PAUSE", 0.2)
    questions: list[bytes] = []

    def judge(request: bytes) -> str | None:
        if b'"retained"' in request:
            questions.append(request)
            return "gateway" if len(questions) < 5 else None
        return "gateway" if b'"press"' in request else None

    with Relay(server.at, judge) as relay:
        assert run(kind, relay.url, str(counter.session_name), "press", TAP)["element"] == '[button] "Press me"'
    assert len(questions) == 5 and taps(counter) == "Pressed 1 times"


def test_a_request_that_is_cut_off_did_not_run(server: Server, counter: Client, kind: str) -> None:
    def judge(request: bytes) -> str | None:
        return "request" if b'"run"' in request and b'"press"' in request else None

    with Relay(server.at, judge) as relay, pytest.raises(AgentDeviceError) as failed:
        run(kind, relay.url, str(counter.session_name), "press", TAP)
    assert (failed.value.dispatched, failed.value.row) == ("no", "client.request-not-taken")
    assert taps(counter) == "Pressed 0 times"


def test_a_server_that_cannot_be_reached_any_more_is_unknown(server: Server, counter: Client, kind: str) -> None:
    gone = threading.Event()

    def judge(request: bytes) -> str | None:
        if b'"press"' in request:
            gone.set()
        return "gateway" if gone.is_set() else None

    with Relay(server.at, judge) as relay, pytest.MonkeyPatch.context() as patch:
        patch.setattr("agent_device_client._remote.SILENCE", 0.5)
        with pytest.raises(AgentDeviceError) as failed:
            run(kind, relay.url, str(counter.session_name), "press", TAP)
    assert (failed.value.dispatched, failed.value.row) == ("unknown", "client.reply-lost")
    assert taps(counter) == "Pressed 1 times"


def test_a_cancel_travels_and_the_answer_comes_back(server: Server, counter: Client) -> None:
    cancel = Cancel()
    client = Client(counter.session_name, url=server.url, token=TOKEN).with_options(cancel=cancel)
    threading.Timer(0.3, cancel.set).start()
    with pytest.raises(AgentDeviceError) as failed:
        client.wait("selector", "id=never", timeout_ms=60_000)
    assert (failed.value.code, failed.value.dispatched) == ("CANCELLED", "no")


def test_a_task_that_is_cancelled_over_the_hop_says_what_became_of_it(server: Server, counter: Client) -> None:
    async def work() -> object:
        client = AsyncClient(counter.session_name, url=server.url, token=TOKEN)
        task = asyncio.create_task(client.press("id=tap", count=200, interval_ms=100))
        await asyncio.sleep(0.5)
        task.cancel()
        with pytest.raises(asyncio.CancelledError) as stopped:
            await task
        return outcome_of(stopped.value)

    outcome = asyncio.run(work())
    assert isinstance(outcome, AgentDeviceError)
    assert (outcome.code, outcome.dispatched) == ("CANCELLED", "unknown") and outcome.dispatched_steps


def test_a_wrong_token_is_refused_and_nothing_is_sent(server: Server, counter: Client, kind: str) -> None:
    with pytest.raises(AgentDeviceError) as failed:
        if kind == "blocking":
            Client("x", url=server.url, token="w" * 40).run("press", TAP)
        else:
            asyncio.run(AsyncClient("x", url=server.url, token="w" * 40).run("press", TAP))
    assert (failed.value.code, failed.value.dispatched) == ("UNAUTHORIZED", "no")


def test_where_nobody_listens_nothing_is_sent(kind: str) -> None:
    with pytest.raises(AgentDeviceError) as failed:
        run(kind, "http://127.0.0.1:9", "x", "press", TAP)
    assert (failed.value.code, failed.value.dispatched) == ("DAEMON_UNAVAILABLE", "no")


def test_a_server_that_is_gone_before_the_request_got_nothing(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agent_device_client._remote.SILENCE", 0.5)
    with Relay(server.at, lambda request: None) as relay:
        client = Client("x", url=relay.url, token=TOKEN)
        client.devices()
    with pytest.raises(AgentDeviceError) as failed:
        client.run("press", TAP)
    assert (failed.value.dispatched, failed.value.row) == ("no", "client.daemon-not-started")


def test_a_server_of_another_version_is_refused(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_hop, "VERSION", "9.9.9")
    with pytest.raises(VersionMismatchError):
        Client("x", url=server.url, token=TOKEN).snapshot()


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("ftp://127.0.0.1", "no address of a server"),
        ("http://device-host.example", "open line"),
        ("http://ada:secret@127.0.0.1:1", "no address of a server"),
    ],
)
def test_an_address_that_gives_the_token_away_is_refused(url: str, said: str) -> None:
    with pytest.raises(AgentDeviceError, match=said):
        Client("x", url=url, token=TOKEN)


def test_the_token_comes_from_a_file(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "token").write_text(TOKEN + "\n")
    monkeypatch.setenv("AGENT_DEVICE_URL", server.url)
    monkeypatch.setenv("AGENT_DEVICE_TOKEN_FILE", str(tmp_path / "token"))
    client = Client("hop-5")
    assert client.devices()["devices"]
    client.disconnect()
    monkeypatch.delenv("AGENT_DEVICE_TOKEN_FILE")
    with pytest.raises(AgentDeviceError, match="no token"):
        Client("hop-5")


def test_a_lease_is_kept_while_nothing_is_asked_and_ends_with_the_client(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_hop, "HEARTBEAT", 0.1)
    sent: list[str] = []
    send = _hop._Parts.send

    def listened(parts: Any, method: str, path: str, *rest: Any, **more: Any) -> Any:
        sent.append(f"{method} {path}")
        return send(parts, method, path, *rest, **more)

    monkeypatch.setattr(_hop._Parts, "send", listened)
    client = Client("hop-6", url=server.url, token=TOKEN)
    client.open("demo")
    deadline = time.monotonic() + 10
    while "POST /lease" not in sent:
        assert time.monotonic() < deadline
        threading.Event().wait(0.02)
    del client
    deadline = time.monotonic() + 10
    while any(one["name"] == "hop-6" for one in server.here("x").session("list")["sessions"]):
        assert time.monotonic() < deadline
        threading.Event().wait(0.02)
    assert sent[-1] == "DELETE /lease"
