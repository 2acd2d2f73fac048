/** What is written short and sent whole: targets, options, paths; and what is known of a call beforehand. */

import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { AgentDeviceError, COMMANDS, createAgentDeviceClient, observeThenDecide, withResend, type CommandName } from "../src/index.js";
import { effectOf, limitOf } from "../src/effects.js";
import { refused } from "../src/errors.js";
import { settle } from "../src/options.js";
import { resolvePaths } from "../src/paths.js";
import { findProgram } from "../src/program.js";
import { socketPath, stateDir, strangers } from "../src/state-dir.js";
import { target, targetText } from "../src/targets.js";
import { Turns } from "../src/turns.js";
import { failed } from "./support/double.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "adu-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("a target", () => {
  test.each([
    ["@e5", { kind: "ref", ref: "@e5" }],
    ["@e5~s3", { kind: "ref", ref: "@e5~s3" }],
    ["10 20.5", { kind: "point", x: 10, y: 20.5 }],
    [" -1, 2 ", { kind: "point", x: -1, y: 2 }],
    ["10", { kind: "selector", selector: "10" }],
    ['label="Save" role=button', { kind: "selector", selector: 'label="Save" role=button' }],
    [{ ref: "e5" }, { kind: "ref", ref: "e5" }],
    [{ selector: "id=a" }, { kind: "selector", selector: "id=a" }],
    [{ x: 1, y: 2 }, { kind: "point", x: 1, y: 2 }],
    [{ kind: "point", x: 1, y: 2 } as const, { kind: "point", x: 1, y: 2 }],
  ])("%j", (short, whole) => {
    expect(target(short)).toEqual(whole);
  });

  test("that is nothing is refused, and so is a point where a name is needed", () => {
    expect(() => target(" ")).toThrow(AgentDeviceError);
    expect(() => target(undefined as unknown as string)).toThrow("no target");
    expect(() => targetText("1 2")).toThrow("a point cannot be used here");
    expect(targetText({ ref: "e5" })).toBe("@e5");
  });
});

describe("options", () => {
  test("come from the call, else from the environment", () => {
    const environment = { AGENT_DEVICE_SESSION: "env", AGENT_DEVICE_PLATFORM: "web", AGENT_DEVICE_STATE_DIR: "/s", AGENT_DEVICE_URL: "" };
    expect(settle({}, environment)).toMatchObject({ session: "env", platform: "web", stateDir: "/s", url: undefined, readinessTimeoutMs: 2000 });
    expect(settle({ session: "own", platform: "stage", readinessTimeoutMs: 0 }, environment)).toMatchObject({ session: "own", platform: "stage", readinessTimeoutMs: 0 });
  });

  test.each([
    [{ platfrom: "web" }, "no option"],
    [{ platform: "ios" }, "no platform"],
    [{ timeoutMs: -1 }, "whole number"],
    [{ readinessTimeoutMs: 1.5 }, "whole number"],
  ])("that do not fit are refused: %j", (options, message) => {
    const make = () => createAgentDeviceClient(options as never);
    expect(make).toThrow(message);
    expect(make).toThrow(expect.objectContaining({ code: "INVALID_ARGS", dispatched: "no", row: "client.usage" }) as Error);
  });

  test("the workspace is the worktree around the folder", async () => {
    await mkdir(path.join(folder, "tree/.git"), { recursive: true });
    await mkdir(path.join(folder, "tree/a/b"), { recursive: true });
    expect(settle({ folder: path.join(folder, "tree/a/b") }, {}).workspace).toBe(path.join(folder, "tree"));
    expect(settle({ folder: path.join(folder, "tree/a/b"), workspace: "/w" }, {}).workspace).toBe("/w");
  });
});

