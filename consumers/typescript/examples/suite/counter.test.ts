/** A suite: each test has a session of its own, so they could run at the same time. */

import { AgentDeviceError, createAgentDeviceClient } from "agent-device-client";
import { expect, onTestFailed, test as base } from "vitest";

import { CounterPage } from "./counter.page.js";

/** A test with the demo app open in a session named after it, and a picture of the screen where it fails. */
const test = base.extend<{ device: ReturnType<typeof createAgentDeviceClient> }>({
  device: async ({ task }, use) => {
    await using device = createAgentDeviceClient({ session: task.id });
    await device.apps.open("demo");
    onTestFailed(async () => void (await device.capture.screenshot(`failed-${task.id}.png`)));
    await use(device);
  },
});

test("a counter counts", async ({ device }) => {
  const counter = await CounterPage.open(device);
  await counter.press();
  await counter.press(3);
  expect(await counter.pressed()).toBe(4);
});

test("a press waits for a button that comes late", async ({ device }) => {
  await device.interactions.press("label=Timing");
  await device.interactions.press("id=late");
  expect(await device.interactions.holds("exists", 'label="Late (1)"')).toBe(true);
});

test("what covers a button is named, and nothing was pressed", async ({ device }) => {
  await device.interactions.press("label=Dialogs");
  await device.command.wait({ stable: true });
  const covered = await device.interactions.press('label="Order prints"').catch((why: unknown) => why);
  expect(covered).toBeInstanceOf(AgentDeviceError);
  expect(covered).toMatchObject({ code: "ELEMENT_COVERED", dispatched: "no" });
});
