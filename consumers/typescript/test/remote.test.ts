/** The client against a real `agent-device serve`: the same calls, files that travel, leases, and a tunnel that breaks. */

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { AgentDeviceError, type AgentDeviceClient, createAgentDeviceClient, VERSION } from "../src/index.js";
import { failed } from "./support/double.js";
import { BROWSER } from "./support/scratch.js";
import { type Cut, Host, Tunnel } from "./support/host.js";

let host: Host;
let tunnel: Tunnel;
beforeAll(async () => {
  host = await Host.start();
  tunnel = await Tunnel.to(host.url);
});
afterAll(async () => {
  await tunnel[Symbol.asyncDispose]();
  await host[Symbol.asyncDispose]();
});

const local = (file: string) => path.join(host.scratch.folder, "elsewhere", file);
const APP = 'app = "own"\ntitle = "Own"\nstart = "a"\n[[screen]]\nid = "a"\ntitle = "Own"\nelement = [{ role = "button", id = "b", label = "Mine" }]\n';

describe("over the hop", () => {
  test("an app of the caller's is opened, pressed and asked, and what is written comes back", async () => {
    await using client = await host.client({ session: "files" });
    await writeFile(local("own.toml"), APP);
    await client.apps.open("own.toml");
    await client.interactions.press("label=Mine");
    const shot = await client.capture.screenshot("shot.png");
    expect(shot.path).toBe(local("shot.png"));
    const bytes = await readFile(local("shot.png"));
    expect([bytes.length, bytes.subarray(1, 4).toString()]).toEqual([shot.bytes, "PNG"]);
    const why = await failed(client.interactions.press("label=Nothing", { readinessTimeoutMs: 0 }));
    expect([why.code, why.dispatched, why.row]).toEqual(["ELEMENT_NOT_FOUND", "no", "daemon.refusal.absent"]);
    await client.apps.open("demo", { relaunch: true });
    await client.interactions.press("label=Counter");
    const series = await failed(client.batch.run(["press id=tap", "press id=nothing"]));
    expect([series.dispatched, series.dispatchedSteps]).toEqual(["unknown", 1]);
  });

  test("a recorded script comes back to where the caller wants it, and replays there", async () => {
    await using client = await host.client({ session: "script" });
    await client.apps.open("demo", { saveScript: "count.ad" });
    await client.interactions.press("label=Counter");
    const closed = await client.apps.close();
    expect(closed.script).toBe(local("count.ad"));
    expect(await readFile(local("count.ad"), "utf8")).toContain("press");
    const again = await failed(client.apps.open("demo", { saveScript: "count.ad" }));
    expect([again.code, again.dispatched, again.reason]).toEqual(["STORAGE_FAILED", "no", "script_target_exists"]);
    expect(await client.replay.run("count.ad")).toMatchObject({ sessionActive: false });
  });

  test("the program works under the client's lease: a trace's page is made here", async () => {
    await using client = await host.client({ session: "traced" });
    await client.apps.open("demo");
    await client.recording.trace.start();
    await client.interactions.press("label=Counter");
    const trace = await client.recording.trace.stop("trace.html");
    expect(trace.page).toBe(local("trace.html"));
    expect((await readFile(local("trace.html"), "utf8")).length).toBeGreaterThan(1000);
  });

  test.skipIf(!BROWSER)("a page and a file for it are sent", async () => {
    await writeFile(local("up.html"), '<!doctype html><title>Up</title><label>Papers <input id="p" type="file" onchange="o.textContent=this.files[0].name"></label><p id="o"></p><a id="d" download="saved.txt" href="data:text/plain,saved">Save</a>');
    await writeFile(local("paper.txt"), "hello");
    await using client = await host.client({ session: "page", platform: "web" });
    await client.apps.open("up.html");
    await client.interactions.upload("id=p", "paper.txt");
    await client.command.wait({ text: "paper.txt" });
    // What the page saves has no place of the caller's: it gets one here.
    await client.interactions.press("id=d");
    const { downloads } = await client.command.downloads({ waitMs: 10_000 });
    const saved = downloads.find(({ path }) => path.endsWith("saved.txt"));
    expect(await readFile(String(saved?.path), "utf8")).toBe("saved");
    expect(saved?.path).not.toContain(`${host.scratch.folder}/leases`);
  });

  test("two clients without a name do not meet, and what a client opened ends with it", async () => {
    const [one, two] = [await host.client(), await host.client()];
    const [first, second] = [await one.apps.open("demo"), await two.apps.open("demo")];
    expect(first.session).not.toBe(second.session);
    const there = async () => (await host.scratch.client().sessions.list()).sessions.map(({ name }) => name);
    expect(await there()).toEqual(expect.arrayContaining([first.session, second.session]));
    await one.close();
    expect(await there()).not.toContain(first.session);
    expect(await there()).toContain(second.session);
    const foreign = await failed((await host.client({ session: second.session })).capture.snapshot());
    expect([foreign.dispatched, foreign.reason]).toEqual(["no", "session_of_another_lease"]);
    await two.close();
  });

  test("an aborted series is cancelled there, joined, and counted", async () => {
    await using client = await host.client({ session: "abort" });
    await client.apps.open("demo");
    await client.interactions.press("label=Counter");
    const why = await failed(client.interactions.press("id=tap", { count: 200, intervalMs: 50, signal: AbortSignal.timeout(300) }));
    const taps = Number(/\d+/.exec(await client.interactions.getText("id=taps"))?.[0]);
    expect([why.code, why.dispatched, why.dispatchedSteps]).toEqual(["CANCELLED", "unknown", taps]);
    const before = await failed(client.interactions.press("id=tap", { signal: AbortSignal.abort() }));
    expect([before.code, before.dispatched]).toEqual(["CANCELLED", "no"]);
  });
});