describe("paths", () => {
  test.each<[CommandName, Record<string, unknown>, Record<string, unknown>]>([
    ["open", { app: "demo" }, { app: "demo" }],
    ["open", { app: "http://a.test/x.html" }, { app: "http://a.test/x.html" }],
    ["open", { app: "example.org/a.html" }, { app: "example.org/a.html" }],
    ["open", { app: "no.toml" }, { app: "FOLDER/no.toml" }],
    ["open", { app: "a b.html" }, { app: "file://FOLDER/a%20b.html" }],
    ["open", { app: "app.apk" }, { app: "FOLDER/app.apk" }],
    ["open", { saveScript: "" }, { saveScript: "FOLDER" }],
    ["open", { capabilities: "@caps.json" }, { capabilities: { a: 1 } }],
    ["upload", { files: ["x", "/y"] }, { files: ["FOLDER/x", "/y"] }],
    ["push", { path: "../x", to: "/sdcard" }, { path: "PARENT/x", to: "/sdcard" }],
    ["pull", { from: "/sdcard/a.txt" }, { from: "/sdcard/a.txt", path: "FOLDER/a.txt" }],
    ["pull", { from: "/sdcard/a.txt", path: "sub" }, { from: "/sdcard/a.txt", path: "FOLDER/sub/a.txt" }],
    ["screenshot", { out: "s.png", fullscreen: true }, { out: "FOLDER/s.png", fullscreen: true }],
    ["record", { action: "stop" }, { action: "stop" }],
    ["batch", { steps: ["back", { command: "screenshot", args: { path: "b.png" } }, { command: "home" }] }, { steps: ["back", { command: "screenshot", args: { out: "FOLDER/b.png" } }, { command: "home", args: {} }] }],
    ["press", { target: 1 }, { target: 1 }],
  ])("%s %j", async (command, given, expected) => {
    await writeFile(path.join(folder, "a b.html"), "");
    await writeFile(path.join(folder, "app.apk"), "");
    await writeFile(path.join(folder, "caps.json"), '{"a":1}');
    await mkdir(path.join(folder, "sub"), { recursive: true });
    const text = JSON.stringify(expected).replaceAll("FOLDER", folder).replaceAll("PARENT", path.dirname(folder));
    expect(await resolvePaths(command, given, folder)).toEqual(JSON.parse(text));
  });

  test.each<[CommandName, Record<string, unknown>, string, string]>([
    ["open", { app: "./no.html" }, "INVALID_ARGS", "client.usage"],
    ["open", { capabilities: "@no.json" }, "INVALID_ARGS", "client.usage"],
    ["open", { capabilities: "{" }, "INVALID_ARGS", "client.usage"],
    ["screenshot", { out: "no/s.png" }, "STORAGE_FAILED", "client.output-unwritable"],
    ["screenshot", { out: "." }, "STORAGE_FAILED", "client.output-unwritable"],
    ["record", { action: "start", path: "no/f.mp4" }, "STORAGE_FAILED", "client.output-unwritable"],
  ])("%s %j is refused before anything is sent", async (command, given, code, row) => {
    const why = await failed(resolvePaths(command, given, folder));
    expect([why.code, why.dispatched, why.row]).toEqual([code, "no", row]);
  });
});

describe("the state folder", () => {
  test("is the given one, that of the environment, or the platform's", () => {
    expect(stateDir("/a", { AGENT_DEVICE_STATE_DIR: "/b" })).toBe("/a");
    expect(stateDir(undefined, { AGENT_DEVICE_STATE_DIR: "/b", XDG_STATE_HOME: "/x" })).toBe("/b");
    expect(stateDir(undefined, { XDG_STATE_HOME: "/x" })).toBe("/x/agent-device");
    expect(stateDir(undefined, { XDG_STATE_HOME: "x", HOME: "/h" })).toMatch(/^\/h\/.+\/agent-device$/);
  });

  test("whose path is too long for a socket has it elsewhere", () => {
    expect(socketPath("/s")).toBe("/s/daemon.sock");
    expect(socketPath(`/${"x".repeat(150)}`)).toMatch(/^\/tmp\/agent-device-\d+\/[0-9a-f]{16}\.sock$/);
  });

  test("that others can reach is narrowed, and one that leads elsewhere is not trusted", async () => {
    const open = path.join(folder, "open");
    await mkdir(open);
    await chmod(open, 0o777);
    expect(await strangers(open)).toBeUndefined();
    await symlink("/proc/1", path.join(folder, "link"));
    const me = process.geteuid?.();
    if (me !== 0) expect(await strangers("/")).toContain("another user");
    await expect(strangers(path.join(folder, "nothing"))).rejects.toThrow("ENOENT");
  });
});

describe("what a call does at most", () => {
  test.each<[string, Record<string, unknown>, string]>([
    ["press", {}, "mutates"],
    ["snapshot", {}, "observes"],
    ["boot", {}, "manages"],
    ["find", {}, "mutates"],
    ["find", { action: "getText" }, "observes"],
    ["alert", { action: "accept" }, "mutates"],
    ["alert", { action: "wait" }, "observes"],
    ["windows", {}, "observes"],
    ["windows", { close: 1 }, "mutates"],
    ["keyboard", { action: "status" }, "observes"],
    ["clipboard", { action: "write", text: "" }, "mutates"],
    ["session", { action: "save-script" }, "manages"],
    ["batch", { steps: [{ command: "get", args: {} }, { command: "find", args: { action: "list" } }] }, "observes"],
    ["batch", { steps: [{ command: "get" }, "get text id=a"] }, "mutates"],
    ["batch", { steps: [] }, "mutates"],
    ["no-such-command", {}, "mutates"],
  ])("%s %j", (name, args, effect) => {
    expect(effectOf(name, args)).toBe(effect);
  });

  test("a client waits at least as long as the daemon allows itself", () => {
    for (const name of Object.keys(COMMANDS) as CommandName[]) expect(limitOf(name, {})).toBeGreaterThanOrEqual(COMMANDS[name].timeoutMs);
    expect(limitOf("wait", { kind: "duration", durationMs: 60_000 })).toBeGreaterThanOrEqual(90_000);
    expect(limitOf("press", { count: 200, intervalMs: 10_000, holdMs: 10_000, settle: true })).toBeGreaterThanOrEqual(30_000 + 200 * 20_250 + 10_000);
    expect(limitOf("type", { text: "x".repeat(100), delayMs: 10_000 })).toBeGreaterThanOrEqual(1_060_000);
  });
});

