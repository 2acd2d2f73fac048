/** Scripts and suites, which the program runs, and films and traces. */

import type { Core, Options, Result } from "../core.js";
import type { Film, FilmQuality, FilmStarted, StepRecord, SuiteReport, TraceResult } from "../generated.js";
import type { CallOptions } from "../options.js";

/** How a script is run. */
export interface ReplayOptions extends CallOptions {
  /** Values for `${NAME}`. */
  env?: Record<string, string> | undefined;
  /** Go on from a step: `number` and `planDigest` stand in the failure of the run before (`details.divergence.resume`). */
  from?: { step: number; planDigest: string } | undefined;
  /** Leave the session open: a last `close` is not run. */
  keepSession?: boolean | undefined;
  /** Repair targets that are named otherwise now, and write the script: to a file, or `true` for beside the old one. */
  saveScript?: string | true | undefined;
  /** Replace a repaired script that is there. */
  force?: boolean | undefined;
  /** Write a page that shows every step: to a file, or `true` for beside the client's folder. */
  trace?: string | true | undefined;
}

/** What became of a script that passed. One that fails is an error `REPLAY_DIVERGENCE`. */
export interface ReplayResult {
  /** Steps that were run. */
  replayed: number;
  file: string;
  durationMs: number;
  /** Whether the session is still open. */
  sessionActive: boolean;
  /** Steps that waited for their target. */
  waited: { step: number; polls: number; waitedMs: number }[];
  /** Steps that named their target otherwise. */
  healed: unknown[];
  steps: StepRecord[];
  /** The repaired script. */
  healedScript?: string;
  /** The page that shows every step. */
  trace?: string;
  message: string;
}

/** How a suite is run. */
export interface TestOptions extends CallOptions {
  env?: Record<string, string> | undefined;
  /** Spread the flows over so many sessions at once. */
  shardSplit?: number | undefined;
  /** Run every flow in each of so many sessions. */
  shardAll?: number | undefined;
  devices?: string[] | undefined;
  /** Try a flow that fails again, from the start, so often. */
  retries?: number | undefined;
  failFast?: boolean | undefined;
  includeTags?: string[] | undefined;
  excludeTags?: string[] | undefined;
  artifactsDir?: string | undefined;
  trace?: "never" | "on-failure" | "always" | undefined;
  junit?: string | undefined;
  reportJson?: string | undefined;
  failOnFlaky?: boolean | undefined;
}

/** Runs recorded scripts and Maestro flows. Each step waits for its target and is sent once. */
export class Replay {
  readonly #core: Core;

  constructor(core: Core) {
    this.#core = core;
  }

  /** Runs one script or flow. */
  async run(file: string, options: ReplayOptions = {}): Promise<ReplayResult> {
    const { env, from, keepSession, saveScript, force, trace, ...call } = options;
    const words = [
      "replay",
      ...variables(env),
      ...flag("from", from?.step),
      ...flag("plan-digest", from?.planDigest),
      ...flag("keep-session", keepSession),
      ...optional("save-script", saveScript),
      ...flag("force", force),
      ...optional("trace", trace),
      "--",
      file,
    ];
    const data = await this.#core.program(words, { ...call, limitMs: 600_000, effect: "mutates" });
    return data as unknown as ReplayResult;
  }

  /** Runs a suite: files, folders and patterns. Flows that fail are in the report; an error is thrown where none could be run. */
  async test(paths: string | string[], options: TestOptions = {}): Promise<SuiteReport> {
    const { env, shardSplit, shardAll, devices, retries, failFast, includeTags, excludeTags, artifactsDir, trace, junit, reportJson, failOnFlaky, ...call } =
      options;
    const words = [
      "test",
      ...variables(env),
      ...flag("shard-split", shardSplit),
      ...flag("shard-all", shardAll),
      ...flag("devices", devices?.join(",")),
      ...flag("retries", retries),
      ...flag("fail-fast", failFast),
      ...flag("include-tags", includeTags?.join(",")),
      ...flag("exclude-tags", excludeTags?.join(",")),
      ...flag("artifacts-dir", artifactsDir),
      ...flag("trace", trace),
      ...flag("junit", junit),
      ...flag("report-json", reportJson),
      ...flag("fail-on-flaky", failOnFlaky),
      "--",
      ...[paths].flat(),
    ];
    const data = await this.#core.program(words, { ...call, limitMs: 3_600_000, effect: "mutates" });
    return data as unknown as SuiteReport;
  }
}

/** Films and traces. */
export class Recording {
  readonly #core: Core;

  constructor(core: Core) {
    this.#core = core;
  }

  /** Films the screen. */
  readonly record = {
    start: async (path?: string, options: { quality?: FilmQuality } & CallOptions = {}): Promise<FilmStarted> =>
      (await this.#core.call("record", { ...options, action: "start", ...(path === undefined ? {} : { path }) })) as FilmStarted,
    /** Ends the film, and fetches it. */
    stop: async (options: CallOptions = {}): Promise<Film> => (await this.#core.run("record", { action: "stop" }, options)) as Film,
  };

  /** Keeps what every command of the session does: pictures and trees before and after, times, failures. */
  readonly trace = {
    start: (options: CallOptions = {}): Promise<Result<"trace">> => this.#core.run("trace", { action: "start" }, options),
    /** Ends it, and writes the page that shows it. The program makes the page. */
    stop: async (out?: string, options: Pick<Options<"trace">, "keep" | "session" | "timeoutMs" | "signal"> = {}): Promise<TracePage> => {
      const { keep, ...call } = options;
      const words = ["trace", "stop", ...flag("out", out), ...flag("keep", keep)];
      return (await this.#core.program(words, { ...call, limitMs: 60_000, effect: "manages" })) as unknown as TracePage;
    },
  };
}

/** Where a trace is. */
export type TracePage = TraceResult & {
  /** The page that shows it. */
  page: string;
};

function variables(env: Record<string, string> | undefined): string[] {
  return Object.entries(env ?? {}).flatMap(([name, value]) => ["--env", `${name}=${value}`]);
}

function flag(name: string, value: string | number | boolean | undefined): string[] {
  if (value === undefined || value === false) return [];
  return value === true ? [`--${name}`] : [`--${name}=${value}`];
}

function optional(name: string, value: string | true | undefined): string[] {
  return flag(name, value);
}
