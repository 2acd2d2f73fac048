"""The cases that every surface runs (contracts/conformance), over MCP.

    python cases.py AGENT-DEVICE FOLDER-OF-CASES stage|web

A program that asks by `_meta` gets the data of every answer, chooses the id of its request, sets its limit, and is told
with its next answer what became of a call that it cancelled. A readiness wait is not for MCP.
"""

import asyncio
import json
import os
import pathlib
import sys
import uuid

from mcp import Client, StdioServerParameters, stdio_client

BINARY, FOLDER, PLACE = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), sys.argv[3]
LIMIT = 120
OFFERS = {"timeout", "cancel", "requestId", "anyCommand"}
ABSENT = object()


def differs(wanted, got, at="$"):
    """What does not fit, or nothing."""
    if isinstance(wanted, dict) and len(wanted) == 1 and next(iter(wanted)).startswith("$"):
        (kind, value), = wanted.items()
        if kind == "$absent":
            return None if got is ABSENT else f"{at}: {got!r} is there"
        if kind == "$without":
            return f"{at}: {value!r} stands in it" if contains(got, value) else None
        if got is ABSENT:
            return f"{at}: is not there"
        if kind == "$some":
            fits = isinstance(got, list) and any(differs(value, one) is None for one in got)
            return None if fits else f"{at}: none of {got!r} fits {value!r}"
        if kind == "$length":
            return None if isinstance(got, list) and len(got) == value else f"{at}: {got!r} has not {value} items"
        if kind == "$text":
            return None if isinstance(got, str) and value in got else f"{at}: {value!r} does not stand in {got!r}"
        if kind == "$atLeast":
            number = isinstance(got, (int, float)) and not isinstance(got, bool)
            return None if number and got >= value else f"{at}: {got!r} is not {value} or more"
        return f"{at}: {kind} is no pattern"
    if got is ABSENT:
        return f"{at}: is not there"
    if isinstance(wanted, dict):
        if not isinstance(got, dict):
            return f"{at}: {got!r} is no object"
        found = (differs(value, got.get(name, ABSENT), f"{at}.{name}") for name, value in wanted.items())
        return next((why for why in found if why), None)
    if isinstance(wanted, list):
        if not isinstance(got, list) or len(got) != len(wanted):
            return f"{at}: {got!r} is no list of {len(wanted)}"
        found = (differs(one, other, f"{at}[{n}]") for n, (one, other) in enumerate(zip(wanted, got)))
        return next((why for why in found if why), None)
    same = wanted == got and isinstance(wanted, bool) == isinstance(got, bool)
    return None if same else f"{at}: {got!r} is not {wanted!r}"


def contains(value, text):
    if isinstance(value, dict):
        return any(contains(one, text) for one in value.values())
    if isinstance(value, list):
        return any(contains(one, text) for one in value)
    return isinstance(value, str) and text in value


def put(value, names):
    """A value with its placeholders replaced."""
    if isinstance(value, dict):
        return {key: put(one, names) for key, one in value.items()}
    if isinstance(value, list):
        return [put(one, names) for one in value]
    if not isinstance(value, str):
        return value
    if value.startswith("${") and value.endswith("}") and value.count("${") == 1:
        return names[value[2:-1]]
    for name, one in names.items():
        value = value.replace("${" + name + "}", str(one))
    return value


