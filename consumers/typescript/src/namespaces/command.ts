/** Waiting, going back, dialogs, the keyboard and the clipboard, and any command by its name. */

import type { Core, Options, Result } from "../core.js";
import type { AlertAction, ClipboardText, CommandName, Commands, KeyboardAction, Turn, WaitArgs, WindowsArgs } from "../generated.js";
import { type CallOptions, wrong } from "../options.js";
import { type TargetInput, target } from "../targets.js";

/** Commands that stand for themselves. */
export class Command {
  readonly #core: Core;

  constructor(core: Core) {
    this.#core = core;
  }

  /** Calls any command by its name, with its arguments as they stand in the contract. */
  run<Name extends CommandName>(name: Name, args: Commands[Name]["args"], options: CallOptions = {}): Promise<Result<Name>> {
    return this.#core.run(name, args, options);
  }

  /** Goes back. */
  back(options: Options<"back"> = {}): Promise<Result<"back">> {
    return this.#core.call("back", options);
  }

  /** Goes home. */
  home(options: CallOptions = {}): Promise<Result<"home">> {
    return this.#core.run("home", {}, options);
  }

  /** Shows the apps that were used last. */
  appSwitcher(options: CallOptions = {}): Promise<Result<"app-switcher">> {
    return this.#core.run("app-switcher", {}, options);
  }

  /** Turns the screen. */
  orientation(orientation: Turn, options: CallOptions = {}): Promise<Result<"orientation">> {
    return this.#core.run("orientation", { orientation }, options);
  }

  /**
   * Waits: for a time (a number, ms), an element (a ref or a selector), a text, an absence, or a quiet screen.
   *
   * `timeoutMs` is how long at most [default: 10000].
   */
  wait(what: WaitInput, options: CallOptions = {}): Promise<Result<"wait">> {
    const { timeoutMs, ...call } = options;
    return this.#core.run("wait", waited(what, timeoutMs), call);
  }

  /** Reads or answers the dialog that blocks the page or app. */
  alert(action: AlertAction, options: Options<"alert", "action"> = {}): Promise<Result<"alert">> {
    return this.#core.call("alert", { ...options, action });
  }

  /** Says whether the on-screen keyboard is shown, hides it, or presses its enter key. */
  keyboard(action: KeyboardAction, options: CallOptions = {}): Promise<Result<"keyboard">> {
    return this.#core.run("keyboard", { action }, options);
  }

  /** The device's clipboard. */
  readonly clipboard = {
    /** Reads it. */
    read: async (options: CallOptions = {}): Promise<string> =>
      ((await this.#core.run("clipboard", { action: "read" }, options)) as ClipboardText).text,
    /** Puts a text on it. */
    write: (text: string, options: CallOptions = {}): Promise<Result<"clipboard">> =>
      this.#core.run("clipboard", { action: "write", text }, options),
  };

  /** Says which app is in front. */
  appState(options: CallOptions = {}): Promise<Result<"appstate">> {
    return this.#core.run("appstate", {}, options);
  }

  /** Changes the size of the viewport, CSS px. */
  viewport(width: number, height: number, options: CallOptions = {}): Promise<Result<"viewport">> {
    return this.#core.run("viewport", { width, height }, options);
  }

  /** Lists the session's tabs and windows, switches to one or closes one. */
  windows(options: WindowsArgs & CallOptions = {}): Promise<Result<"windows">> {
    return this.#core.call("windows", options);
  }

  /** Lists what the page saved. */
  downloads(options: Options<"downloads"> = {}): Promise<Result<"downloads">> {
    return this.#core.call("downloads", options);
  }

  /** Checks the machine of the daemon. */
  doctor(options: CallOptions = {}): Promise<Result<"doctor">> {
    return this.#core.run("doctor", {}, options);
  }
}

/** What can be waited for. */
export type WaitInput =
  | number
  | TargetInput
  | { text: string }
  | { absent: string }
  | { stable: true; quietMs?: number };

function waited(what: WaitInput, timeoutMs: number | undefined): WaitArgs {
  const limit = timeoutMs === undefined ? {} : { timeoutMs };
  if (typeof what === "number") return { kind: "duration", durationMs: what };
  if (typeof what === "object" && what !== null) {
    if ("text" in what) return { kind: "text", text: what.text, ...limit };
    if ("absent" in what) return { kind: "absent", selector: what.absent, ...limit };
    if ("stable" in what) return { kind: "stable", ...(what.quietMs === undefined ? {} : { quietMs: what.quietMs }), ...limit };
  }
  const read = target(what);
  switch (read.kind) {
    case "ref":
      return { kind: "ref", ref: read.ref, ...limit };
    case "selector":
      return { kind: "selector", selector: read.selector, ...limit };
    case "point":
      throw wrong("a point cannot be waited for", "wait for a ref, a selector, { text }, { absent } or { stable: true }");
  }
}
