/** Pressing, typing, moving, and asking about elements. */

import type { Core, Options, Result } from "../core.js";
import { AgentDeviceError } from "../errors.js";
import type { Attributes, FoundAny, FoundList, GestureArgs, GestureDirection, Point, Predicate, ScrollDirection, Text } from "../generated.js";
import { type TargetInput, target, targetText } from "../targets.js";
import type { CallOptions } from "../options.js";

/** How long a movement takes, how many contacts it has, and whether the screen is waited for. */
export type GestureOptions = Pick<GestureArgs, "durationMs" | "holdMs" | "dropHoldMs" | "pointerCount" | "settle" | "settleQuietMs" | "settleTimeoutMs"> &
  CallOptions;

/** What is done to elements and asked of them. Every target may be written as on the command line or as an object. */
export class Interactions {
  readonly #core: Core;

  constructor(core: Core) {
    this.#core = core;
  }

  /** Presses an element or a point, once or in a series. Waits for an absent target as long as `readinessTimeoutMs` says. */
  press(on: TargetInput, options: Options<"press", "target"> = {}): Promise<Result<"press">> {
    return this.#core.call("press", { ...options, target: target(on) });
  }

  /** The same as `press`. */
  click(on: TargetInput, options: Options<"press", "target"> = {}): Promise<Result<"press">> {
    return this.press(on, options);
  }

  /** Presses and keeps the contact down. */
  longPress(on: TargetInput, options: Options<"longpress", "target"> = {}): Promise<Result<"longpress">> {
    return this.#core.call("longpress", { ...options, target: target(on) });
  }

  /** Moves the pointer over something. */
  hover(on: TargetInput, options: Options<"hover", "target"> = {}): Promise<Result<"hover">> {
    return this.#core.call("hover", { ...options, target: target(on) });
  }

  /** Gives an element the input focus. */
  focus(on: TargetInput, options: Options<"focus", "target"> = {}): Promise<Result<"focus">> {
    return this.#core.call("focus", { ...options, target: target(on) });
  }

  /** Replaces the content of a field, and fails unless the field then holds the text. */
  fill(on: TargetInput, text: string, options: Options<"fill", "target" | "text"> = {}): Promise<Result<"fill">> {
    return this.#core.call("fill", { ...options, target: target(on), text });
  }

  /** Types into whatever has the focus. */
  type(text: string, options: Options<"type", "text"> = {}): Promise<Result<"type">> {
    return this.#core.call("type", { ...options, text });
  }

