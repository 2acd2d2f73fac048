/** The client against the real program and the simulated phone. */

import { existsSync } from "node:fs";
import { readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { type AgentDeviceClient, AgentDeviceError, observeThenDecide, type TimelineEvent, withResend } from "../src/index.js";
import { sessionOf } from "../src/state-dir.js";
import { failed } from "./support/double.js";
import { Scratch } from "./support/scratch.js";

let scratch: Scratch;
let client: AgentDeviceClient;
beforeAll(async () => {
  scratch = await Scratch.make();
  client = scratch.client({ session: "main" });
});
afterAll(() => scratch[Symbol.asyncDispose]());

const taps = async () => Number(/\d+/.exec(await client.interactions.getText("id=taps"))?.[0]);
const at = (file: string) => path.join(scratch.folder, file);

/** A phone whose one button counts; the second press happens and its answer is lost, with the phone's memory of it. */
const SHOP = `
app = "shop"
title = "Shop"
start = "home"
[[screen]]
id = "home"
title = "Shop"
[[screen.element]]
role = "heading"
id = "orders"
label = "Ordered {orders} times"
[[screen.element]]
role = "button"
id = "order"
label = "Order"
on_press = [{ count = "orders" }]
[[fault]]
on = "press"
kind = "restart-after-effect"
nth = 2
[[fault]]
on = "press"
kind = "refuse"
nth = 3
`;

describe("the demo app", () => {
  beforeAll(async () => {
    // The first call starts the daemon.
    await client.apps.open("demo");
  });

  test("is read, pressed by ref, selector and point, and asked", async () => {
    const snapshot = await client.capture.snapshot({ interactiveOnly: true });
    const counter = snapshot.nodes.find((node) => node.label === "Counter");
    expect(await client.interactions.press(`@${counter?.ref}`)).toMatchObject({ targetKind: "ref" });
    const pressed = await client.interactions.click({ selector: "id=tap" });
    await client.interactions.press({ x: pressed.x, y: pressed.y });
    await client.interactions.press(`${pressed.x} ${pressed.y}`, { count: 2, intervalMs: 10 });
    expect(await client.interactions.getText("id=taps")).toBe("Pressed 4 times");
    expect(await client.interactions.is("exists", 'label="Pressed 4 times"')).toMatchObject({ pass: true });
    expect(await client.interactions.holds("exists", "label=Nothing")).toBe(false);
    expect(await client.interactions.find("Press me", { action: "list" })).toMatchObject({ matches: expect.arrayContaining([expect.stringContaining("Press me")]) });
    expect(await client.capture.diff()).toMatchObject({});
    expect(await client.command.back({ settle: true })).toBeTypeOf("object");
  });

  test("a press waits for a target that comes late, and presses once", async () => {
    await client.interactions.press("label=Timing");
    const pressed = await client.interactions.press("id=late");
    expect(pressed.readiness?.polls).toBeGreaterThan(1);
    await client.command.wait({ text: "Late (1)" });
    await client.command.back();
  });

  test("one look, where the client or the call says so", async () => {
    const began = performance.now();
    const why = await failed(client.interactions.press("label=Nothing", { readinessTimeoutMs: 0 }));
    expect([why.code, why.dispatched, why.reason]).toEqual(["ELEMENT_NOT_FOUND", "no", "selector_not_found"]);
    expect(why.details["readiness"]).toBeUndefined();
    const waited = await failed(client.interactions.press("label=Nothing", { readinessTimeoutMs: 400 }));
    expect(waited.details["readiness"]).toMatchObject({ end: "expired" });
    expect(performance.now() - began).toBeLessThan(10_000);
  });

  test("waits: for a time, an element, a text, an absence, quiet", async () => {
    expect(await client.command.wait(10)).toMatchObject({ waitedMs: expect.any(Number) });
    await client.command.wait("label=Counter");
    await client.command.wait({ text: "Counter" });
    await client.command.wait({ absent: "label=Nothing" });
    await client.command.wait({ stable: true, quietMs: 50 });
    const why = await failed(client.command.wait("label=Nothing", { timeoutMs: 50 }));
    expect([why.code, why.dispatched]).toEqual(["WAIT_TIMEOUT", "no"]);
    expect(() => client.command.wait({ x: 1, y: 2 })).toThrow("a point cannot be waited for");
  });

  test("a batch that fails in the middle says how much was sent", async () => {
    await client.interactions.press("label=Counter");
    const why = await failed(client.batch.run(["press id=tap", { command: "press", args: { target: { kind: "selector", selector: "id=no" } } }, "press id=tap"]));
    expect([why.code, why.dispatched, why.dispatchedSteps, why.details["step"]]).toEqual(["ELEMENT_NOT_FOUND", "unknown", 1, 2]);
    await client.command.back();
  });

  test("pictures, traces and films go where the caller says, relative to its folder", async () => {
    const shot = await client.capture.screenshot("shot.png");
    expect(shot.path).toBe(at("shot.png"));
    expect((await readFile(at("shot.png"))).subarray(1, 4).toString()).toBe("PNG");
    await client.recording.trace.start();
    await client.interactions.press("label=Counter");
    const trace = await client.recording.trace.stop("trace.html");
    expect(trace).toMatchObject({ entries: 1, page: at("trace.html") });
    expect((await stat(at("trace.html"))).size).toBeGreaterThan(1000);
    const why = await failed(client.capture.screenshot("no/shot.png"));
    expect([why.code, why.dispatched]).toEqual(["STORAGE_FAILED", "no"]);
    await client.command.back();
  });

  test("a wrong call is refused with what is wrong, and nothing is sent", async () => {
    for (const [name, args] of [["no-such", {}], ["press", { tarket: 1 }], ["press", {}], ["press", { target: { kind: "ref", ref: "@x" } }]] as const) {
      const why = await failed(client.command.run(name as "press", args as never));
      expect([why.code, why.dispatched]).toEqual(["INVALID_ARGS", "no"]);
    }
  });

  test("the same request id is answered, not run again", async () => {
    await client.interactions.press("label=Counter");
    const before = await taps();
    const requestId = `once-${Date.now()}`;
    const answers = await Promise.all([1, 2, 3].map(() => client.interactions.press("id=tap", { requestId })));
    expect(answers[1]).toEqual(answers[0]);
    expect(await taps()).toBe(before + 1);
    await client.command.back();
  });

  test("an aborted wait ends at once, and says that nothing was sent", async () => {
    const began = performance.now();
    const why = await failed(client.command.wait(20_000, { signal: AbortSignal.timeout(50) }));
    expect([why.code, why.dispatched]).toEqual(["CANCELLED", "no"]);
    expect((why.cause as Error).name).toBe("TimeoutError");
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  test("an aborted series joins the press under way, and says how many there were", async () => {
    await client.interactions.press("label=Counter");
    const before = await taps();
    const signal = AbortSignal.timeout(250);
    const why = await failed(client.interactions.press("id=tap", { count: 200, intervalMs: 50, signal }));
    expect([why.code, why.dispatched]).toEqual(["CANCELLED", "unknown"]);
    const done = (await taps()) - before;
    expect(why.dispatchedSteps).toBe(done);
    expect(done).toBeLessThan(200);
    await client.command.back();
  });

  test("devices, capabilities, sessions and the state folder", async () => {
    expect(await client.devices.list()).toMatchObject({ devices: expect.arrayContaining([expect.objectContaining({ id: "stage", platform: "stage" })]) });
    expect(await client.devices.capabilities()).toBeTypeOf("object");
    expect(await client.sessions.list()).toMatchObject({ sessions: [expect.objectContaining({ name: "main" })] });
    expect(await client.sessions.stateDir()).toBe(scratch.folder);
    const unable = await failed(client.command.clipboard.read());
    expect([unable.code, unable.dispatched]).toEqual(["UNSUPPORTED_OPERATION", "no"]);
  });
});

describe("a failure that may have reached the device", () => {
  test("is not sent again; a look decides", async () => {
    await writeFile(at("shop.toml"), SHOP);
    await using shop = scratch.client({ session: "shop" });
    await shop.apps.open("shop.toml");
    const order = () => shop.interactions.press("label=Order");
    const orders = async () => Number(/\d+/.exec(await shop.interactions.getText("id=orders"))?.[0]);
    await order();
    let tries = 0;
    const lost = await failed(withResend(() => (tries++, order())));
    expect([lost.dispatched, tries, await orders()]).toEqual(["unknown", 1, 2]);
    // The third is refused before it happens: that may be sent again.
    let again = 0;
    await withResend(() => (again++, order()), { pauseMs: 1, when: (failure) => failure.code === "COMMAND_FAILED" });
    expect([again, await orders()]).toEqual([2, 3]);
  });

  test("observeThenDecide finds out that it happened", async () => {
    await using shop = scratch.client({ session: "shop-2" });
    await shop.apps.open("shop.toml");
    const orders = async () => Number(/\d+/.exec(await shop.interactions.getText("id=orders"))?.[0]);
    await shop.interactions.press("label=Order");
    let before = await orders();
    const outcome = await observeThenDecide<unknown, number>(() => shop.interactions.press("label=Order"), {
      look: orders,
      decide: (now) => (now > before ? { done: "it had happened" } : "again"),
    });
    expect([outcome, await orders()]).toEqual(["it had happened", 2]);
    before = await orders();
  });
});

describe("the session", () => {
  test("of a folder is the program's of that folder, and `await using` closes it", async () => {
    let name: string;
    {
      await using own = scratch.client();
      name = (await own.apps.open("demo")).session;
      // The program has to be told the name that the daemon gives.
      expect(sessionOf(scratch.folder)).toBe(name);
      const listed = await client.sessions.list();
      expect(listed.sessions.map((session) => session.name)).toContain(name);
    }
    const listed = await client.sessions.list();
    expect(listed.sessions.map((session) => session.name)).not.toContain(name);
    // Nothing is open: to dispose is to do nothing.
    await scratch.client({ session: "never" })[Symbol.asyncDispose]();
  });

  test("gives its events as they come, and ends with them", async () => {
    const own = scratch.client({ session: "seen" });
    await own.apps.open("demo");
    const seen: TimelineEvent[] = [];
    const reading = (async () => {
      for await (const event of own.events({ pollMs: 20 })) seen.push(event);
    })();
    await own.interactions.press("label=Counter");
    await failed(own.interactions.press("id=nothing", { readinessTimeoutMs: 0 }));
    await own.close();
    await reading;
    expect(seen.map((event) => event.command)).toEqual(["open", "press", "press", "close"]);
    expect(seen[2]).toMatchObject({ ok: false, code: "ELEMENT_NOT_FOUND", dispatched: "no" });
    // One that is not open any more has what was kept, and ends.
    const kept: TimelineEvent[] = [];
    for await (const event of own.events({ cursor: 2 })) kept.push(event);
    expect(kept).toEqual(seen.slice(2));
  });

  test("events end with the loop, the signal, or a session that somebody else closed", async () => {
    const own = scratch.client({ session: "ended" });
    await own.apps.open("demo");
    for await (const event of own.events()) {
      expect(event).toMatchObject({ command: "open" });
      break;
    }
    const signal = AbortSignal.timeout(100);
    for await (const _ of own.events({ pollMs: 10, signal })) void _;
    expect(signal.aborted).toBe(true);
    const reading = (async () => {
      for await (const _ of own.events({ pollMs: 10 })) void _;
    })();
    await client.sessions.close({ session: "ended" });
    await reading;
  });

  test("many calls at once on one client are answered each", async () => {
    // More than a daemon takes connections.
    const answers = await Promise.all(Array.from({ length: 400 }, () => client.sessions.list()));
    expect(answers).toHaveLength(400);
    // One that waits for its turn can be ended.
    const long = AbortSignal.timeout(300);
    const waits = Array.from({ length: 70 }, () => failed(client.command.wait(20_000, { session: "none", signal: long })));
    const waiting = await failed(client.sessions.list({ signal: AbortSignal.abort() }));
    expect([waiting.code, waiting.dispatched]).toEqual(["CANCELLED", "no"]);
    for (const why of await Promise.all(waits)) expect(why.dispatched).toBe("no");
  });
});

describe("scripts", () => {
  test("replay runs one, and says where it differs", async () => {
    await writeFile(at("a.ad"), 'open demo\npress "label=Counter"\npress "id=tap"\nclose\n');
    await writeFile(at("b.ad"), 'open demo\npress "label=Nothing"\nclose\n');
    const scripts = scratch.client({ session: "scripts" });
    const done = await scripts.replay.run("a.ad", { trace: "a.html" });
    expect(done).toMatchObject({ replayed: 4, sessionActive: false, file: "a.ad", trace: at("a.html") });
    expect(done.steps.map((step) => step.status)).toEqual(["passed", "passed", "passed", "passed"]);
    expect(existsSync(at("a.html"))).toBe(true);
    const why = await failed(scripts.replay.run("b.ad"));
    expect(why).toBeInstanceOf(AgentDeviceError);
    expect([why.code, why.dispatched, why.reason]).toEqual(["REPLAY_DIVERGENCE", "unknown", "replay_divergence"]);
    expect((await failed(scripts.replay.run("none.ad"))).dispatched).toBe("no");
    await scripts.close();
  });

  test("test runs a suite and reports, also what failed", async () => {
    const report = await client.replay.test(["a.ad", "b.ad"], { trace: "never", artifactsDir: "results", junit: "junit.xml" });
    expect(report.totals).toMatchObject({ flows: 2, passed: 1, failed: 1 });
    expect(report.flows.map((flow) => [flow.name, flow.outcome])).toEqual([["a", "passed"], ["b", "failed"]]);
    expect(await readFile(at("junit.xml"), "utf8")).toContain("<testsuite");
  });

  test("a script that is aborted ends, and says what had been sent", async () => {
    await writeFile(at("long.ad"), 'open demo\npress "label=Counter"\nwait 20000\nclose\n');
    const scripts = scratch.client({ session: "long" });
    const controller = new AbortController();
    const running = failed(scripts.replay.run("long.ad", { signal: controller.signal }));
    for await (const event of waitingFor(scripts, "press")) if (event.command === "press") break;
    controller.abort();
    const why = await running;
    expect(why.dispatched).toBe("unknown");
    expect(why.dispatchedSteps).toBeGreaterThan(0);
    await scripts.close();
  });
});

/** Events of a session that may not be open yet. */
async function* waitingFor(scripts: AgentDeviceClient, command: string): AsyncGenerator<TimelineEvent> {
  for (let look = 0; look < 500; look++) {
    const page = await scripts.observability.events();
    yield* page.events;
    if (page.events.some((event) => event.command === command)) return;
    await client.command.wait(20);
  }
  throw new Error(`no ${command} came`);
}
