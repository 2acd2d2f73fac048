/**
 * The same press on the same page, through the same real chromedriver, with the same accident: the browser has clicked, and the
 * reply is lost on its way back. WebdriverIO makes the request again, and the page is paid twice. agent-device says that it may
 * have happened; a look decides.
 */

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { AgentDeviceError, createAgentDeviceClient, observeThenDecide, withResend } from "agent-device-client";
import { remote } from "webdriverio";
import { afterAll, beforeAll, expect, test } from "vitest";

import { Chromedriver } from "./chromedriver.js";
import { CuttingProxy } from "./cutting-proxy.js";

const PAGE = `<!doctype html><html lang="en"><title>Shop</title>
<button id="pay" onclick="paid.textContent = Number(paid.textContent) + 1">Pay</button><p>Paid <output id="paid">0</output> times</p></html>`;

const BROWSER = !process.env["AGENT_DEVICE_TEST_WITHOUT_BROWSER"];

let folder: string;
let driver: Chromedriver;
let proxy: CuttingProxy;
let page: string;
beforeAll(async () => {
  if (!BROWSER) return;
  folder = await mkdtemp(path.join(tmpdir(), "ade-page-"));
  const file = path.join(folder, "shop.html");
  await writeFile(file, PAGE);
  page = pathToFileURL(file).href;
  driver = await Chromedriver.start();
  proxy = await CuttingProxy.before(driver.port);
});
afterAll(async () => {
  await proxy?.[Symbol.asyncDispose]();
  await driver?.[Symbol.asyncDispose]();
  if (folder) await rm(folder, { recursive: true, force: true });
});

test.skipIf(!BROWSER)("WebdriverIO: the click is made twice, and called a success", async () => {
  const browser = await remote({
    hostname: "127.0.0.1",
    port: proxy.port,
    path: "/",
    logLevel: "silent",
    capabilities: {
      browserName: "chrome",
      "wdio:enforceWebDriverClassic": true,
      "goog:chromeOptions": { args: ["--headless=new", "--no-sandbox"] },
    },
  });
  try {
    await browser.url(page);
    proxy.cuts = 1;
    await browser.$("#pay").click();
    expect(await browser.$("#paid").getText()).toBe("2");
  } finally {
    proxy.cuts = 0;
    await browser.deleteSession();
  }
});

test.skipIf(!BROWSER)("agent-device: the press is made once, and its failure says that it may have happened", async () => {
  await using client = createAgentDeviceClient({ session: "shop", platform: "web" });
  await client.apps.open(page, { driverUrl: `http://127.0.0.1:${proxy.port}` });
  const paid = () => client.interactions.getText("id=paid");

  proxy.cuts = 1;
  let tries = 0;
  const lost = await withResend(() => (tries++, client.interactions.press("id=pay"))).catch((why: unknown) => why);
  expect(lost).toBeInstanceOf(AgentDeviceError);
  expect((lost as AgentDeviceError).dispatched).toBe("unknown");
  expect([tries, await paid()]).toEqual([1, "1"]);

  // The way to go on: look, then decide.
  proxy.cuts = 1;
  const outcome = await observeThenDecide<unknown, string>(() => client.interactions.press("id=pay"), {
    look: paid,
    decide: (seen) => (seen === "2" ? { done: "it had happened" } : "again"),
  });
  expect([outcome, await paid()]).toEqual(["it had happened", "2"]);
});
