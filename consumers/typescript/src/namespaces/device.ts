/** The screen, apps, devices, sessions, settings, measurements. */

import type { Core, Options, Result } from "../core.js";
import type {
  BatchArgs, BootArgs, CommandName, Commands, Difference, InstallArgs, OpenArgs, PairArgs, PerfArea, PerfArgs, ReinstallArgs, Saved, Screen,
  Closed, ClosedAll, ScreenshotArgs, SessionList, Setting, SnapshotArgs, StateDir, Step,
} from "../generated.js";
import type { CallOptions } from "../options.js";

/** What is on the screen. */
export class Capture {
  readonly #core: Core;

  constructor(core: Core) {
    this.#core = core;
  }

  /** The screen's nodes, with refs to act on. */
  snapshot(options: SnapshotArgs & CallOptions & { diff: true }): Promise<Difference>;
  snapshot(options?: SnapshotArgs & CallOptions & { diff?: false | undefined }): Promise<Screen>;
  snapshot(options: SnapshotArgs & CallOptions = {}): Promise<Result<"snapshot">> {
    return this.#core.call("snapshot", options);
  }

  /** Saves a PNG of the screen. A relative path lies in the client's folder. */
  screenshot(path?: string, options: Omit<ScreenshotArgs, "path" | "out"> & CallOptions = {}): Promise<Result<"screenshot">> {
    return this.#core.call("screenshot", { ...options, ...(path === undefined ? {} : { out: path }) });
  }

  /** What changed since the last snapshot or diff. */
  diff(options: Options<"diff", "kind"> = {}): Promise<Result<"diff">> {
    return this.#core.call("diff", { ...options, kind: "snapshot" });
  }
}

/** Devices that can be opened. */
export class Devices {
  readonly #core: Core;

  constructor(core: Core) {
    this.#core = core;
  }

  /** Lists them. */
  list(options: CallOptions = {}): Promise<Result<"devices">> {
    return this.#core.run("devices", {}, options);
  }

  /** What a device can do, and what it cannot and why. */
  capabilities(options: CallOptions = {}): Promise<Result<"capabilities">> {
    return this.#core.run("capabilities", {}, options);
  }

  /** Starts an emulator and waits until it is ready. */
  boot(options: BootArgs & CallOptions = {}): Promise<Result<"boot">> {
    return this.#core.call("boot", options);
  }

  /** Shuts an emulator down. */
  shutdown(options: CallOptions = {}): Promise<Result<"shutdown">> {
    return this.#core.run("shutdown", {}, options);
  }

  /** Pairs with a phone by the address and the code that it shows. */
  pair(options: PairArgs & CallOptions): Promise<Result<"pair">> {
    return this.#core.call("pair", options);
  }
}

/** Sessions, and the daemon that has them. */
export class Sessions {
  readonly #core: Core;

  constructor(core: Core) {
    this.#core = core;
  }

  /** The open ones. */
  async list(options: CallOptions = {}): Promise<SessionList> {
    return (await this.#core.run("session", { action: "list" }, options)) as SessionList;
  }

  /** The folder where the daemon keeps its state. */
  async stateDir(options: CallOptions = {}): Promise<string> {
    return ((await this.#core.run("session", { action: "state-dir" }, options)) as StateDir).stateDir;
  }

  /** Closes the app or browser and ends the session. */
  async close(options: CallOptions = {}): Promise<Closed> {
    return (await this.#core.run("close", {}, options)) as Closed;
  }

  /** Ends every session of the daemon. */
  async closeAll(options: CallOptions = {}): Promise<ClosedAll> {
    return (await this.#core.run("close", { all: true }, options)) as ClosedAll;
  }

  /** Writes the steps recorded so far as a script, and ends the recording. */
  async saveScript(path?: string, options: Options<"session", "action" | "path"> = {}): Promise<Saved> {
    return (await this.#core.call("session", { ...options, action: "save-script", ...(path === undefined ? {} : { path }) })) as Saved;
  }

  /** Stops the daemon, closing every session; it is gone when this returns. */
  stopDaemon(options: CallOptions = {}): Promise<Record<string, unknown>> {
    return this.#core.program(["daemon", "stop"], { ...options, limitMs: 60_000, effect: "mutates" });
  }
}

/** Apps, and what is open. */
export class Apps {
  readonly #core: Core;

  constructor(core: Core) {
    this.#core = core;
  }

  /** Opens an app, a page on disk or an address, in this session; nothing is the demo app. */
  open(app?: string, options: Omit<OpenArgs, "app"> & CallOptions = {}): Promise<Result<"open">> {
    return this.#core.call("open", { ...options, ...(app === undefined ? {} : { app }) });
  }

  /** Closes the app or browser and ends the session. */
  async close(options: CallOptions = {}): Promise<Closed> {
    return (await this.#core.run("close", {}, options)) as Closed;
  }

  /** Lists the apps on a device. */
  list(options: Options<"apps"> = {}): Promise<Result<"apps">> {
    return this.#core.call("apps", options);
  }

  /** Installs an app, or a newer version of it; what it has stored stays. */
  install(path: string, options: Omit<InstallArgs, "path"> & CallOptions = {}): Promise<Result<"install">> {
    return this.#core.call("install", { ...options, path });
  }

  /** Removes an app with all that it has stored, and installs it. */
  reinstall(app: string, path: string, options: Omit<ReinstallArgs, "app" | "path"> & CallOptions = {}): Promise<Result<"reinstall">> {
    return this.#core.call("reinstall", { ...options, app, path });
  }

  /** Copies a file onto the device. */
  push(path: string, to: string, options: CallOptions = {}): Promise<Result<"push">> {
    return this.#core.run("push", { path, to }, options);
  }

  /** Copies a file from the device. */
  pull(from: string, path?: string, options: CallOptions = {}): Promise<Result<"pull">> {
    return this.#core.run("pull", { from, ...(path === undefined ? {} : { path }) }, options);
  }
}

/** Several commands in one request. */
export class Batch {
  readonly #core: Core;

  constructor(core: Core) {
    this.#core = core;
  }

  /** Runs steps in order until one fails. A step is a command line, or a command with its arguments. */
  run(steps: readonly BatchStep[], options: CallOptions = {}): Promise<Result<"batch">> {
    return this.#core.run("batch", { steps: [...steps] as Step[] } satisfies BatchArgs, options);
  }
}

/** A step of a batch. */
export type BatchStep = string | { [Name in CommandName]: { command: Name; args?: Commands[Name]["args"] } }[CommandName];

/** Settings of the device, and what the app may do. */
export class Settings {
  readonly #core: Core;

  constructor(core: Core) {
    this.#core = core;
  }

  /** Changes one. */
  update(setting: Setting, options: CallOptions = {}): Promise<Result<"settings">> {
    return this.#core.run("settings", setting, options);
  }
}

/** Measurements and logs. `events` stands on the client itself. */
export class Observability {
  readonly #core: Core;

  constructor(core: Core) {
    this.#core = core;
  }

  /** How smoothly the app draws, or how much memory it takes. */
  perf(area: PerfArea, options: Omit<PerfArgs, "area"> & CallOptions = {}): Promise<Result<"perf">> {
    return this.#core.call("perf", { ...options, area });
  }

  /** Shows or keeps what the app writes to the device's log [default: shows the newest lines]. */
  logs(what: Commands["logs"]["args"] = { action: "show" }, options: CallOptions = {}): Promise<Result<"logs">> {
    return this.#core.run("logs", what, options);
  }

  /** One page of the session's timeline. */
  events(options: Options<"events"> = {}): Promise<Result<"events">> {
    return this.#core.call("events", options);
  }
}
