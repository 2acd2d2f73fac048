/** What a client is told when it is made, and what a call can be told. */

import { existsSync } from "node:fs";
import path from "node:path";
import process from "node:process";

import { refused } from "./errors.js";
import type { Platform } from "./generated.js";

/** How a client works. Everything may be left out. */
export interface ClientOptions {
  /** The session's name. Without one: `AGENT_DEVICE_SESSION`, else the session of the workspace. */
  session?: string | undefined;
  /** The folder that names the session [default: the git worktree around `folder`, else `folder`]. */
  workspace?: string | undefined;
  /** Where relative paths in arguments lie [default: the process's working directory]. */
  folder?: string | undefined;
  /** Which platform `open` opens on [default: `AGENT_DEVICE_PLATFORM`]. */
  platform?: Platform | undefined;
  /** Which device `open` opens. */
  device?: string | undefined;
  /** Where the daemon keeps its state [default: `AGENT_DEVICE_STATE_DIR`, else the program's own]. */
  stateDir?: string | undefined;
  /** The program [default: `AGENT_DEVICE_BINARY`, the platform's package, `PATH`]. */
  binary?: string | undefined;
  /** How long each call may take, ms [default: each command's own limit]. */
  timeoutMs?: number | undefined;
  /**
   * How long a press waits while its target is absent, ms [default: 2000, which is the most]. Then it presses once; 0 means
   * one look. What is there and covered, disabled or ambiguous is refused at once.
   */
  readinessTimeoutMs?: number | undefined;
  /** A device host to use instead of a daemon on this machine [default: `AGENT_DEVICE_URL`]. */
  url?: string | undefined;
  /** The host's token [default: `AGENT_DEVICE_TOKEN`, else what `AGENT_DEVICE_TOKEN_FILE` holds]. */
  token?: string | undefined;
  /** Ends every call of this client. */
  signal?: AbortSignal | undefined;
}

/** How one call works. */
export interface CallOptions {
  /** How long the call may take, ms. For `wait` it is the wait's own limit. */
  timeoutMs?: number | undefined;
  /** How long a press waits while its target is absent, ms. */
  readinessTimeoutMs?: number | undefined;
  /** Another session than the client's. */
  session?: string | undefined;
  /**
   * The call's id, unique. The same id is never run twice: asked again it answers with what was answered then.
   */
  requestId?: string | undefined;
  /**
   * Ends the call. What is under way is joined, nothing further is sent: the call still ends with what became of it, a
   * result or a failure `CANCELLED` with its `dispatched`.
   */
  signal?: AbortSignal | undefined;
}

/** Variables of the environment. */
export type Environment = Readonly<Record<string, string | undefined>>;

const PLATFORMS: readonly string[] = ["stage", "web", "android"] satisfies Platform[];

/** The names of the options of a call. */
export const CALL_OPTIONS = ["timeoutMs", "readinessTimeoutMs", "session", "requestId", "signal"] as const;

/** The options with what the environment says. */
export interface Settled {
  readonly session: string | undefined;
  readonly workspace: string;
  readonly folder: string;
  readonly platform: Platform | undefined;
  readonly device: string | undefined;
  readonly stateDir: string | undefined;
  readonly binary: string | undefined;
  readonly timeoutMs: number | undefined;
  readonly readinessTimeoutMs: number;
  readonly url: string | undefined;
  readonly token: string | undefined;
  readonly signal: AbortSignal | undefined;
  /** Whose sessions these are on a device host. */
  readonly lease?: string | undefined;
}

const KNOWN: readonly string[] = [
  "session", "workspace", "folder", "platform", "device", "stateDir", "binary", "timeoutMs", "readinessTimeoutMs", "url", "token",
  "signal",
] satisfies (keyof ClientOptions)[];

/** Fills in what is left out; refuses what does not fit. */
export function settle(options: ClientOptions, environment: Environment = process.env): Settled {
  const variable = (name: string) => environment[name] || undefined;
  const unknown = Object.keys(options).find((key) => !KNOWN.includes(key));
  if (unknown !== undefined) throw wrong(`a client has no option ${JSON.stringify(unknown)}`, `it takes ${KNOWN.join(", ")}`);
  const platform = options.platform ?? variable("AGENT_DEVICE_PLATFORM");
  if (platform !== undefined && !PLATFORMS.includes(platform)) {
    throw wrong(`there is no platform ${JSON.stringify(platform)}`, PLATFORMS.join(", "));
  }
  const folder = path.resolve(options.folder ?? "");
  return {
    session: options.session || variable("AGENT_DEVICE_SESSION"),
    workspace: path.resolve(options.workspace ?? worktree(folder)),
    folder,
    platform: platform as Platform | undefined,
    device: options.device,
    stateDir: options.stateDir || variable("AGENT_DEVICE_STATE_DIR"),
    binary: options.binary,
    timeoutMs: millis("timeoutMs", options.timeoutMs),
    readinessTimeoutMs: millis("readinessTimeoutMs", options.readinessTimeoutMs) ?? 2000,
    url: options.url ?? variable("AGENT_DEVICE_URL"),
    token: options.token,
    signal: options.signal,
  };
}

/** A time as it can be sent. */
export function millis(name: string, value: number | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!Number.isSafeInteger(value) || value < 0) throw wrong(`${name} is a whole number of ms, not ${String(value)}`);
  return value;
}

/** A call that does not fit. */
export function wrong(message: string, hint?: string) {
  return refused("INVALID_ARGS", message, {
    row: "client.usage",
    reason: "invalid_arguments",
    ...(hint === undefined ? {} : { hint }),
  });
}

/** The git worktree around a folder, else the folder. */
function worktree(folder: string): string {
  for (let at = folder; ; at = path.dirname(at)) {
    if (existsSync(path.join(at, ".git"))) return at;
    if (path.dirname(at) === at) return folder;
  }
}
