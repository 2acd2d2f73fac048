/**
 * A daemon on a device host, over HTTP (docs/reference/remote-protocol.md). A connection that breaks says nothing to the command:
 * what became of it is asked for by its id, and to end it is a request of its own.
 */

import { randomBytes } from "node:crypto";
import process from "node:process";

import { NoReply, NotWritten } from "../connection.js";
import { AgentDeviceError, fromWire, isObject, refused } from "../errors.js";
import { type Answer, type Request, VERSION, type Welcome } from "../generated.js";
import type { Environment } from "../options.js";
import { paused } from "../resend.js";
import { type Carried, type Transport, abortedBefore, lost, notTaken } from "../transport.js";
import { Files } from "./files.js";
import { type Endpoint, json, send } from "./http.js";

/** What a client waits beyond the request's own limit, ms. */
const MARGIN_MS = 20_000;
/** Nobody is asked any longer who was not heard of for so long, ms. */
const SILENCE_MS = 30_000;
/** One question about a lost reply waits so long, ms. */
const SHORT_LIMIT_MS = 10_000;
/** The lease is kept alive so often, ms. */
const HEARTBEAT_MS = 20_000;
/** A greeting is good for so long, ms. */
const GREETED_MS = 5_000;

/** A reply to `/rpc`, and what stands beside it. */
interface RpcReply {
  result?: unknown;
  error?: unknown;
  of?: unknown;
  hop?: unknown;
}

/** The host did not hand a request on, and says why. It says nothing of any other request. */
class Turned extends Error {
  readonly failure: AgentDeviceError;

  constructor(failure: AgentDeviceError) {
    super(failure.message);
    this.failure = failure;
  }
}

/** The daemon of a device host. */
export class RemoteDaemon implements Transport {
  /** Whose sessions and files these are. */
  readonly lease: string;
  readonly #endpoint: Endpoint;
  readonly #files: Files;
  readonly #shared: boolean;
  #greeted: { welcome: Welcome; at: number } | undefined;
  #heart: NodeJS.Timeout | undefined;
  #usedAt = 0;

  constructor(endpoint: Endpoint, environment: Environment = process.env) {
    const named = environment["AGENT_DEVICE_LEASE"] || undefined;
    this.#endpoint = endpoint;
    this.#shared = named !== undefined;
    this.lease = named ?? `ts-${randomBytes(16).toString("hex")}`;
    this.#files = new Files(endpoint, () => this.#headers());
  }

  async run(request: Request, how: Carried): Promise<Answer> {
    const { signal } = how;
    if (signal?.aborted) throw abortedBefore(signal, request.requestId);
    const { instance } = await this.#hello();
    const args = await this.#files.sent(request.command, isObject(request.args) ? request.args : {});
    if (signal?.aborted) throw abortedBefore(signal, request.requestId);
    this.#keepAlive();
    const cancel = () => void this.#cancel(request.requestId);
    signal?.addEventListener("abort", cancel, { once: true });
    try {
      return await this.#outcome(await this.#asked({ ...request, args }, instance, how), request, how);
    } finally {
      signal?.removeEventListener("abort", cancel);
    }
  }

