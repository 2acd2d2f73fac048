"""What the Python client of the protocol's authors makes of the server: over pipes, and over HTTP with a token.

    python client.py AGENT-DEVICE
"""

import asyncio
import contextlib
import os
import pathlib
import sys
import tempfile

import httpx2
from mcp import Client, MCPError, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

BINARY = sys.argv[1]
LIMIT = 60


def text(result):
    return "\n".join(block.text for block in result.content if block.type == "text")


async def used(client, versions):
    """The loop of an agent, and the ways in which it fails."""
    assert client.protocol_version in versions, client.protocol_version
    assert "Dispatched" in client.instructions
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert len(tools) == 17, sorted(tools)
    assert tools["snapshot"].annotations.read_only_hint and tools["press"].annotations.destructive_hint

    assert text(await client.call_tool("open", {"app": "demo"})).startswith("Opened demo")
    screen = text(await client.call_tool("snapshot", {}))
    ref = next(line.split(" ")[0] for line in screen.splitlines() if '"Counter"' in line)
    assert text(await client.call_tool("press", {"target": ref})).startswith("Pressed")
    settled = await client.call_tool("press", {"target": {"selector": 'label="Press me"'}, "settle": True})
    assert '"Pressed 1 times"' in text(settled), settled
    held = await client.call_tool("is", {"predicate": "exists", "target": 'label="Pressed 1 times"'})
    assert held.structured_content["pass"] is True

    absent = await client.call_tool("press", {"target": "id=none"})
    assert absent.is_error and text(absent).splitlines()[1] == "Dispatched: no"
    assert absent.structured_content["error"]["details"]["dispatched"] == "no"
    try:
        await client.call_tool("prss", {})
        raise AssertionError("a tool that is not there was called")
    except MCPError as why:
        assert "did you mean press?" in str(why), why

    shot = await client.call_tool("screenshot", {})
    assert [block.mime_type for block in shot.content if block.type == "image"] == ["image/png"]
    progress = []

    async def told(done, total, message):
        progress.append((done, message))

    waited = await client.call_tool("wait", {"durationMs": 3500}, progress_callback=told)
    assert not waited.is_error and progress and "still running" in progress[0][1], progress

    # A call that its client gives up is ended on the server: the next one does not wait for it.
    with contextlib.suppress(TimeoutError, asyncio.TimeoutError, MCPError):
        await asyncio.wait_for(client.call_tool("wait", {"durationMs": 55_000}), 1)
    began = asyncio.get_running_loop().time()
    await client.call_tool("snapshot", {})
    assert asyncio.get_running_loop().time() - began < 20, "the call that was given up still ran"

    timeline = await client.read_resource("agent-device://timeline")
    assert "Opened demo" in timeline.contents[0].text
    assert text(await client.call_tool("close", {})).startswith("Closed session")


def server(*words):
    """The server on pipes. The client would start it with a bare environment."""
    kept = ("PATH", "HOME", "AGENT_DEVICE_STATE_DIR")
    environment = {name: os.environ[name] for name in kept if name in os.environ}
    return StdioServerParameters(command=BINARY, args=["mcp", *words], env=environment)


async def over_pipes(mode, versions):
    async with Client(stdio_client(server("--session", f"pipes-{mode}")), mode=mode) as client:
        await used(client, versions)


async def over_http(mode, versions):
    folder = tempfile.mkdtemp(dir=".")
    file = pathlib.Path(folder, "token")
    server = await asyncio.create_subprocess_exec(
        BINARY, "mcp", "--http", "127.0.0.1:0", "--token-file", str(file), "--session", f"http-{mode}",
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        url = (await asyncio.wait_for(server.stdout.readline(), LIMIT)).decode().strip()
        bearer = {"Authorization": f"Bearer {file.read_text().strip()}"}
        async with httpx2.AsyncClient(headers=bearer, timeout=LIMIT) as http:
            async with Client(streamable_http_client(url, http_client=http), mode=mode) as client:
                await used(client, versions)
        async with httpx2.AsyncClient() as http:
            assert (await http.post(url, json={})).status_code == 401
    finally:
        server.terminate()
        await asyncio.wait_for(server.wait(), LIMIT)
    assert server.returncode == 0, server.returncode


async def typed():
    """A program is told of every answer: this client holds each against the schema that the tool came with."""
    async with Client(stdio_client(server("--profile", "typed", "--session", "typed"))) as client:
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools if not tool.output_schema] == ["more"], "a tool without a schema"
        said = {}
        for name, arguments in [
            ("devices", {}),
            ("open", {"app": "demo"}),
            ("snapshot", {}),
            ("press", {"target": "label=Counter"}),
            ("press", {"target": "id=tap", "count": 2, "settle": True}),
            ("get", {"format": "text", "target": "id=taps"}),
            ("is", {"predicate": "exists", "target": "id=tap"}),
            ("find", {"query": "Press me", "action": "list"}),
            ("diff", {"kind": "snapshot"}),
            ("batch", {"steps": ["press id=tap", "get text id=taps"]}),
            ("events", {}),
            ("session", {"action": "list"}),
            ("close", {}),
        ]:
            result = await client.call_tool(name, arguments)
            assert not result.is_error and result.structured_content is not None, (name, result)
            said[name] = result.structured_content
        assert said["get"]["text"] == "Pressed 2 times" and said["batch"]["completed"] == 2, said
        refused = await client.call_tool("press", {"target": "id=none"})
        assert refused.is_error and refused.structured_content["error"]["details"]["dispatched"] == "no"


async def main():
    await asyncio.wait_for(typed(), LIMIT)
    for mode, versions in [("legacy", {"2025-11-25"}), ("auto", {"2025-11-25", "2026-07-28"})]:
        await asyncio.wait_for(over_pipes(mode, versions), 2 * LIMIT)
        await asyncio.wait_for(over_http(mode, versions), 2 * LIMIT)


asyncio.run(main())
