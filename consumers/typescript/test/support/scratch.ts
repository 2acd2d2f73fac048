/** A daemon of one's own for each test file: in a short folder (Unix sockets), stopped and removed afterwards. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";

import { type AgentDeviceClient, type ClientOptions, createAgentDeviceClient } from "../../src/index.js";

/** The program under test. */
export const BINARY: string = process.env["AGENT_DEVICE_BINARY"] ?? missing();
/** The repository's contracts. */
export const CONTRACTS: string = process.env["AGENT_DEVICE_CONTRACTS"] ?? path.resolve(import.meta.dirname, "../../../../contracts");
/** Whether there is a browser to try. */
export const BROWSER = !process.env["AGENT_DEVICE_TEST_WITHOUT_BROWSER"];

/** A folder that is removed, and the clients of a daemon in it. */
export class Scratch implements AsyncDisposable {
  readonly folder: string;
  readonly #clients: AgentDeviceClient[] = [];

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async make(): Promise<Scratch> {
    return new Scratch(await mkdtemp(path.join(tmpdir(), "adt-")));
  }

  /** A client whose daemon lives here. */
  client(options: ClientOptions = {}): AgentDeviceClient {
    const client = createAgentDeviceClient({ stateDir: this.folder, folder: this.folder, binary: BINARY, ...options });
    this.#clients.push(client);
    return client;
  }

  /** A client of another daemon. */
  elsewhere(options: ClientOptions): AgentDeviceClient {
    return createAgentDeviceClient({ binary: BINARY, stateDir: path.join(this.folder, "elsewhere", "state"), ...options });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Stopping closes every session, and the browsers with them.
    await this.#clients[0]?.sessions.stopDaemon();
    await rm(this.folder, { recursive: true, force: true });
  }
}

function missing(): never {
  throw new Error("AGENT_DEVICE_BINARY names the program to test: see ./check");
}
