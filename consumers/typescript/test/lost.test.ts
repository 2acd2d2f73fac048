/** What is said of a request whose reply does not come. Nothing is ever run twice. */

import { writeFile } from "node:fs/promises";
import type { Socket } from "node:net";
import path from "node:path";
import { describe, expect, test } from "vitest";

import { VERSION } from "../src/index.js";
import { Double, failed, failure, greet, type Line, say, type Script } from "./support/double.js";

/** Loses the reply to `run` in some way; answers `retained` in another. */
function losing(lose: Script, retained: Script): Script {
  return (line, connection, double) => {
    if (line.method === "hello") greet(line, connection);
    else if (line.method === "run") lose(line, connection, double);
    else retained(line, connection, double);
  };
}

const close: Script = (_, connection) => void connection.destroy();
const silent: Script = () => {};
const cut: Script = (line, connection) => void connection.end(`{"jsonrpc":"2.0","id":${line.id},"result":{"data":{"x":1}}}`);
const garbage: Script = (_, connection) => void connection.write("<html>not JSON</html>\n");
const empty: Script = (line, connection) => say(connection, { id: line.id });
const aboutAnother: Script = (line, connection) => say(connection, { id: line.id, of: "another", result: { data: {} } });
const kept: Script = (line, connection) => say(connection, { id: line.id, of: line.params["requestId"], result: { data: { kept: true } } });
const notSeen: Script = (line, connection) =>
  say(connection, { id: line.id, of: line.params["requestId"], error: failure("COMMAND_FAILED", { dispatched: "no", reason: "not_seen" }) });
const keptFailure: Script = (line, connection) =>
  say(connection, { id: line.id, of: line.params["requestId"], error: failure("ELEMENT_COVERED", { dispatched: "no", reason: "covered" }) });

describe.each([
  ["the connection is closed", close],
  ["the reply is cut before its end", cut],
  ["the reply is no JSON", garbage],
  ["the reply says nothing", empty],
  ["the reply is about another request", aboutAnother],
  ["no reply comes in time", silent],
])("%s", (_, lose) => {
  test("what the daemon has kept is the answer, and nothing is run again", async () => {
    await using double = await Double.listen(losing(lose, kept));
    expect(await double.client().interactions.press("@e1")).toEqual({ kept: true });
    expect(double.count("run")).toBe(1);
    const [run, asked] = [double.lines.find((line) => line.method === "run"), double.lines.find((line) => line.method === "retained")];
    expect(asked?.params).toEqual({ requestId: run?.params["requestId"] });
  });

  test("a failure that was kept is thrown as it was", async () => {
    await using double = await Double.listen(losing(lose, keptFailure));
    const why = await failed(double.client().interactions.press("@e1"));
    expect([why.code, why.dispatched, why.reason]).toEqual(["ELEMENT_COVERED", "no", "covered"]);
    expect(double.count("run")).toBe(1);
  });

  test("a daemon that never had it proves that nothing was sent", async () => {
    await using double = await Double.listen(losing(lose, notSeen));
    const why = await failed(double.client().interactions.press("@e1"));
    expect([why.code, why.dispatched, why.row, why.retriable]).toEqual(["DAEMON_UNAVAILABLE", "no", "client.request-not-taken", true]);
  });

  test("a daemon that never answers for it leaves it unknown, and a look at no", async () => {
    await using double = await Double.listen(losing(lose, close));
    const press = await failed(double.client().interactions.press("@e1"));
    expect([press.dispatched, press.row, press.retriable]).toEqual(["unknown", "client.reply-lost", false]);
    const look = await failed(double.client().capture.snapshot());
    expect([look.dispatched, look.row, look.retriable]).toEqual(["no", "client.look-lost", true]);
    expect(double.count("run")).toBe(2);
  });
});

test("a look that was never seen is lost and may be made again: looks are not kept", async () => {
  await using double = await Double.listen(losing(close, notSeen));
  const look = await failed(double.client().interactions.get("text", "@e1"));
  expect([look.dispatched, look.row]).toEqual(["no", "client.look-lost"]);
});

test("another daemon than the one that was asked is not asked", async () => {
  let instance = "one";
  await using double = await Double.listen((line, connection) => {
    if (line.method === "hello") greet(line, connection, { instance });
    else {
      instance = "two";
      connection.destroy();
    }
  });
  const why = await failed(double.client().interactions.press("@e1"));
  expect([why.dispatched, why.row]).toEqual(["unknown", "client.reply-lost"]);
  expect(double.count("retained")).toBe(0);
});

test("a daemon that is gone is not started again to be asked", async () => {
  await using double = await Double.listen(losing((_, __, double) => double.die(), kept));
  const why = await failed(double.client().interactions.press("@e1"));
  expect([why.dispatched, why.row]).toEqual(["unknown", "client.reply-lost"]);
});

test("a question that is lost is asked again, three times at most", async () => {
  let asked = 0;
  await using double = await Double.listen(losing(close, (line, connection, double) => (++asked < 3 ? close : kept)(line, connection, double)));
  expect(await double.client().interactions.press("@e1")).toEqual({ kept: true });
  asked = -10;
  const why = await failed(double.client().interactions.press("@e1"));
  expect([why.dispatched, asked]).toEqual(["unknown", -7]);
});

test("a reply to something else is passed over, and one without an id is ours", async () => {
  await using double = await Double.listen(
    losing((line, connection) => {
      say(connection, { id: 77, result: { data: { wrong: true } } });
      say(connection, { id: line.id, result: { data: { right: true } } });
    }, silent),
  );
  expect(await double.client().interactions.press("@e1")).toEqual({ right: true });
  double.script = losing((_, connection) => say(connection, { id: null, error: failure("INVALID_ARGS", { dispatched: "no" }) }), silent);
  expect((await failed(double.client().interactions.press("@e1"))).code).toBe("INVALID_ARGS");
});

