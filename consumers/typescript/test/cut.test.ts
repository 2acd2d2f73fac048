/**
 * A connection to the real daemon that breaks at every byte of a press's request and of its reply: never pressed twice, `no`
 * means not pressed, success means pressed once.
 */

import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createConnection, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { AgentDeviceError } from "../src/index.js";
import { clientOver } from "../src/client.js";
import { LocalDaemon } from "../src/daemon.js";
import { settle } from "../src/options.js";
import { Scratch } from "./support/scratch.js";

/** Where a connection breaks: so many bytes after the greeting, on the way there or back. */
interface Cut {
  way: "there" | "back";
  after: number;
}

/** Stands between a client and the daemon, and breaks connections that carry a request. */
class Proxy implements AsyncDisposable {
  /** For the next connections, one each; those without pass. */
  cuts: Cut[] = [];
  /** Bytes of the longest request and reply that passed whole. */
  seen = { there: 0, back: 0 };
  readonly folder: string;
  readonly #server: Server;
  readonly #open = new Set<Socket>();

  private constructor(folder: string, server: Server) {
    this.folder = folder;
    this.#server = server;
  }

  static async to(daemon: string): Promise<Proxy> {
    const folder = await mkdtemp(path.join(tmpdir(), "adp-"));
    await chmod(folder, 0o700);
    const server = createServer({ allowHalfOpen: true });
    const proxy = new Proxy(folder, server);
    server.on("connection", (client) => proxy.#serve(client, createConnection({ path: daemon, allowHalfOpen: true })));
    await new Promise<void>((resolve) => server.listen(path.join(folder, "daemon.sock"), resolve));
    return proxy;
  }

  #serve(client: Socket, daemon: Socket): void {
    const cut = this.cuts.shift();
    const breaks = () => {
      client.destroy();
      daemon.destroy();
    };
    const carry = (from: Socket, to: Socket, way: Cut["way"]) => {
      this.#open.add(from);
      let greeted = false;
      let carried = 0;
      from.on("data", (chunk: Buffer) => {
        let rest = chunk;
        if (!greeted) {
          // The greeting's line passes whole.
          const end = chunk.indexOf(10) + 1;
          greeted = end > 0;
          to.write(end > 0 ? chunk.subarray(0, end) : chunk);
          rest = end > 0 ? chunk.subarray(end) : Buffer.alloc(0);
        }
        const left = cut?.way === way ? cut.after - carried : Infinity;
        carried += rest.length;
        if (rest.length < left) {
          to.write(rest);
          this.seen[way] = Math.max(this.seen[way], carried);
        } else to.write(rest.subarray(0, left), breaks);
      });
      from.on("end", () => to.end());
      from.on("error", breaks);
      from.on("close", () => {
        this.#open.delete(from);
        to.destroy();
      });
    };
    carry(client, daemon, "there");
    carry(daemon, client, "back");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    for (const socket of this.#open) socket.destroy();
    await rm(this.folder, { recursive: true, force: true });
  }
}

let scratch: Scratch;
let proxy: Proxy;
beforeAll(async () => {
  scratch = await Scratch.make();
  const direct = scratch.client({ session: "cut" });
  await direct.apps.open("demo");
  await direct.interactions.press("label=Counter");
  proxy = await Proxy.to(path.join(scratch.folder, "daemon.sock"));
});
afterAll(async () => {
  await proxy[Symbol.asyncDispose]();
  await scratch[Symbol.asyncDispose]();
});

const direct = () => scratch.client({ session: "cut" });
const taps = async () => Number(/\d+/.exec(await direct().interactions.getText("id=taps"))?.[0]);
const cutClient = () => {
  const settled = settle({ session: "cut", stateDir: proxy.folder, binary: "/nowhere", timeoutMs: 5000 });
  return clientOver(settled, new LocalDaemon({ ...settled, marginMs: 2000 }));
};

/** Presses over connections that break; gives what was said, and how often it happened. */
async function pressed(cuts: Cut[]): Promise<{ said: "ok" | "no" | "unknown"; times: number }> {
  const before = await taps();
  proxy.cuts = [...cuts];
  const said = await cutClient().interactions.press("id=tap").then(
    () => "ok" as const,
    (why: unknown) => {
      if (why instanceof AgentDeviceError) return why.dispatched;
      throw why;
    },
  );
  proxy.cuts = [];
  return { said, times: (await taps()) - before };
}

describe("a press", () => {
  test("whose request or reply breaks at any byte, while the daemon can be asked afterwards, is certain", async () => {
    expect(await pressed([])).toEqual({ said: "ok", times: 1 });
    const { there, back } = proxy.seen;
    expect(there).toBeGreaterThan(150);
    expect(back).toBeGreaterThan(100);
    const counts: Record<string, number> = {};
    for (const [way, bytes] of [["there", there], ["back", back]] as const) {
      for (let after = 0; after <= bytes; after++) {
        const { said, times } = await pressed([{ way, after }]);
        expect(times, `${said} after ${after} bytes ${way}`).toBe(said === "ok" ? 1 : 0);
        expect(said).not.toBe("unknown");
        counts[`${way} ${said}`] = (counts[`${way} ${said}`] ?? 0) + 1;
      }
    }
    // Both ways to be certain were needed.
    expect(counts["there no"]).toBeGreaterThan(100);
    expect(counts["back ok"]).toBeGreaterThan(100);
  }, 120_000);

  test("that nobody can be asked about is never made twice, and unknown where it may have happened", async () => {
    const { there, back } = proxy.seen;
    const questions = Array.from({ length: 8 }, (): Cut => ({ way: "there", after: 3 }));
    let unknown = 0;
    for (const [way, bytes] of [["there", there], ["back", back]] as const) {
      for (let after = 0; after <= bytes; after += 17) {
        const { said, times } = await pressed([{ way, after }, ...questions]);
        expect(times, `${said} after ${after} bytes ${way}`).toBeLessThanOrEqual(said === "no" ? 0 : 1);
        if (said === "ok") expect(times).toBe(1);
        if (said === "unknown") unknown++;
      }
    }
    expect(unknown).toBeGreaterThan(0);
  }, 60_000);
});