  /** Ends the lease, and with it what this client has open there. One that others share is left to them. */
  async end(): Promise<void> {
    clearInterval(this.#heart);
    this.#heart = undefined;
    if (this.#usedAt === 0 || this.#shared) return;
    this.#usedAt = 0;
    const asked = { method: "DELETE", path: "/lease", headers: this.#headers(), limitMs: SHORT_LIMIT_MS };
    // It runs out by itself where this does not arrive.
    await send(this.#endpoint, asked, undefined).then(({ body }) => body.resume(), () => {});
  }

  /** The reply to a request that is sent once; where it is lost, what the host has kept. */
  async #asked(request: Request, instance: string, how: Carried): Promise<RpcReply> {
    const limitMs = how.limitMs + MARGIN_MS;
    const end = performance.now() + limitMs;
    try {
      return await this.#rpc("run", request, limitMs);
    } catch (why) {
      if (why instanceof NotWritten) throw unreachable(why);
      if (why instanceof Turned) throw why.failure;
      if (!(why instanceof NoReply)) throw why;
      return this.#askAgain(request, instance, how, why.message, end);
    }
  }

  async #askAgain(request: Request, instance: string, how: Carried, cause: string, end: number): Promise<RpcReply> {
    const { requestId } = request;
    let heardAt = performance.now();
    for (let pause = 100; performance.now() < end && performance.now() - heardAt < SILENCE_MS; pause = Math.min(pause * 2, 2000)) {
      try {
        const reply = await this.#rpc("retained", { requestId, instance }, Math.max(1, Math.min(end - performance.now(), 60_000)));
        heardAt = performance.now();
        const reason = reasonOf(reply);
        if (reason === "not_seen" && reply.of === requestId) throw how.effect === "observes" ? lost(request, how.effect, cause) : notTaken(request, cause);
        if (reason === "instance_gone" || reason === "result_forgotten") throw lost(request, how.effect, cause);
        // It waits for the answer only so long.
        if (reason === "still_running") continue;
        // About the question itself, such as that the host is busy: it is asked again.
        if (reply.of !== requestId) throw new NoReply("a reply about something else");
        return reply;
      } catch (why) {
        // A question that the host turns away says nothing of the request.
        if (!(why instanceof NoReply || why instanceof NotWritten || why instanceof Turned)) throw why;
        await paused(pause, undefined);
      }
    }
    throw lost(request, how.effect, cause);
  }

  async #outcome(reply: RpcReply, request: Request, how: Carried): Promise<Answer> {
    const local = await this.#files.fetched({ result: reply.result, error: reply.error }, reply.hop).catch((why: Error) => {
      throw new AgentDeviceError({
        code: "STORAGE_FAILED",
        message: `the command was done, and what it wrote cannot be fetched: ${why.message}`,
        dispatched: how.effect === "observes" ? "no" : "unknown",
        details: { reason: "artifact_lost", dispatchRow: how.effect === "observes" ? "client.look-artifact-lost" : "client.artifact-lost" },
        requestId: request.requestId,
        cause: why,
      });
    });
    if (isObject(local.error)) throw fromWire(local.error["data"], request.requestId, how.signal?.aborted ? how.signal.reason : undefined);
    return local.result as Answer;
  }

  async #hello(): Promise<Welcome> {
    if (this.#greeted && performance.now() - this.#greeted.at < GREETED_MS) return this.#greeted.welcome;
    let reply: RpcReply;
    try {
      reply = await this.#rpc("hello", { version: VERSION }, SHORT_LIMIT_MS);
    } catch (why) {
      if (why instanceof NotWritten || why instanceof NoReply) throw unreachable(why);
      throw why instanceof Turned ? why.failure : why;
    }
    if (isObject(reply.error)) throw fromWire(reply.error["data"], undefined);
    const welcome = reply.result as Welcome;
    if (!welcome.accepted) {
      throw refused("VERSION_MISMATCH", `the device host is agent-device ${welcome.version}; this client is ${VERSION}`, {
        row: "client.hop-version-mismatch",
        reason: "version_mismatch",
        hint: "install both in the same version",
      });
    }
    this.#greeted = { welcome, at: performance.now() };
    return welcome;
  }

  /** To end a request is safe to ask more than once, and worth it. */
  async #cancel(requestId: string): Promise<void> {
    for (let tries = 0; tries < 3; tries++) {
      const done = await this.#rpc("cancel", { requestId }, SHORT_LIMIT_MS).then(() => true, () => false);
      if (done) return;
    }
  }

  async #rpc(method: string, params: unknown, limitMs: number): Promise<RpcReply> {
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
    const end = performance.now() + limitMs;
    this.#usedAt = performance.now();
    const headers = { ...this.#headers(), "Content-Type": "application/json" };
    const reply = await send(this.#endpoint, { method: "POST", path: "/rpc", headers, limitMs }, body);
    if (reply.headers["agent-device"] === undefined) {
      reply.body.destroy();
      throw new NoReply(`something else than agent-device answers (${reply.status})`, "FOREIGN");
    }
    const said = await json(reply, Math.max(1, end - performance.now()));
    if (!isObject(said)) throw new NoReply("a reply that is no object");
    if (reply.status !== 200) {
      if (isObject(said["error"])) throw new Turned(fromWire(said["error"], undefined));
      throw new NoReply(`the device host answers ${reply.status}`);
    }
    if (!isObject(said["result"]) && !isObject(said["error"])) throw new NoReply("a reply that says nothing");
    return said;
  }

  #headers(): Record<string, string> {
    return { "Agent-Device-Lease": this.lease };
  }

  #keepAlive(): void {
    this.#heart ??= setInterval(() => {
      if (performance.now() - this.#usedAt < HEARTBEAT_MS / 2) return;
      const asked = { method: "POST", path: "/lease", headers: this.#headers(), limitMs: SHORT_LIMIT_MS };
      send(this.#endpoint, asked, Buffer.from("{}")).then(({ body }) => body.resume(), () => {});
    }, HEARTBEAT_MS);
    // A process that has nothing else to do may end: the lease runs out.
    this.#heart.unref();
  }
}

function reasonOf(reply: RpcReply): unknown {
  const data = isObject(reply.error) ? reply.error["data"] : undefined;
  return isObject(data) && isObject(data["details"]) ? data["details"]["reason"] : undefined;
}

function unreachable(why: Error): AgentDeviceError {
  const foreign = why instanceof NoReply && why.word === "FOREIGN";
  return refused("DAEMON_UNAVAILABLE", `the device host cannot be asked: ${why.message}`, {
    row: foreign ? "client.hop-foreign" : "client.hop-unreachable",
    reason: foreign ? "foreign_server" : "daemon_unavailable",
    retriable: !foreign,
    cause: why,
    hint: "is agent-device serve running there, and does AGENT_DEVICE_URL lead to it?",
  });
}
