/** What must not compile, and what a result is known to be. Only the compiler reads this. */

import { AgentDeviceError, type AgentDeviceClient, type contract, createAgentDeviceClient, type ErrorCode, withResend } from "../src/index.js";

declare const device: AgentDeviceClient;

export async function known(): Promise<unknown[]> {
  const pressed: contract.PressResult = await device.interactions.press("id=a", { count: 2, settle: true, signal: AbortSignal.timeout(1) });
  const nodes: contract.NodeView[] = (await device.capture.snapshot()).nodes;
  const difference: contract.DiffLine[] = (await device.capture.snapshot({ diff: true })).lines;
  const matches: string[] = (await device.interactions.find("a", { action: "list" })).matches;
  const sessions: string[] = (await device.sessions.list()).sessions.map(({ name }) => name);
  const text: string = (await device.command.run("get", { format: "text", target: { kind: "ref", ref: "@e1" } })) && "";
  const many: number = (await withResend(() => device.replay.test("a"))).totals.passed;
  const events: AsyncIterable<contract.Event> = device.events();
  const code: ErrorCode | undefined = pressed instanceof AgentDeviceError ? pressed.code : undefined;
  await device.batch.run(["press @e1", { command: "press", args: { target: { kind: "point", x: 1, y: 2 } } }]);
  await device.interactions.drag("@e1", { x: 1, y: 2 }, { holdMs: 10 });
  return [nodes, difference, matches, sessions, text, many, events, code];
}

export async function refused(): Promise<void> {
  // @ts-expect-error: no such option
  createAgentDeviceClient({ sesion: "a" });
  // @ts-expect-error: a number is no target
  await device.interactions.press(5);
  // @ts-expect-error: the argument is called count
  await device.interactions.press("id=a", { cuont: 2 });
  // @ts-expect-error: `settle` is yes or no
  await device.interactions.press("id=a", { settle: 500 });
  // @ts-expect-error: no such command
  await device.command.run("frobnicate", {});
  // @ts-expect-error: a target is needed
  await device.command.run("press", {});
  // @ts-expect-error: a command without arguments takes none
  await device.command.run("home", { fast: true });
  // @ts-expect-error: no such direction
  await device.interactions.scroll("sideways");
  // @ts-expect-error: no such setting
  await device.settings.update({ setting: "wifi", on: "yes" });
  // @ts-expect-error: a text has no attributes
  (await device.interactions.get("text", "@e1")).node;
}
