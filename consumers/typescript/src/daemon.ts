/**
 * The daemon of this machine: found, started where there is none, and asked over its socket. One connection per request, so that
 * to end the writing side says that nobody asks any more.
 */

import path from "node:path";

import { Connection, NoReply, NotWritten, type Reply } from "./connection.js";
import { type AgentDeviceError, fromWire, isObject, refused } from "./errors.js";
import { type Answer, type Request, VERSION, type Welcome } from "./generated.js";
import { findProgram, startDaemon } from "./program.js";
import { socketPath, stateDir, strangers } from "./state-dir.js";
import { type Carried, type Transport, abortedBefore, lost, notTaken, unreachable } from "./transport.js";
import { Turns } from "./turns.js";

/** How long a daemon may take to take a connection and to greet, ms. */
const GREETING_LIMIT_MS = 5_000;
/** What a client waits beyond the request's own limit before it gives the daemon up, ms. */
const MARGIN_MS = 20_000;
/** How often the result of a request is asked for whose reply was lost. To ask is a read: it may be lost as well. */
const ASKS = 3;
/** Requests of one client at a time, each on a connection of its own: a daemon takes 256 connections, from everybody. */
const AT_ONCE = 64;
/** How often a daemon is started that is gone again before it greets. */
const STARTS = 3;

/** Nobody listens: there is no daemon, or it is just ending. */
class Nobody extends Error {}

interface Greeted {
  connection: Connection;
  welcome: Welcome;
}

/** How a daemon is found. */
export interface DaemonOptions {
  stateDir?: string | undefined;
  binary?: string | undefined;
  /** See `MARGIN_MS`. */
  marginMs?: number | undefined;
}

/** The daemon of a state folder. */
export class LocalDaemon implements Transport {
  readonly #options: DaemonOptions;
  readonly #socket: string;
  readonly #turns = new Turns(AT_ONCE);
  #starting: Promise<string> | undefined;

  constructor(options: DaemonOptions) {
    this.#options = options;
    this.#socket = socketPath(stateDir(options.stateDir));
  }

  async run(request: Request, how: Carried): Promise<Answer> {
    const end = await this.#turns.take(how.signal);
    if (!end) throw abortedBefore(how.signal as AbortSignal, request.requestId);
    try {
      return await this.#run(request, how);
    } finally {
      end();
    }
  }

  async #run(request: Request, how: Carried): Promise<Answer> {
    const { signal } = how;
    const { connection, welcome } = await this.#reachUnlessAborted(signal, request.requestId);
    const shut = () => connection.shut();
    const limitMs = how.limitMs + (this.#options.marginMs ?? MARGIN_MS);
    try {
      await connection.write(1, "run", request, limitMs);
      // From here on, not before: a request that is cut off would be none.
      if (signal?.aborted) shut();
      else signal?.addEventListener("abort", shut, { once: true });
      return judged(await connection.reply(1, limitMs), undefined, request.requestId, signal);
    } catch (why) {
      if (why instanceof NotWritten) throw unreachable(`the request could not be written: ${why.message}`, why);
      if (why instanceof NoReply) return await this.#askAgain(request, welcome.instance, how, why.message);
      throw why;
    } finally {
      signal?.removeEventListener("abort", shut);
      connection.close();
    }
  }

  /** Asks the same daemon, if it still lives, for the result of a request whose reply was lost. Runs nothing. */
  async #askAgain(request: Request, instance: string, how: Carried, cause: string): Promise<Answer> {
    const { requestId } = request;
    const deadline = performance.now() + how.limitMs + (this.#options.marginMs ?? MARGIN_MS);
    for (let asked = 0; asked < ASKS && performance.now() < deadline; asked++) {
      let greeted: Greeted;
      try {
        greeted = await this.#greet(this.#socket);
      } catch (why) {
        if (why instanceof Nobody) break;
        continue;
      }
      const { connection, welcome } = greeted;
      try {
        // Another daemon cannot answer for what this one was asked.
        if (welcome.instance !== instance) break;
        const left = Math.max(1, deadline - performance.now());
        await connection.write(1, "retained", { requestId }, left);
        const reply = await connection.reply(1, left);
        // It lives, has never seen the request, and will not run it. Looks are not kept: they may have run.
        if (reply.of === requestId && reasonOf(reply) === "not_seen") {
          throw how.effect === "observes" ? lost(request, how.effect, cause) : notTaken(request, cause);
        }
        return judged(reply, requestId, requestId, how.signal);
      } catch (why) {
        if (!(why instanceof NotWritten || why instanceof NoReply)) throw why;
      } finally {
        connection.close();
      }
    }
    throw lost(request, how.effect, cause);
  }