test("a failure that does not say whether it was sent is taken for one that may have been", async () => {
  await using double = await Double.listen(losing((line, connection) => say(connection, { id: line.id, error: failure("E_LATER", {}) }), silent));
  const why = await failed(double.client().interactions.press("@e1"));
  expect([why.code, why.dispatched]).toEqual(["E_LATER", "unknown"]);
});

test.each([
  ["closes", (connection: Socket) => void connection.destroy()],
  ["reads no further", () => {}],
])("a request that cannot be written whole was not sent: the daemon %s in the middle", async (_, end) => {
  await using double = await Double.listen((line, connection) => {
    greet(line, connection);
    // What is left does not fit into the socket.
    connection.pause();
    setImmediate(() => setImmediate(() => end(connection)));
  });
  const why = await failed(double.client().interactions.type("x".repeat(8 << 20)));
  expect([why.code, why.dispatched, why.row]).toEqual(["DAEMON_UNAVAILABLE", "no", "client.daemon-not-started"]);
  expect(double.lines.map((line) => line.method)).toEqual(["hello"]);
});

describe("an aborted call", () => {
  test("ends the writing side, and gives the answer that is joined", async () => {
    const controller = new AbortController();
    let ended: Promise<void> | undefined;
    await using double = await Double.listen(
      losing((line, connection) => {
        ended = new Promise((resolve) => connection.on("end", resolve));
        connection.on("end", () => say(connection, { id: line.id, result: { data: { joined: true } } }));
        controller.abort();
      }, silent),
    );
    expect(await double.client({ timeoutMs: 5000 }).interactions.press("@e1", { signal: controller.signal })).toEqual({ joined: true });
    await ended;
  });

  test("that fails says why it was aborted, and whether it had been sent", async () => {
    const controller = new AbortController();
    await using double = await Double.listen(
      losing((line, connection) => {
        connection.on("end", () => say(connection, { id: line.id, error: failure("CANCELLED", { dispatched: "unknown", dispatchedSteps: 2 }) }));
        controller.abort(new Error("enough"));
      }, silent),
    );
    const why = await failed(double.client({ timeoutMs: 5000 }).interactions.press("@e1", { count: 5, signal: controller.signal }));
    expect([why.code, why.dispatched, why.dispatchedSteps, why.cause]).toEqual(["CANCELLED", "unknown", 2, new Error("enough")]);
  });

  test("that was aborted before sends nothing", async () => {
    await using double = await Double.listen(losing(silent, silent));
    const why = await failed(double.client().interactions.press("@e1", { signal: AbortSignal.abort() }));
    expect([why.code, why.dispatched, double.count("run")]).toEqual(["CANCELLED", "no", 0]);
  });

  test("ends while the daemon is being reached", async () => {
    const controller = new AbortController();
    await using double = await Double.listen(() => controller.abort());
    const why = await failed(double.client({ timeoutMs: 60_000 }).interactions.press("@e1", { signal: controller.signal }));
    expect([why.code, why.dispatched, double.count("run")]).toEqual(["CANCELLED", "no", 0]);
  });
});

describe("a daemon that does not greet as one of this version", () => {
  test("and has sessions is left alone, and named", async () => {
    await using double = await Double.listen((line, connection) => greet(line, connection, { accepted: false, version: "0.0.9", sessions: 2, pid: 42 }));
    const why = await failed(double.client().interactions.press("@e1"));
    expect([why.code, why.dispatched, why.row]).toEqual(["VERSION_MISMATCH", "no", "client.version-mismatch"]);
    expect(why.message).toBe(`the running daemon (pid 42) is agent-device 0.0.9 and has 2 open session(s); this client is ${VERSION}`);
    expect(double.count("run")).toBe(0);
  });

  test("and is idle is the program's to replace; a program of another version is named", async () => {
    await using double = await Double.listen((line, connection) => greet(line, connection, { accepted: false, version: "0.0.9" }));
    const program = path.join(double.folder, "agent-device");
    const socket = path.join(double.folder, "daemon.sock");
    await writeFile(program, `#!/bin/sh\necho '{"success":true,"data":{"socket":"${socket}","version":"0.0.9"}}'\n`, { mode: 0o755 });
    const why = await failed(double.client({ binary: program }).interactions.press("@e1"));
    expect([why.code, why.dispatched]).toEqual(["VERSION_MISMATCH", "no"]);
    expect(why.message).toBe(`${program} is agent-device 0.0.9; this client is ${VERSION}`);
  });

  test.each<[string, Script, string, string]>([
    ["garbage", garbage, "DAEMON_UNAVAILABLE", "the daemon does not answer"],
    ["nothing at all", silent, "DAEMON_UNAVAILABLE", "the daemon does not answer"],
    ["an empty reply", empty, "DAEMON_UNAVAILABLE", "refused the greeting"],
    ["a refusal", (_, connection) => say(connection, { id: null, error: failure("UNAUTHORIZED", {}) }), "UNAUTHORIZED", "it is UNAUTHORIZED"],
  ])("%s: nothing is sent", async (_, script, code, message) => {
    await using double = await Double.listen(script);
    const why = await failed(double.client().interactions.press("@e1"));
    expect([why.code, why.dispatched]).toEqual([code, "no"]);
    expect(why.message).toContain(message);
    expect(double.lines.map((line: Line) => line.method)).toEqual(["hello"]);
  });

  test("one that closes at once counts as none: the program is asked for one", async () => {
    await using double = await Double.listen(close);
    const why = await failed(double.client().interactions.press("@e1"));
    expect([why.code, why.dispatched, why.reason]).toEqual(["TOOL_MISSING", "no", "program_missing"]);
  });
});
