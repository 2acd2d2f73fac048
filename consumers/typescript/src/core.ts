/** What every namespace stands on: one call of one command, with the client's options and the call's. */

import { randomBytes } from "node:crypto";
import { setMaxListeners } from "node:events";
import process from "node:process";

import { effectOf, limitOf } from "./effects.js";
import { isObject } from "./errors.js";
import { type CommandName, COMMANDS, type Commands, type Request } from "./generated.js";
import { CALL_OPTIONS, type CallOptions, type Settled, millis, wrong } from "./options.js";
import { resolvePaths } from "./paths.js";
import { findProgram, run } from "./program.js";
import { sessionOf } from "./state-dir.js";
import type { Transport } from "./transport.js";

/** What a command takes besides its targets, and how the call works. */
export type Options<Name extends CommandName, Given extends string = never> = Without<Commands[Name]["args"], Given> & CallOptions;

/** `Omit` that keeps the variants of a union apart. */
type Without<T, Keys extends string> = T extends unknown ? Omit<T, Keys> : never;

/** What a command answers. */
export type Result<Name extends CommandName> = Commands[Name]["result"];

/** Commands with an argument of the same name as the call's limit: it is the argument that is meant. */
const OWN_TIMEOUT: readonly string[] = ["wait"] satisfies CommandName[];

/** Calls commands. */
export class Core {
  readonly settled: Settled;
  readonly transport: Transport;

  constructor(settled: Settled, transport: Transport) {
    this.settled = settled;
    this.transport = transport;
  }

  /** Calls a command by its name, with its arguments as they stand in the contract. */
  async run<Name extends CommandName>(command: Name, args: Commands[Name]["args"], call: CallOptions = {}): Promise<Result<Name>> {
    if (!isObject(args)) throw wrong(`the arguments of ${command} are an object`);
    const { settled } = this;
    const own = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
    const sent = await resolvePaths(command, own, settled.folder);
    const timeoutMs = millis("timeoutMs", call.timeoutMs) ?? settled.timeoutMs;
    const readiness = this.#readiness(command, call);
    const session = call.session ?? settled.session;
    const request: Request = {
      requestId: call.requestId ?? requestId(),
      ...(session === undefined ? { workspace: settled.workspace } : { session }),
      ...(settled.platform === undefined ? {} : { platform: settled.platform }),
      ...(settled.device === undefined ? {} : { device: settled.device }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(readiness === 0 ? {} : { readinessTimeoutMs: readiness }),
      command,
      args: sent,
    };
    const how = { effect: effectOf(command, sent), limitMs: (timeoutMs ?? limitOf(command, sent)) + readiness };
    const answer = await under([call.signal, settled.signal], (signal) => this.transport.run(request, { ...how, signal }));
    return (answer.data ?? {}) as Result<Name>;
  }

  /** Calls a command whose arguments and options stand in one object. */
  call<Name extends CommandName>(command: Name, given: Commands[Name]["args"] & CallOptions): Promise<Result<Name>> {
    const args: Record<string, unknown> = {};
    const call: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(given)) {
      const isOption = (CALL_OPTIONS as readonly string[]).includes(key) && !(key === "timeoutMs" && OWN_TIMEOUT.includes(command));
      (isOption ? call : args)[key] = value;
    }
    return this.run(command, args as Commands[Name]["args"], call as CallOptions);
  }

  /** The session's name: as given, else that of the workspace. */
  sessionName(given?: string): string {
    return given ?? this.settled.session ?? sessionOf(this.settled.workspace);
  }

  /** Runs the program, for what only the command line does. */
  async program(words: string[], how: ProgramCall): Promise<Record<string, unknown>> {
    const { settled } = this;
    const timeoutMs = millis("timeoutMs", how.timeoutMs) ?? settled.timeoutMs;
    const flags = [
      `--session=${this.sessionName(how.session)}`,
      ...(settled.platform === undefined ? [] : [`--platform=${settled.platform}`]),
      ...(settled.device === undefined ? [] : [`--device=${settled.device}`]),
      ...(timeoutMs === undefined ? [] : [`--timeout=${timeoutMs}`]),
    ];
    const program = await findProgram(settled.binary);
    const asked = {
      stateDir: settled.stateDir,
      folder: settled.folder,
      environment: remoteEnvironment(settled),
      limitMs: (timeoutMs ?? how.limitMs) + 60_000,
      effect: how.effect,
    };
    return under([how.signal, settled.signal], (signal) => run(program, [...flags, ...words], { ...asked, signal }));
  }

  #readiness(command: CommandName, call: CallOptions): number {
    const asked = millis("readinessTimeoutMs", call.readinessTimeoutMs) ?? this.settled.readinessTimeoutMs;
    // A name that is no command is the daemon's to refuse.
    return Object.hasOwn(COMMANDS, command) && COMMANDS[command].readiness ? asked : 0;
  }
}

/** How the program is called. */
export interface ProgramCall extends CallOptions {
  /** How long it may take when nothing is said, ms. */
  limitMs: number;
  /** What it does at most. */
  effect: "observes" | "mutates" | "manages";
}

function remoteEnvironment(settled: Settled): Record<string, string> {
  return {
    ...(settled.url === undefined ? {} : { AGENT_DEVICE_URL: settled.url }),
    ...(settled.token === undefined ? {} : { AGENT_DEVICE_TOKEN: settled.token }),
    // The program works under this client's lease, and leaves it the time that it has.
    ...(settled.lease === undefined ? {} : { AGENT_DEVICE_LEASE: settled.lease, AGENT_DEVICE_LEASE_MS: "60000" }),
  };
}

/**
 * Makes a call under a signal of its own that is aborted when one of the given is. Nothing of the call stays with them, however
 * long they live and however many calls they have.
 */
async function under<T>(given: (AbortSignal | undefined)[], call: (signal: AbortSignal | undefined) => Promise<T>): Promise<T> {
  const signals = given.filter((signal) => signal !== undefined);
  if (signals.length === 0) return call(undefined);
  const own = new AbortController();
  const links = signals.map((signal) => {
    const abort = () => own.abort(signal.reason);
    // One signal for many calls is no leak that Node has to warn of.
    setMaxListeners(0, signal);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
    return () => signal.removeEventListener("abort", abort);
  });
  try {
    return await call(own.signal);
  } finally {
    for (const unlink of links) unlink();
  }
}

const started = `${Date.now().toString(36)}-${process.pid.toString(36)}-${randomBytes(6).toString("hex")}`;
let count = 0;

/** An id that no other request has: the time, this process, chance, a count. */
export function requestId(): string {
  return `ts-${started}-${(count++).toString(36)}`;
}
