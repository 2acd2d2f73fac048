/** Finds the program and runs it: to start a daemon, and for what only the command line does (scripts, suites, pages). */

import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import process from "node:process";

import { AgentDeviceError, fromWire, isObject, refused } from "./errors.js";
import { VERSION } from "./generated.js";
import type { Environment } from "./options.js";

/** How long a daemon may take to start, or an old one to end first, ms. */
const START_LIMIT_MS = 60_000;
/** What a program prints is kept up to this many bytes. */
const OUTPUT_LIMIT = 64 << 20;

/** Where the daemon is, as `daemon start` says it. */
export interface Running {
  socket: string;
  version: string;
}

/** The package that brings the program for this machine. */
export const PLATFORM_PACKAGE = `@agent-device-client/${process.platform}-${process.arch}`;

/** Finds the program: as told, by `AGENT_DEVICE_BINARY`, in the platform's package, on the `PATH`. */
export async function findProgram(given: string | undefined, environment: Environment = process.env): Promise<string> {
  const told = given || environment["AGENT_DEVICE_BINARY"];
  if (told) {
    const whole = path.resolve(told);
    if (await runnable(whole)) return whole;
    const said = given ? "the option `binary`" : "AGENT_DEVICE_BINARY";
    throw missing(`${said} names ${whole}, which cannot be run`);
  }
  try {
    const packaged = createRequire(import.meta.url).resolve(`${PLATFORM_PACKAGE}/bin/agent-device`);
    if (await runnable(packaged)) return packaged;
  } catch {
    // Not installed: it is optional.
  }
  for (const folder of (environment["PATH"] ?? "").split(path.delimiter)) {
    const whole = path.join(folder || ".", "agent-device");
    if (await runnable(whole)) return path.resolve(whole);
  }
  throw missing("the program agent-device is not installed");
}

function missing(message: string): AgentDeviceError {
  return refused("TOOL_MISSING", message, {
    row: "client.daemon-not-started",
    reason: "program_missing",
    hint: `install ${PLATFORM_PACKAGE}, put agent-device on the PATH, or name it: the option binary, or AGENT_DEVICE_BINARY`,
  });
}

async function runnable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(() => true, () => false);
}

/** Makes sure that a daemon of the program's build runs; says where. */
export async function startDaemon(program: string, stateDir: string | undefined): Promise<Running> {
  const data = await run(program, ["daemon", "start"], { stateDir, limitMs: START_LIMIT_MS, effect: "manages" });
  const { socket, version } = data;
  if (typeof socket !== "string" || typeof version !== "string") {
    throw refused("DAEMON_UNAVAILABLE", `${program} does not say where its daemon listens`, {
      row: "client.daemon-not-started",
      reason: "daemon_unavailable",
      hint: `this client needs agent-device ${VERSION}: ${program} --version`,
    });
  }
  return { socket, version };
}

/** How to run the program. */
export interface Run {
  stateDir?: string | undefined;
  folder?: string | undefined;
  environment?: Record<string, string>;
  limitMs: number;
  signal?: AbortSignal | undefined;
  /** What the command does at most: a run that says nothing of its end may have done it. */
  effect: "observes" | "mutates" | "manages";
}

/**
 * Runs one command with `--json`; gives its data, or throws its failure.
 *
 * To abort it interrupts the program, which ends as its commands do: what is under way is joined. A program that does not end in
 * time is killed, and what it did then is not known.
 */
export async function run(program: string, words: string[], how: Run): Promise<Record<string, unknown>> {
  if (how.signal?.aborted) throw refused("CANCELLED", "the call was aborted before it began", { cause: how.signal.reason });
  const environment = {
    ...process.env,
    ...how.environment,
    ...(how.stateDir === undefined ? {} : { AGENT_DEVICE_STATE_DIR: how.stateDir }),
  };
  const child = spawn(program, ["--json", ...words], {
    ...(how.folder === undefined ? {} : { cwd: how.folder }),
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = await end(child, how);
  if ("notStarted" in ended) {
    throw refused("TOOL_MISSING", `${program} cannot be run: ${ended.notStarted}`, { row: "client.daemon-not-started", reason: "program_missing" });
  }
  const answer = lastObject(ended.out);
  // A suite with flows that failed has data too: its report.
  if (isObject(answer?.["data"])) return answer["data"];
  if (answer !== undefined && isObject(answer["error"])) throw fromWire(answer["error"], undefined, how.signal?.aborted ? how.signal.reason : undefined);
  // It said nothing that can be read: what it was asked for may have happened, unless it only looks.
  const said = (ended.error.trim() || ended.out.trim()).slice(-400);
  throw new AgentDeviceError({
    code: ended.late ? "TIMEOUT" : "COMMAND_FAILED",
    message: `${path.basename(program)} ${words[0] ?? ""} ended ${ended.how} without an answer${said ? `: ${said}` : ""}`,
    dispatched: how.effect === "mutates" ? "unknown" : "no",
    hint: how.effect === "mutates" ? "look first (snapshot), then decide" : undefined,
    details: { reason: "program_without_answer" },
  });
}

interface Ended {
  out: string;
  error: string;
  how: string;
  late: boolean;
}

function end(child: ChildProcess, how: Run): Promise<Ended | { notStarted: string }> {
  return new Promise((resolve) => {
    let out = "";
    let error = "";
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      child.kill("SIGKILL");
    }, Math.min(how.limitMs, 2 ** 31 - 1));
    const interrupt = () => void child.kill("SIGINT");
    how.signal?.addEventListener("abort", interrupt, { once: true });
    const done = (ended: Ended | { notStarted: string }) => {
      clearTimeout(timer);
      how.signal?.removeEventListener("abort", interrupt);
      resolve(ended);
    };
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      if (out.length < OUTPUT_LIMIT) out += text;
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      error = (error + text).slice(-8192);
    });
    child.on("error", (why) => {
      if (child.pid === undefined) done({ notStarted: why.message });
    });
    child.on("close", (status, signal) => done({ out, error, how: signal ?? `with ${status ?? "no status"}`, late }));
  });
}

/** The answer is the last line that is an object: progress may stand before it. */
function lastObject(text: string): Record<string, unknown> | undefined {
  for (const line of text.trim().split("\n").reverse()) {
    try {
      const read: unknown = JSON.parse(line);
      if (isObject(read)) return read;
    } catch {
      // Not the answer.
    }
  }
  return undefined;
}
