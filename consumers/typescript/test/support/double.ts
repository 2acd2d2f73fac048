/**
 * A scripted daemon, for what the real one cannot be made to do: garbage, lost replies, stalls, other versions. It notes every
 * line that it is sent.
 */

import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";

import { type AgentDeviceClient, type ClientOptions, VERSION } from "../../src/index.js";
import { clientOver } from "../../src/client.js";
import { LocalDaemon } from "../../src/daemon.js";
import { settle } from "../../src/options.js";

/** A line as it came. */
export interface Line {
  id: number;
  method: "hello" | "run" | "retained";
  params: Record<string, unknown>;
}

/** What is done about a line of a connection; nothing is said unless it says it. */
export type Script = (line: Line, connection: Socket, double: Double) => void;

export const WELCOME = { version: VERSION, build: "double", instance: "one", pid: 1, sessions: 0, accepted: true };

/** Greets as a daemon of this version, unless told otherwise. */
export function greet(line: Line, connection: Socket, welcome: Record<string, unknown> = {}): void {
  say(connection, { id: line.id, result: { ...WELCOME, ...welcome } });
}

/** Says one line. */
export function say(connection: Socket, reply: Record<string, unknown>): void {
  connection.write(`${JSON.stringify({ jsonrpc: "2.0", ...reply })}\n`);
}

/** A failure as the daemon says it. */
export function failure(code: string, details: Record<string, unknown>): Record<string, unknown> {
  return { code: -32000, message: code, data: { code, message: `it is ${code}`, retriable: false, details } };
}

export class Double implements AsyncDisposable {
  readonly folder: string;
  readonly lines: Line[] = [];
  readonly #server: Server;
  readonly #connections = new Set<Socket>();
  script: Script;

  private constructor(folder: string, server: Server, script: Script) {
    this.folder = folder;
    this.#server = server;
    this.script = script;
  }

  static async listen(script: Script): Promise<Double> {
    const folder = await mkdtemp(path.join(tmpdir(), "add-"));
    await chmod(folder, 0o700);
    const server = createServer({ allowHalfOpen: true });
    const double = new Double(folder, server, script);
    server.on("connection", (connection) => double.#serve(connection));
    await new Promise<void>((resolve) => server.listen(path.join(folder, "daemon.sock"), resolve));
    return double;
  }

  /** How often a method was asked for. */
  count(method: Line["method"]): number {
    return this.lines.filter((line) => line.method === method).length;
  }

  /** A client of this daemon that cannot start another one, and gives up soon. */
  client(options: ClientOptions = {}, marginMs = 500): AgentDeviceClient {
    const settled = settle({ session: "s", stateDir: this.folder, binary: path.join(this.folder, "none"), timeoutMs: 50, readinessTimeoutMs: 0, ...options });
    return clientOver(settled, new LocalDaemon({ ...settled, marginMs }));
  }

  /** Stops listening and drops every connection. */
  die(): void {
    this.#server.close();
    for (const connection of this.#connections) connection.destroy();
  }

  #serve(connection: Socket): void {
    this.#connections.add(connection);
    let text = "";
    connection.setEncoding("utf8");
    connection.on("error", () => {});
    connection.on("close", () => this.#connections.delete(connection));
    connection.on("data", (chunk: string) => {
      text += chunk;
      for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n")) {
        const line = JSON.parse(text.slice(0, end)) as Line;
        text = text.slice(end + 1);
        this.lines.push(line);
        this.script(line, connection, this);
      }
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.die();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Waits for a failure; a success is one of the test. */
export async function failed(call: Promise<unknown>): Promise<import("../../src/index.js").AgentDeviceError> {
  const { AgentDeviceError } = await import("../../src/index.js");
  try {
    await call;
  } catch (why) {
    if (why instanceof AgentDeviceError) return why;
    throw why;
  }
  throw new Error("it did not fail");
}