class Surface:
    def __init__(self, client, tools):
        self.client, self.tools = client, tools

    async def run(self, step, session, names):
        """The data of an answer, or what a failure is compared with."""
        command, args = step["command"], put(step.get("args", {}), names)
        meta = {"agent-device/data": True}
        for name in ("requestId", "timeoutMs"):
            if name in step:
                meta[f"agent-device/{name}"] = put(step[name], names)
        beside = {"session": session, **({"device": step["device"]} if "device" in step else {})}
        if command in self.tools:
            call = self.client.call_tool(command, {**args, **beside}, meta=meta)
        else:
            call = self.client.call_tool("more", {"command": command, "args": {**args, **beside}}, meta=meta)
        if "cancelAfterMs" not in step:
            return outcome(await asyncio.wait_for(call, LIMIT))
        # The client of the protocol's authors cancels the request on the server when it is given up here.
        try:
            await asyncio.wait_for(call, step["cancelAfterMs"] / 1000)
            raise AssertionError("it was over before it was cancelled")
        except (TimeoutError, asyncio.TimeoutError):
            pass
        next_one = await asyncio.wait_for(
            self.client.call_tool("session", {"action": "list"}, meta={"agent-device/data": True}), LIMIT
        )
        (cancelled,) = (next_one.meta or {})["agent-device/cancelled"]
        return cancelled.get("data"), cancelled.get("error")


def outcome(result):
    if result.is_error:
        return None, result.structured_content["error"]
    return result.structured_content, None


def as_compared(error):
    details = error.get("details", {})
    seen = {name: error[name] for name in ("code", "message", "hint") if name in error}
    renamed = {"dispatched": "dispatched", "dispatchRow": "row", "dispatchedSteps": "dispatchedSteps"}
    return {**seen, "details": details, **{ours: details[theirs] for theirs, ours in renamed.items() if theirs in details}}


def kept(keep, data):
    if "in" not in keep:
        return data[keep["take"]]
    return next(one for one in data[keep["in"]] if differs(keep.get("where", {}), one) is None)[keep["take"]]


async def case(surface, case, app):
    own = case.get("opened", True) is False
    session = f"case-{uuid.uuid4().hex[:8]}" if own else "conformance"
    names = {"app": app, "platform": PLACE, "session": session, "folder": os.path.abspath("."), "unique": uuid.uuid4().hex}
    try:
        if not own:
            opening = {"command": "open", "args": {"app": app}}
            if (await surface.run(opening, session, names))[1]:
                await surface.run({"command": "close"}, session, names)
                data, error = await surface.run(opening, session, names)
                assert error is None, error
        for number, step in enumerate(case["steps"], 1):
            expect = put(step["expect"], names)
            data, error = await surface.run(step, session, names)
            if "ok" in expect:
                why = f"it failed: {error}" if error else differs(expect["ok"], data)
            else:
                why = differs(expect["failed"], as_compared(error)) if error else f"it worked: {data}"
            if why:
                return f"step {number} ({step['command']}): {why}"
            for name, keep in step.get("keep", {}).items():
                names[name] = kept(keep, data)
    finally:
        if own:
            await surface.run({"command": "close"}, session, names)
    return None


async def main():
    app = str(FOLDER / "app.toml") if PLACE == "stage" else (FOLDER / "app.html").as_uri()
    cases = [one for one in json.loads((FOLDER / "cases.json").read_text())["cases"] if PLACE in one.get("on", [PLACE])]
    params = StdioServerParameters(command=BINARY, args=["mcp", "--profile", "full", "--platform", PLACE])
    params.env = {name: os.environ[name] for name in ("PATH", "HOME", "AGENT_DEVICE_STATE_DIR") if name in os.environ}
    failed, ran, left_out = [], 0, []
    async with Client(stdio_client(params), mode="legacy") as client:
        surface = Surface(client, {tool.name for tool in (await client.list_tools()).tools})
        for one in cases:
            if not set(one.get("needs", [])) <= OFFERS:
                left_out.append(one["id"])
                continue
            ran += 1
            try:
                why = await case(surface, one, app)
            except Exception as broke:  # the others still run
                why = f"{type(broke).__name__}: {broke}"
            if why:
                failed.append(f"{one['id']}: {why}")
        await client.call_tool("close", {"session": "conformance"})
    print(f"note: {ran} cases on the {PLACE}, {len(failed)} failed; not for MCP: {', '.join(left_out) or 'none'}")
    for why in failed:
        print(why)
    sys.exit(1 if failed else 0)


asyncio.run(main())
