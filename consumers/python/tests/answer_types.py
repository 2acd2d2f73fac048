"""What a type checker is to know of an answer: read by mypy in `check`, run by nobody."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing_extensions import assert_type

    from agent_device_client import AsyncClient, Client
    from agent_device_client.generated import (
        Attributes,
        Batched,
        ClipboardText,
        Difference,
        Filled,
        FoundList,
        GetFormat,
        Pressed,
        Screen,
        SessionList,
        Text,
        Waited,
    )

    def answers(device: Client, either: GetFormat) -> None:
        assert_type(device.press("@e1"), Pressed)
        assert_type(device.click((1, 2)), Pressed)
        assert_type(device.fill({"kind": "ref", "ref": "@e1"}, "x"), Filled)
        assert_type(device.snapshot(), Screen)
        assert_type(device.snapshot(diff=True), Difference)
        assert_type(device.get("text", "@e1"), Text)
        assert_type(device.get("attrs", "@e1"), Attributes)
        assert_type(device.get(either, "@e1"), Text | Attributes)
        assert_type(device.find("x"), Pressed)
        assert_type(device.find("x", "list"), FoundList)
        assert_type(device.wait("text", "x", timeout_ms=5), Waited)
        assert_type(device.clipboard("read"), ClipboardText)
        assert_type(device.session("list"), SessionList)
        assert_type(device.batch(["back"]), Batched)

    def mistakes(device: Client) -> None:
        device.press()  # type: ignore[call-arg]
        device.press("@e1", cuont=2)  # type: ignore[call-arg]
        device.scroll("sideways")  # type: ignore[arg-type]
        device.wait("text")  # type: ignore[call-overload]
        device.get("text", 5)  # type: ignore[call-overload]

    async def later(device: AsyncClient) -> None:
        assert_type(await device.press("@e1"), Pressed)
        assert_type(await device.get("text", "@e1"), Text)