describe("the program", () => {
  test("is the one that was told, else the one on the PATH; otherwise it says how to get it", async () => {
    const program = path.join(folder, "agent-device");
    await writeFile(program, "#!/bin/sh\n", { mode: 0o755 });
    expect(await findProgram(program, {})).toBe(program);
    expect(await findProgram(undefined, { AGENT_DEVICE_BINARY: program, PATH: "" })).toBe(program);
    expect(await findProgram(undefined, { PATH: `/nowhere:${folder}` })).toBe(program);
    const none = await failed(findProgram(undefined, { PATH: "/nowhere" }));
    expect([none.code, none.dispatched]).toEqual(["TOOL_MISSING", "no"]);
    expect(none.hint).toContain("AGENT_DEVICE_BINARY");
    expect((await failed(findProgram("/nowhere/agent-device", {}))).message).toContain("the option `binary`");
  });
});

test("turns are taken in order, so many at once, and one that waits can be given up", async () => {
  const turns = new Turns(2);
  const [first, second] = [await turns.take(undefined), await turns.take(undefined)];
  const order: string[] = [];
  const controller = new AbortController();
  const given = turns.take(controller.signal).then((end) => order.push(end ? "taken" : "given up"));
  const third = turns.take(undefined).then((end) => (order.push("third"), end));
  controller.abort();
  await given;
  expect(order).toEqual(["given up"]);
  first?.();
  (await third)?.();
  second?.();
  expect(order).toEqual(["given up", "third"]);
  expect(await turns.take(AbortSignal.abort())).toBeTypeOf("function");
  await turns.take(undefined);
  expect(await turns.take(AbortSignal.abort())).toBeUndefined();
});

describe("withResend", () => {
  const no = () => refused("ELEMENT_NOT_FOUND", "not there");
  const unknown = () => new AgentDeviceError({ code: "ELEMENT_NOT_FOUND", message: "lost", dispatched: "unknown", retriable: true });
  const calling = (outcomes: (() => Error)[]) => {
    let calls = 0;
    return { count: () => calls, call: () => (calls < outcomes.length ? Promise.reject((outcomes[calls++] as () => Error)()) : Promise.resolve(++calls)) };
  };
  const quick = { pauseMs: 1 };

  test("calls again what was not sent, as often as it may", async () => {
    const twice = calling([no, no]);
    expect(await withResend(twice.call, quick)).toBe(3);
    const always = calling([no, no, no, no]);
    await expect(withResend(always.call, quick)).rejects.toThrow("not there");
    expect(always.count()).toBe(3);
  });

  test.each<[string, () => Error]>([
    ["may have been sent, even if it is called retriable", unknown],
    ["is a fault of the call", () => refused("INVALID_ARGS", "wrong")],
    ["was cancelled", () => refused("CANCELLED", "no more", { retriable: true })],
    ["is no failure of ours", () => new TypeError("a bug")],
  ])("never calls again what %s", async (_, outcome) => {
    const once = calling([outcome]);
    await expect(withResend(once.call, quick)).rejects.toBeInstanceOf(Error);
    expect(once.count()).toBe(1);
  });

  test("asks before it calls again, and stops when it is told to", async () => {
    const never = calling([no]);
    await expect(withResend(never.call, { ...quick, when: () => false })).rejects.toThrow("not there");
    const stopped = calling([no, no]);
    await expect(withResend(stopped.call, { pauseMs: 60_000, signal: AbortSignal.timeout(20) })).rejects.toThrow("not there");
    expect([never.count(), stopped.count()]).toEqual([1, 1]);
    await expect(withResend(never.call, { attempts: 0 })).rejects.toThrow(RangeError);
  });

  test("observeThenDecide looks after `unknown` only, and does what the look says", async () => {
    const deciding = (outcomes: (() => Error)[], verdict: "again" | "fail" | { done: number }) => {
      const action = calling(outcomes);
      const looks: string[] = [];
      const outcome = observeThenDecide(action.call, {
        look: async (failure) => void looks.push(failure.dispatched),
        decide: () => verdict,
      });
      return { outcome, looks, action };
    };
    const happened = deciding([unknown], { done: 7 });
    expect([await happened.outcome, happened.looks, happened.action.count()]).toEqual([7, ["unknown"], 1]);
    const didNot = deciding([unknown], "again");
    expect([await didNot.outcome, didNot.action.count()]).toEqual([2, 2]);
    const cannotTell = deciding([unknown], "fail");
    await expect(cannotTell.outcome).rejects.toThrow("lost");
    const always = deciding([unknown, unknown, unknown], "again");
    await expect(always.outcome).rejects.toThrow("lost");
    expect(always.action.count()).toBe(2);
    const notSent = deciding([no], { done: 7 });
    await expect(notSent.outcome).rejects.toThrow("not there");
    expect(notSent.looks).toEqual([]);
  });
});