  /** A greeted connection, unless the caller ends it before: then nothing was sent. */
  #reachUnlessAborted(signal: AbortSignal | undefined, requestId: string): Promise<Greeted> {
    if (!signal) return this.#reach();
    if (signal.aborted) return Promise.reject(abortedBefore(signal, requestId));
    return new Promise((resolve, reject) => {
      let given = false;
      const aborted = () => {
        given = true;
        reject(abortedBefore(signal, requestId));
      };
      signal.addEventListener("abort", aborted, { once: true });
      this.#reach().then(
        (greeted) => {
          signal.removeEventListener("abort", aborted);
          if (given) greeted.connection.close();
          else resolve(greeted);
        },
        (why: unknown) => {
          signal.removeEventListener("abort", aborted);
          reject(why);
        },
      );
    });
  }

  /** A greeted connection to a daemon of this client's version, started where there is none. */
  async #reach(): Promise<Greeted> {
    let socket = this.#socket;
    for (let starts = 0; ; starts++) {
      try {
        const greeted = await this.#greet(socket);
        if (greeted.welcome.accepted) return greeted;
        greeted.connection.close();
        const { version, pid, sessions } = greeted.welcome;
        if (sessions > 0 || starts > 0) {
          throw mismatch(
            `the running daemon (pid ${pid}) is agent-device ${version}${sessions > 0 ? ` and has ${sessions} open session(s)` : ""}; this client is ${VERSION}`,
            sessions > 0 ? "stop it when its sessions are not needed any more: agent-device daemon stop" : undefined,
          );
        }
      } catch (why) {
        if (!(why instanceof Nobody)) throw why;
        if (starts >= STARTS) throw unreachable(`the daemon was started and does not listen at ${socket}: ${why.message}`);
      }
      socket = await this.#start();
    }
  }

  /** Lets the program start a daemon, or replace an idle one of another build. Calls at the same time share one start. */
  #start(): Promise<string> {
    this.#starting ??= this.#startOnce().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  async #startOnce(): Promise<string> {
    const program = await findProgram(this.#options.binary);
    const running = await startDaemon(program, this.#options.stateDir);
    if (running.version !== VERSION) {
      throw mismatch(`${program} is agent-device ${running.version}; this client is ${VERSION}`, "install both in the same version");
    }
    return running.socket;
  }

  async #greet(socket: string): Promise<Greeted> {
    const strange = await strangers(path.dirname(socket)).catch((why: Error) => {
      throw new Nobody(why.message);
    });
    if (strange !== undefined) throw unreachable(`${strange}: nothing was said to what listens there`);
    let connection: Connection;
    try {
      connection = await Connection.open(socket, GREETING_LIMIT_MS);
    } catch (why) {
      const { code, message } = why as NodeJS.ErrnoException;
      if (code === "ENOENT" || code === "ECONNREFUSED") throw new Nobody(message);
      throw unreachable(`the daemon does not take a connection: ${message}`, why);
    }
    try {
      await connection.write(0, "hello", { version: VERSION }, GREETING_LIMIT_MS);
      const { result, error } = await connection.reply(0, GREETING_LIMIT_MS);
      if (isObject(error) && isObject(error["data"])) throw refusal(error["data"]);
      if (!isWelcome(result)) throw unreachable("the daemon does not answer: it refused the greeting");
      return { connection, welcome: result };
    } catch (why) {
      connection.close();
      // A daemon that is just ending, or was killed before it read: the same as nobody.
      const gone = why instanceof NotWritten || (why instanceof NoReply && ["EOF", "ECONNRESET", "EPIPE"].includes(why.word ?? ""));
      if (gone) throw new Nobody((why as Error).message);
      if (why instanceof NoReply) throw unreachable(`the daemon does not answer: ${why.message}`, why);
      throw why;
    }
  }
}

/** What a reply says; a reply that says nothing, or speaks of another request, is none. */
function judged(reply: Reply, of: string | undefined, requestId: string, signal: AbortSignal | undefined): Answer {
  if (reply.of !== of) throw new NoReply("a reply about something else");
  if (isObject(reply.error) && isObject(reply.error["data"])) {
    throw fromWire(reply.error["data"], requestId, signal?.aborted ? signal.reason : undefined);
  }
  if (!isObject(reply.result) || !("data" in reply.result)) throw new NoReply("a reply that says nothing");
  return reply.result as unknown as Answer;
}

/** A daemon that does not take this client says why; whatever it says, nothing was asked of it. */
function refusal(data: Record<string, unknown>): AgentDeviceError {
  const said = fromWire(data, undefined);
  return refused(said.code, said.message, {
    details: said.details,
    retriable: said.retriable,
    ...(said.hint === undefined ? {} : { hint: said.hint }),
  });
}

function reasonOf(reply: Reply): unknown {
  const data = isObject(reply.error) ? reply.error["data"] : undefined;
  return isObject(data) && isObject(data["details"]) ? data["details"]["reason"] : undefined;
}

function isWelcome(value: unknown): value is Welcome {
  return isObject(value) && typeof value["version"] === "string" && typeof value["instance"] === "string" && typeof value["accepted"] === "boolean";
}

function mismatch(message: string, hint: string | undefined) {
  return refused("VERSION_MISMATCH", message, {
    row: "client.version-mismatch",
    reason: "version_mismatch",
    ...(hint === undefined ? {} : { hint }),
  });
}
