/** Files over the hop: what a command reads is sent before it, what it writes is fetched after it. */

import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, mkdtemp, rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";

import { AgentDeviceError, fromWire, isObject, refused } from "../errors.js";
import { type Answered, type Asked, type Endpoint, json, put, send } from "./http.js";

const TRIES = 3;
const FILE_LIMIT_MS = 600_000;
const SHORT_LIMIT_MS = 30_000;

/** A file that an answer speaks of. */
export interface Made {
  name: string;
  bytes: number;
  sha256: string;
}

/** The files of one client. */
export class Files {
  readonly #endpoint: Endpoint;
  readonly #headers: () => Record<string, string>;
  /** Paths that this client has asked for; a folder ends with `/`. */
  readonly #asked = new Set<string>();
  #own: string | undefined;

  constructor(endpoint: Endpoint, headers: () => Record<string, string>) {
    this.#endpoint = endpoint;
    this.#headers = headers;
  }

  /** Arguments with the lease's names in place of this machine's files, which are sent. */
  async sent(command: string, args: Record<string, unknown>): Promise<Record<string, unknown>> {
    switch (command) {
      case "open": {
        const changed = { ...args };
        if (typeof args["app"] === "string") changed["app"] = await this.#app(args["app"]);
        if (typeof args["saveScript"] === "string") changed["saveScript"] = await this.#script(args["saveScript"], args["force"] === true);
        return changed;
      }
      case "install":
      case "reinstall":
      case "push":
        return typeof args["path"] === "string" ? { ...args, path: await this.#upload(args["path"]) } : args;
      case "upload":
        return Array.isArray(args["files"]) ? { ...args, files: await Promise.all(args["files"].map((file) => this.#upload(String(file)))) } : args;
      case "pull":
      case "record":
        return typeof args["path"] === "string" ? { ...args, path: this.#out(args["path"]) } : args;
      case "screenshot":
        return typeof args["out"] === "string" ? { ...args, out: this.#out(args["out"]) } : args;
      case "session":
        if (args["action"] !== "save-script" || typeof args["path"] !== "string") return args;
        return { ...args, path: await this.#script(args["path"], args["force"] === true) };
      case "batch":
        return Array.isArray(args["steps"]) ? { ...args, steps: await Promise.all(args["steps"].map((step) => this.#step(step))) } : args;
      default:
        return args;
    }
  }

  /** Fetches what an answer speaks of; gives the answer with this machine's paths. */
  async fetched<T>(answer: T, hop: unknown): Promise<T> {
    if (!isObject(hop) || typeof hop["folder"] !== "string") return answer;
    const files = (Array.isArray(hop["files"]) ? hop["files"] : []).filter(isMade);
    for (const file of files) {
      const place = await this.#place(file.name);
      if (place !== undefined) await this.#fetch(file, place);
    }
    const own = this.#own;
    const folder = hop["folder"];
    return replaced(answer, (text) => {
      const whole = text.replaceAll(`${folder}/out/`, "/");
      return own === undefined ? whole : whole.replaceAll(`${folder}/host/`, `${own}/`);
    });
  }

  async #step(step: unknown): Promise<unknown> {
    if (!isObject(step) || typeof step["command"] !== "string" || !isObject(step["args"])) return step;
    return { ...step, args: await this.sent(step["command"], step["args"]) };
  }

  async #app(app: string): Promise<string> {
    if (app.startsWith("file:")) return this.#upload(fileURLToPath(app));
    return path.isAbsolute(app) ? this.#upload(app) : app;
  }

  #out(file: string): string {
    this.#asked.add(file);
    return `lease:/out${file}`;
  }

  async #script(file: string, force: boolean): Promise<string> {
    const facts = await stat(file).catch(() => undefined);
    if (facts?.isDirectory()) return this.#out(file.endsWith("/") ? file : `${file}/`);
    if (facts && !force) {
      throw refused("STORAGE_FAILED", `${file} is there already`, {
        row: "client.output-unwritable",
        reason: "script_target_exists",
        hint: "name another file, or force",
      });
    }
    return this.#out(file);
  }

  /** Sends a file unless it is there; gives its name. */
  async #upload(file: string): Promise<string> {
    try {
      const { size } = await stat(file);
      const hash = createHash("sha256");
      await pipeline(createReadStream(file), hash);
      const name = `in/${hash.digest("hex")}/${path.basename(file)}`;
      const there = await send(this.#endpoint, this.#ask("HEAD", name, SHORT_LIMIT_MS), undefined);
      there.body.resume();
      if (there.status !== 200 || there.headers["agent-device"] === undefined) {
        await tries(async () => refuse(await put(this.#endpoint, this.#ask("PUT", name, FILE_LIMIT_MS), size, createReadStream(file)), 201));
      }
      return `lease:/${name}`;
    } catch (why) {
      if (why instanceof AgentDeviceError) throw why;
      throw refused("STORAGE_FAILED", `${file} cannot be sent to the device host: ${(why as Error).message}`, {
        row: "client.upload-failed",
        reason: "upload_failed",
        cause: why,
      });
    }
  }

  /** Where a file goes here; nowhere, if nobody asked for it there. */
  async #place(name: string): Promise<string | undefined> {
    const parts = name.split("/");
    if (parts.some((part) => part === "" || part === "." || part === "..")) return undefined;
    if (parts[0] === "host") {
      this.#own ??= await mkdtemp(path.join(tmpdir(), "agent-device-files-"));
      return path.join(this.#own, ...parts.slice(1));
    }
    if (parts[0] !== "out") return undefined;
    const place = `/${parts.slice(1).join("/")}`;
    // Films come in parts: the first under the name asked for, the others beside it.
    const first = place.replace(/-\d+(\.[^./]*)?$/, "$1");
    const asked = [...this.#asked].some((path) => path === place || path === first || (path.endsWith("/") && place.startsWith(path)));
    return asked ? place : undefined;
  }

  /** Fetches a file, whole or not at all. */
  async #fetch(file: Made, place: string): Promise<void> {
    const part = `${place}.part-${process.pid}`;
    await mkdir(path.dirname(place), { recursive: true });
    try {
      await tries(async () => {
        const reply = await refuse(await send(this.#endpoint, this.#ask("GET", file.name, FILE_LIMIT_MS), undefined), 200, true);
        const hash = createHash("sha256");
        let bytes = 0;
        reply.body.on("data", (chunk: Buffer) => {
          hash.update(chunk);
          bytes += chunk.length;
        });
        await pipeline(reply.body, createWriteStream(part));
        if (bytes !== file.bytes || hash.digest("hex") !== file.sha256) throw new Error("it came in part");
      });
      await rename(part, place);
    } finally {
      await rm(part, { force: true });
    }
    // It stays with the lease where this fails.
    await send(this.#endpoint, this.#ask("DELETE", file.name, SHORT_LIMIT_MS), undefined).then(({ body }) => body.resume(), () => {});
  }

  #ask(method: string, name: string, limitMs: number): Asked {
    return { method, path: `/files/${name.split("/").map(encodeURIComponent).join("/")}`, headers: this.#headers(), limitMs };
  }
}

/** A reply of the device host with this status; another is its failure, or not its reply. */
async function refuse(reply: Answered, status: number, open = false): Promise<Answered> {
  if (reply.headers["agent-device"] === undefined) {
    reply.body.destroy();
    throw new Error(`something else than agent-device answers (${reply.status})`);
  }
  if (reply.status === status) {
    if (!open) reply.body.resume();
    return reply;
  }
  const said = await json(reply, SHORT_LIMIT_MS);
  throw isObject(said) && isObject(said["error"]) ? fromWire(said["error"], undefined) : new Error(`it answers ${reply.status}`);
}

/** A few times: what is sent and fetched here can be again. A refusal is one. */
async function tries<T>(once: () => Promise<T>): Promise<T> {
  for (let at = 1; ; at++) {
    try {
      return await once();
    } catch (why) {
      if (why instanceof AgentDeviceError || at >= TRIES) throw why;
    }
  }
}

function isMade(value: unknown): value is Made & Record<string, unknown> {
  return isObject(value) && typeof value["name"] === "string" && typeof value["bytes"] === "number" && typeof value["sha256"] === "string";
}

/** A value with every text in it changed. */
export function replaced<T>(value: T, change: (text: string) => string): T {
  if (typeof value === "string") return change(value) as T;
  if (Array.isArray(value)) return value.map((part: unknown) => replaced(part, change)) as T;
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, replaced(part, change)])) as T;
  return value;
}