describe("a host that does not answer as one", () => {
  test("a wrong token, nobody, and a gateway's page are told apart, and nothing was sent", async () => {
    const wrong = await failed((await host.client({ token: "x".repeat(40) })).capture.snapshot());
    expect([wrong.code, wrong.dispatched, wrong.row]).toEqual(["UNAUTHORIZED", "no", "serve.unauthorized"]);
    const nobody = await failed((await host.client({ url: "http://127.0.0.1:9" })).capture.snapshot());
    expect([nobody.code, nobody.dispatched, nobody.row]).toEqual(["DAEMON_UNAVAILABLE", "no", "client.hop-unreachable"]);
    const gateway = createServer((_, reply) => reply.end("<html>Sign in</html>"));
    await new Promise<void>((resolve) => gateway.listen(0, "127.0.0.1", resolve));
    const page = await failed((await host.client({ url: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}` })).interactions.press("@e1"));
    expect([page.code, page.dispatched, page.row]).toEqual(["DAEMON_UNAVAILABLE", "no", "client.hop-foreign"]);
    gateway.close();
  });

  test("another version is named", async () => {
    const other = createServer((_, reply) => {
      reply.setHeader("Agent-Device", "9.9.9").end(JSON.stringify({ jsonrpc: "2.0", id: 1, result: { version: "9.9.9", instance: "x", accepted: false } }));
    });
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const why = await failed((await host.client({ url: `http://127.0.0.1:${(other.address() as AddressInfo).port}` })).interactions.press("@e1"));
    expect([why.code, why.dispatched, why.message]).toEqual(["VERSION_MISMATCH", "no", `the device host is agent-device 9.9.9; this client is ${VERSION}`]);
    other.close();
  });

  test("addresses and tokens that cannot be right are refused at once", () => {
    const make = (url: string, token?: string) => () => createAgentDeviceClient({ url, token });
    expect(make("nowhere", "t")).toThrow("no address");
    expect(make("ftp://a.test", "t")).toThrow("no protocol");
    expect(make("http://a.test", "t")).toThrow("for everybody to read");
    expect(make("https://u:p@a.test", "t")).toThrow("no password");
    expect(make("http://127.0.0.1:1")).toThrow("needs a token");
    expect(make("http://127.0.0.1:1", "a\nb")).toThrow("no header");
  });

  test("a question that is turned away says nothing of what was asked before", async () => {
    let asked = 0;
    const busy = createServer((request, reply) => {
      reply.setHeader("Agent-Device", VERSION);
      let body = "";
      request.on("data", (chunk) => (body += chunk)).on("end", () => {
        const { method, params } = JSON.parse(body || "{}") as { method?: string; params: { requestId: string } };
        if (method === "hello") reply.end(JSON.stringify({ id: 1, result: { version: VERSION, instance: "x", accepted: true } }));
        else if (method === "run") request.socket.destroy();
        else if (++asked === 1) reply.writeHead(503).end(JSON.stringify({ error: { code: "DAEMON_UNAVAILABLE", message: "busy", details: { dispatched: "no" } } }));
        else if (asked === 2) reply.end(JSON.stringify({ id: 1, of: params.requestId, error: { data: { code: "TIMEOUT", details: { reason: "still_running", dispatched: "no" } } } }));
        else reply.end(JSON.stringify({ id: 1, of: params.requestId, error: { data: { code: "INTERNAL", message: "gone", details: { reason: "instance_gone", dispatched: "no" } } } }));
      });
    });
    await new Promise<void>((resolve) => busy.listen(0, "127.0.0.1", resolve));
    const client = await host.client({ url: `http://127.0.0.1:${(busy.address() as AddressInfo).port}` });
    const press = await failed(client.interactions.press("@e1"));
    expect([press.dispatched, press.row, asked]).toEqual(["unknown", "client.reply-lost", 3]);
    const look = await failed(client.capture.snapshot());
    expect([look.dispatched, look.row]).toEqual(["no", "client.look-lost"]);
    busy.close();
  });
});

describe("a tunnel that breaks", () => {
  let client: AgentDeviceClient;
  const taps = async () => Number(/\d+/.exec(await client.interactions.getText("id=taps"))?.[0]);
  async function pressed(cuts: Cut[]): Promise<{ said: string; times: number }> {
    tunnel.method = "";
    const before = await taps();
    tunnel.method = "run";
    tunnel.cuts = [...cuts];
    const said = await client.interactions.press("id=tap").then(
      () => "ok",
      (why: unknown) => {
        if (why instanceof AgentDeviceError) return why.dispatched;
        throw why;
      },
    );
    tunnel.method = "";
    return { said, times: (await taps()) - before };
  }

  test("at any byte of a press or of its reply: never pressed twice, and certain where the host can be asked", async () => {
    client = await host.client({ url: tunnel.url, session: "cut" });
    await client.apps.open("demo");
    await client.interactions.press("label=Counter");
    expect(await pressed([])).toEqual({ said: "ok", times: 1 });
    const { there, back } = tunnel.seen;
    expect(there).toBeGreaterThan(300);
    const counts: Record<string, number> = {};
    for (const [way, bytes] of [["there", there], ["back", back]] as const) {
      for (let after = 1; after <= bytes; after += after > bytes - 12 ? 1 : 11) {
        const { said, times } = await pressed([{ way, after }]);
        expect(times, `${said} after ${after} bytes ${way}`).toBe(said === "ok" ? 1 : 0);
        expect(said).not.toBe("unknown");
        counts[`${way} ${said}`] = (counts[`${way} ${said}`] ?? 0) + 1;
      }
    }
    expect(counts["there no"]).toBeGreaterThan(20);
    expect(counts["back ok"]).toBeGreaterThan(20);
    await client.close();
  }, 90_000);
});
