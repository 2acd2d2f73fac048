"""Commands on a page in real Chromium."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent_device_client import AgentDeviceError, AsyncClient, Client, observe_then_decide, with_resend

from .conftest import needs_chromium

pytestmark = pytest.mark.xdist_group("web")

PAGE = """<!doctype html><html lang="en"><title>Orders</title>
<h1>Orders</h1>
<p><label>Name <input id="name"></label></p>
<p><button id="order">Order</button></p>
<p role="status" id="said">0 orders</p>
<div id="veil" style="position:fixed;inset:0;background:#0008" role="dialog" aria-label="Veil"></div>
<script>
  let orders = 0;
  const $ = (id) => document.getElementById(id);
  $("order").onclick = () => { orders += 1; $("said").textContent = `${orders} orders`; };
  window.unveil = () => setTimeout(() => $("veil").remove(), 700);
  $("veil").onclick = window.unveil;
</script></html>
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the page."""
    needs_chromium()
    folder = tmp_path_factory.mktemp("page")
    (folder / "orders.html").write_text(PAGE)
    return folder


@pytest.fixture(scope="module")
def browser(folder: Path) -> Iterator[Client]:
    """A browser with the page."""
    with Client("t-web", platform="web", cwd=folder, timeout_ms=90_000) as client:
        client.open("orders.html")
        yield client


@pytest.fixture
def page(browser: Client) -> Client:
    """The page, loaded anew."""
    browser.open("orders.html", relaunch=True)
    return browser


def test_a_press_that_is_covered_is_sent_again_once_it_is_not(page: Client) -> None:
    with pytest.raises(AgentDeviceError) as failed:
        page.press("id=order")
    assert (failed.value.code, failed.value.dispatched) == ("ELEMENT_COVERED", "no")
    page.press("id=veil")
    with_resend(lambda: page.press("id=order"), attempts=50, pause=0.1)
    assert page.get("text", "id=said")["text"] == "1 orders"


def test_a_field_is_filled_and_read_back(page: Client) -> None:
    page.press("id=veil")
    page.wait("absent", "id=veil")
    page.fill("id=name", "Zoë 🙂")
    assert page.get("text", "id=name")["text"] == "Zoë 🙂"
    shot = page.screenshot("shot.png", overlay_refs=True)
    assert Path(shot["path"]).read_bytes().startswith(b"\x89PNG")


def test_an_action_nobody_can_tell_of_is_looked_for_and_not_repeated(page: Client) -> None:
    page.press("id=veil")
    page.wait("absent", "id=veil")

    def order() -> object:
        # The order lands, and what comes after it in the same request fails.
        return page.batch(["press id=order", "press id=nothing"])

    seen = observe_then_decide(
        order,
        look=lambda: page.get("text", "id=said"),
        decide=lambda said: "landed" if said["text"] == "1 orders" else "resend",
    )
    assert seen == page.get("text", "id=said") and page.is_("exists", 'label="1 orders"')["pass"] is True


def test_asyncio_drives_the_same_browser(page: Client) -> None:
    async def work() -> str:
        client = AsyncClient(page.session_name)
        await client.press("id=veil")
        await client.wait("absent", "id=veil")
        await client.press("id=order", count=3)
        return str((await client.get("text", "id=said"))["text"])

    assert asyncio.run(work()) == "3 orders"