  /** Scrolls by a step, to an end, or until something is in view. */
  scroll(direction: ScrollDirection, options: ScrollOptions = {}): Promise<Result<"scroll">> {
    const { in: within, until, ...rest } = options;
    return this.#core.call("scroll", {
      ...rest,
      direction,
      ...(within === undefined ? {} : { in: targetText(within) }),
      ...(until === undefined ? {} : { until: targetText(until) }),
    });
  }

  /** Drags a contact from one point to another. */
  swipe(from: Point, to: Point, options: Options<"swipe", "x1" | "y1" | "x2" | "y2"> = {}): Promise<Result<"swipe">> {
    return this.#core.call("swipe", { ...options, x1: from.x, y1: from.y, x2: to.x, y2: to.y });
  }

  /** Moves a contact by a distance and stops before it lifts. */
  pan(origin: TargetInput, by: { dx: number; dy: number }, options: GestureOptions = {}): Promise<Result<"gesture">> {
    return this.#core.call("gesture", { ...options, kind: "pan", origin: target(origin), dx: by.dx, dy: by.dy });
  }

  /** Moves a contact fast and lifts it while it moves. */
  fling(direction: GestureDirection, options: GestureOptions & { distance?: number; origin?: TargetInput } = {}): Promise<Result<"gesture">> {
    const { origin, ...rest } = options;
    return this.#core.call("gesture", { ...rest, kind: "fling", direction, ...at(origin) });
  }

  /** Moves two contacts apart (more than 1) or together (less than 1). */
  pinch(scale: number, options: GestureOptions & { origin?: TargetInput } = {}): Promise<Result<"gesture">> {
    const { origin, ...rest } = options;
    return this.#core.call("gesture", { ...rest, kind: "pinch", scale, ...at(origin) });
  }

  /** Turns two contacts around each other, clockwise. */
  rotateGesture(degrees: number, options: GestureOptions & { origin?: TargetInput } = {}): Promise<Result<"gesture">> {
    const { origin, ...rest } = options;
    return this.#core.call("gesture", { ...rest, kind: "rotate", degrees, ...at(origin) });
  }

  /** Moves, spreads and turns two contacts at once. */
  transformGesture(
    origin: TargetInput,
    change: { dx: number; dy: number; scale: number; degrees: number },
    options: GestureOptions = {},
  ): Promise<Result<"gesture">> {
    return this.#core.call("gesture", { ...options, ...change, kind: "transform", origin: target(origin) });
  }

  /** Picks one thing up by a long press and lets it go over another. */
  drag(source: TargetInput, destination: TargetInput, options: GestureOptions = {}): Promise<Result<"gesture">> {
    return this.#core.call("gesture", { ...options, kind: "drag", source: target(source), destination: target(destination) });
  }

  /** Chooses files for a file field. */
  upload(on: TargetInput, files: string | string[], options: CallOptions = {}): Promise<Result<"upload">> {
    return this.#core.call("upload", { ...options, target: target(on), files: [files].flat() });
  }

  /** Reads an element's text or everything known of it. */
  get(format: "text", of: TargetInput, options?: CallOptions): Promise<Text>;
  get(format: "attrs", of: TargetInput, options?: CallOptions): Promise<Attributes>;
  get(format: "text" | "attrs", of: TargetInput, options: CallOptions = {}): Promise<Result<"get">> {
    return this.#core.call("get", { ...options, format, target: target(of) });
  }

  /** An element's text. */
  async getText(of: TargetInput, options: CallOptions = {}): Promise<string> {
    return (await this.get("text", of, options)).text;
  }

  /** Checks something; fails with `PREDICATE_FAILED` where it does not hold. One look: `command.wait` waits. */
  is(predicate: Predicate, of: TargetInput, options: Options<"is", "predicate" | "target"> = {}): Promise<Result<"is">> {
    return this.#core.call("is", { ...options, predicate, target: target(of) });
  }

  /** Whether something holds, now. Everything but that it does not hold is still an error. */
  async holds(predicate: Predicate, of: TargetInput, options: Options<"is", "predicate" | "target"> = {}): Promise<boolean> {
    try {
      await this.is(predicate, of, options);
      return true;
    } catch (why) {
      if (why instanceof AgentDeviceError && why.code === "PREDICATE_FAILED") return false;
      throw why;
    }
  }

  /** Finds an element by part of its text and acts on it [default: click], reads it or lists what matches. */
  find(query: string, options: Options<"find", "query"> & { action: "exists" }): Promise<FoundAny>;
  find(query: string, options: Options<"find", "query"> & { action: "list" }): Promise<FoundList>;
  find(query: string, options: Options<"find", "query"> & { action: "getText" }): Promise<Text>;
  find(query: string, options: Options<"find", "query"> & { action: "getAttrs" }): Promise<Attributes>;
  find(query: string, options?: Options<"find", "query">): Promise<Result<"find">>;
  find(query: string, options: Options<"find", "query"> = {}): Promise<Result<"find">> {
    return this.#core.call("find", { ...options, query });
  }
}

/** How `scroll` works. */
export type ScrollOptions = Omit<Options<"scroll", "direction">, "in" | "until"> & {
  /** The container to scroll: an element in it. */
  in?: TargetInput;
  /** What to scroll to. */
  until?: TargetInput;
};

function at(origin: TargetInput | undefined) {
  return origin === undefined ? {} : { origin: target(origin) };
}
