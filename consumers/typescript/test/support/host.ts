/** A device host: the real `agent-device serve` on a port of the system's choice, and something that breaks connections to it. */

import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import path from "node:path";

import { type AgentDeviceClient, type ClientOptions } from "../../src/index.js";
import { BINARY, Scratch } from "./scratch.js";

export class Host implements AsyncDisposable {
  readonly url: string;
  readonly token: string;
  readonly scratch: Scratch;
  readonly #process: ChildProcess;

  private constructor(url: string, token: string, scratch: Scratch, process: ChildProcess) {
    this.url = url;
    this.token = token;
    this.scratch = scratch;
    this.#process = process;
  }

  static async start(): Promise<Host> {
    const scratch = await Scratch.make();
    const token = randomBytes(24).toString("hex");
    const [tokenFile, addressFile] = [path.join(scratch.folder, "token"), path.join(scratch.folder, "address")];
    await writeFile(tokenFile, token, { mode: 0o600 });
    const served = spawn(BINARY, ["serve", "--listen", "127.0.0.1:0", "--token-file", tokenFile, "--print-address-file", addressFile], {
      env: { ...process.env, AGENT_DEVICE_STATE_DIR: scratch.folder },
      stdio: "ignore",
    });
    for (let look = 0; look < 500; look++) {
      const address = (await readFile(addressFile, "utf8").catch(() => "")).trim();
      if (address) return new Host(address.includes("://") ? address : `http://${address}`, token, scratch, served);
      if (served.exitCode !== null) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    served.kill();
    throw new Error("serve does not listen");
  }

  /** A client elsewhere: it has a folder of its own, and no daemon. */
  async client(options: ClientOptions = {}): Promise<AgentDeviceClient> {
    const folder = path.join(this.scratch.folder, "elsewhere");
    await mkdir(folder, { recursive: true });
    return this.scratch.elsewhere({ url: this.url, token: this.token, folder, ...options });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const gone = once(this.#process, "exit");
    this.#process.kill("SIGTERM");
    await gone;
    this.scratch.client();
    await this.scratch[Symbol.asyncDispose]();
  }
}

/** Where a connection breaks: so many bytes on the way there or back. */
export interface Cut {
  way: "there" | "back";
  after: number;
}

/** Stands before a host, and breaks the connections that carry a request called so. */
export class Tunnel implements AsyncDisposable {
  /** For the next connections that carry it, one each. */
  cuts: Cut[] = [];
  /** What the request's first bytes hold. */
  method = "";
  seen = { there: 0, back: 0 };
  readonly #server: Server;
  readonly #to: number;
  readonly #open = new Set<Socket>();

  private constructor(to: number) {
    this.#to = to;
    this.#server = createServer({ allowHalfOpen: true }, (client) => this.#serve(client));
  }

  static async to(url: string): Promise<Tunnel> {
    const tunnel = new Tunnel(Number(new URL(url).port));
    await new Promise<void>((resolve) => tunnel.#server.listen(0, "127.0.0.1", resolve));
    return tunnel;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  #serve(client: Socket): void {
    const host = connect({ port: this.#to, host: "127.0.0.1", allowHalfOpen: true });
    const ways = { there: Buffer.alloc(0), back: Buffer.alloc(0) };
    let cut: Cut | undefined;
    let known = false;
    const breaks = () => {
      client.destroy();
      host.destroy();
    };
    const pass = (chunk: Buffer, to: Socket, way: Cut["way"]) => {
      const before = ways[way].length;
      ways[way] = Buffer.concat([ways[way], chunk]);
      const left = cut?.way === way ? cut.after - before : Infinity;
      if (chunk.length < left) {
        to.write(chunk);
        if (known) this.seen[way] = Math.max(this.seen[way], ways[way].length);
      } else to.write(chunk.subarray(0, Math.max(0, left)), breaks);
    };
    let waiting = Buffer.alloc(0);
    client.on("data", (chunk: Buffer) => {
      if (known || !this.method) return pass(chunk, host, "there");
      // Held until it can be told what it is: the body's method stands behind the head.
      waiting = Buffer.concat([waiting, chunk]);
      const text = waiting.toString("latin1");
      const named = /"method":"(\w+)"/.exec(text);
      if (!named && !/^(GET|HEAD|DELETE|PUT)|POST \/lease/.test(text)) return;
      known = named?.[1] === this.method;
      if (known) cut = this.cuts.shift();
      const held = waiting;
      waiting = Buffer.alloc(0);
      if (known) pass(held, host, "there");
      else {
        host.write(held);
        client.removeAllListeners("data");
        client.pipe(host);
      }
    });
    host.on("data", (chunk: Buffer) => pass(chunk, client, "back"));
    for (const [from, to] of [[client, host], [host, client]] as const) {
      this.#open.add(from);
      from.on("end", () => to.end());
      from.on("error", breaks);
      from.on("close", () => {
        this.#open.delete(from);
        to.destroy();
      });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    for (const socket of this.#open) socket.destroy();
  }
}
