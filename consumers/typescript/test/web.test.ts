/** The client against real Chromium: a page with a form, a dialog in the way, an answer that takes a moment. */

import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

import type { AgentDeviceClient } from "../src/index.js";
import { failed } from "./support/double.js";
import { BROWSER, Scratch } from "./support/scratch.js";

const PAGE = `<!doctype html><html lang="en"><title>Order</title><h1>Order</h1>
<form id="form"><p><label>Name <input id="name" required></label></p>
<p><label>Size <select id="size"><option>Small</option><option>Large</option></select></label></p><p><button>Order</button></p></form>
<p role="status" id="answer"></p>
<p><label>Papers <input type="file" id="papers" multiple></label></p>
<button id="ask" onclick="this.textContent = confirm('Sure?') ? 'Yes' : 'No'">Ask</button>
<dialog id="cookies"><p>Cookies?</p><button id="no">No, thank you</button></dialog>
<script>
  const $ = (id) => document.getElementById(id);
  $("form").onsubmit = (event) => { event.preventDefault(); setTimeout(() => ($("answer").textContent = "Thank you, " + $("name").value), 600); };
  $("papers").onchange = () => ($("answer").textContent = [...$("papers").files].map((file) => file.name).join());
  $("no").onclick = () => $("cookies").close();
  $("cookies").showModal();
</script></html>`;

let scratch: Scratch;
let client: AgentDeviceClient;
beforeAll(async () => {
  if (!BROWSER) return;
  scratch = await Scratch.make();
  client = scratch.client({ session: "web", platform: "web" });
  await writeFile(path.join(scratch.folder, "order.html"), PAGE);
  await client.apps.open("order.html");
}, 90_000);
afterAll(() => scratch?.[Symbol.asyncDispose]());

test.skipIf(!BROWSER)("a form is filled and sent, after the dialog that covers it", async () => {
  const covered = await failed(client.interactions.press("role=button label=Order"));
  expect([covered.code, covered.dispatched, covered.reason]).toEqual(["ELEMENT_COVERED", "no", "covered"]);
  expect(covered.hint).toContain("id=no");
  await client.interactions.press("id=no");
  await client.interactions.fill("label=Name", "Ada");
  const wrong = await failed(client.interactions.fill("label=Size", "Medium"));
  expect([wrong.code, wrong.dispatched]).toEqual(["INVALID_ARGS", "no"]);
  await client.interactions.fill("label=Size", "Large");
  await client.interactions.press("role=button label=Order", { settle: true });
  await client.command.wait({ text: "Thank you, Ada" });
  expect(await client.interactions.getText("role=status")).toBe("Thank you, Ada");
});

test.skipIf(!BROWSER)("files, dialogs, windows and the viewport", async () => {
  await writeFile(path.join(scratch.folder, "a.txt"), "a");
  await client.interactions.upload("id=papers", "a.txt");
  await client.command.wait({ text: "a.txt" });
  await client.interactions.press("id=ask");
  const blocked = await failed(client.interactions.press("id=ask"));
  expect([blocked.code, blocked.dispatched]).toEqual(["ALERT_OPEN", "no"]);
  expect(await client.command.alert("get")).toMatchObject({});
  await client.command.alert("accept");
  await client.command.wait({ text: "Yes" });
  await client.command.viewport(500, 600);
  expect(await client.capture.snapshot()).toMatchObject({ viewport: { width: 500, height: 600 } });
  expect(await client.command.windows()).toMatchObject({ windows: [expect.objectContaining({})] });
});
