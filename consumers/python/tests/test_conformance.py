"""Every conformance case, with both clients, on the stage and in Chromium: this surface leaves none out."""

from __future__ import annotations

import asyncio
import inspect
import keyword
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agent_device_client import AgentDeviceError, AsyncClient, Cancel, Client
from agent_device_client._facts import COMMANDS

from .conformance import cases, failure, filled, kept, misfit, names
from .conftest import needs_chromium

#: Commands whose method is more than a call: an iterator, or work of the program.
NO_PLAIN_METHOD = frozenset({"events"})


class Surface:
    """One client, as the cases see it."""

    def __init__(self, kind: str, platform: str, session: str) -> None:
        self.session = session
        self.platform = platform
        # The cases say themselves where a press may wait.
        make = Client if kind == "blocking" else AsyncClient
        self.client: Client | AsyncClient = make(session, readiness_timeout_ms=0)

    def call(self, command: str, args: dict[str, Any], step: dict[str, Any], identity: str | None) -> dict[str, Any]:
        """One step."""
        client = self.client.with_options(device=step.get("device"), timeout_ms=step.get("timeoutMs"))
        cancel_after = step.get("cancelAfterMs")
        if cancel_after is not None:
            cancel = Cancel()
            client = client.with_options(cancel=cancel)
            timer = threading.Timer(cancel_after / 1000, cancel.set)
            timer.start()
        readiness = step.get("readinessTimeoutMs")
        if isinstance(client, Client):
            if identity is None and (method := plain_method(client, command, args)):
                return dict(method(**named(args), **({"readiness_timeout_ms": readiness} if readiness else {})))
            return client.run(command, args, readiness_timeout_ms=readiness, request_id=identity)
        return asyncio.run(self._later(client, command, args, readiness, identity))

    @staticmethod
    async def _later(
        client: AsyncClient, command: str, args: dict[str, Any], readiness: int | None, identity: str | None
    ) -> dict[str, Any]:
        if identity is None and (method := plain_method(client, command, args)):
            return dict(await method(**named(args), **({"readiness_timeout_ms": readiness} if readiness else {})))
        return await client.run(command, args, readiness_timeout_ms=readiness, request_id=identity)

    def open(self, app: str) -> None:
        """The app's first screen."""
        self.call("open", {"app": app}, {}, None)

    def close(self) -> None:
        """Nothing open."""
        if isinstance(self.client, Client):
            self.client.ensure_closed()
        else:
            asyncio.run(self.client.ensure_closed())


def snake(name: str) -> str:
    """A name of the wire as Python has it."""
    word = re.sub(r"([A-Z])", r"_\1", name).lower().replace("-", "_")
    return word + "_" if keyword.iskeyword(word) else word


def named(args: dict[str, Any]) -> dict[str, Any]:
    """Arguments by their Python names."""
    return {snake(name): value for name, value in args.items()}


def plain_method(client: Client | AsyncClient, command: str, args: dict[str, Any]) -> Any:
    """The command's own method, where it has one that takes these arguments: the cases try that as well."""
    if command not in COMMANDS or command in NO_PLAIN_METHOD:
        return None
    method = getattr(client, snake(command))
    try:
        inspect.signature(method).bind(**named(args))
    except TypeError:
        return None
    return method


PLACES = ["blocking-stage", "asyncio-stage", "blocking-web", "asyncio-web"]


@pytest.fixture(scope="module", params=[pytest.param(one, marks=pytest.mark.xdist_group(one)) for one in PLACES])
def surface(request: pytest.FixtureRequest) -> Iterator[Surface]:
    """Each client in each place, in one session that its cases share."""
    kind, platform = request.param.split("-")
    if platform == "web":
        needs_chromium()
    made = Surface(kind, platform, f"conformance-{request.param}")
    yield made
    made.close()


@pytest.mark.parametrize("case", cases(), ids=lambda case: str(case["id"]))
def test_a_case(surface: Surface, case: dict[str, Any], tmp_path: Path) -> None:
    if surface.platform not in case.get("on", ["stage", "web"]):
        pytest.skip(f"this case is not about {surface.platform}")
    known = names(surface.platform, surface.session, tmp_path)
    if case.get("opened", True):
        try:
            surface.open(known["app"])
        except AgentDeviceError:
            surface.close()
            surface.open(known["app"])
    else:
        surface.close()
    try:
        for number, step in enumerate(case["steps"], 1):
            at = f"step {number} ({step['command']})"
            identity = filled(step["requestId"], known) if "requestId" in step else None
            expected = filled(step["expect"], known)
            try:
                data = surface.call(step["command"], filled(step["args"], known), step, identity)
            except AgentDeviceError as failed:
                assert "failed" in expected, f"{at}: {failed}"
                assert (why := misfit(expected["failed"], failure(failed), at)) is None, why
            else:
                assert "ok" in expected, f"{at}: should have failed, and answered {data}"
                assert (why := misfit(expected["ok"], data, at)) is None, why
                known.update(kept(step, data, known))
    finally:
        if not case.get("opened", True):
            surface.close()
