/** What to do about a failure: send again where that is safe, look first where it is not. */

import { AgentDeviceError } from "./errors.js";

/** How `withResend` works. */
export interface ResendOptions {
  /** How often the call is made at most [default: 3]. */
  attempts?: number | undefined;
  /** Pause before the second attempt, ms; it doubles [default: 200]. */
  pauseMs?: number | undefined;
  /** Decides about a failure that may be sent again [default: `worthAnother`]. A failure with `unknown` never gets here. */
  when?: ((failure: AgentDeviceError, attempt: number) => boolean) | undefined;
  /** Ends the pauses; the call itself takes its own. */
  signal?: AbortSignal | undefined;
}

/** Failures after which the same call may succeed although nobody changed anything: the screen was not there yet, or is moving. */
const PASSING: readonly string[] = [
  "ELEMENT_NOT_FOUND", "ELEMENT_COVERED", "ELEMENT_DISABLED", "ELEMENT_OFFSCREEN", "WAIT_TIMEOUT", "PREDICATE_FAILED", "CAPTURE_FAILED",
  "DEVICE_IN_USE", "TIMEOUT",
];

/** Whether the same call may succeed if it is made again: the failure says so, or it is of a kind that passes. */
export function worthAnother(failure: AgentDeviceError): boolean {
  return failure.retriable || PASSING.includes(failure.code);
}

/**
 * Makes a call, and makes it again while it fails in a way that proves that nothing was sent (`dispatched: "no"`) and that may
 * pass. A failure with `unknown` is thrown at once: it may have happened, and would happen twice.
 *
 * `call` makes the call anew each time; one that gives its own `requestId` is answered with what was answered before.
 */
export async function withResend<T>(call: (attempt: number) => Promise<T>, options: ResendOptions = {}): Promise<T> {
  const { attempts = 3, pauseMs = 200, when = worthAnother, signal } = options;
  if (!Number.isInteger(attempts) || attempts < 1) throw new RangeError("attempts is a whole number from 1");
  for (let attempt = 1; ; attempt++) {
    try {
      return await call(attempt);
    } catch (why) {
      const again = why instanceof AgentDeviceError && why.dispatched === "no" && why.code !== "CANCELLED" && when(why, attempt);
      if (!again || attempt >= attempts || signal?.aborted) throw why;
      if (!(await paused(pauseMs * 2 ** (attempt - 1), signal))) throw why;
    }
  }
}

/** What `observeThenDecide` needs. */
export interface Decision<T, Seen> {
  /** Looks at what is there, after a failure that may have reached the device. Only reads. */
  look: (failure: AgentDeviceError) => Promise<Seen>;
  /**
   * Says what follows from it: `done` with the result where it happened, `again` where it certainly did not, `fail` where that
   * cannot be told.
   */
  decide: (seen: Seen, failure: AgentDeviceError) => Verdict<T>;
  /** How often the action is made at most [default: 2]. */
  attempts?: number | undefined;
}

/** What a look showed. */
export type Verdict<T> = { done: T } | "again" | "fail";

/**
 * Acts; where the outcome is not known, looks and decides. A failure with `dispatched: "no"` is thrown as it is: nothing
 * happened, and `withResend` is for that.
 */
export async function observeThenDecide<T, Seen>(action: (attempt: number) => Promise<T>, decision: Decision<T, Seen>): Promise<T> {
  const attempts = decision.attempts ?? 2;
  for (let attempt = 1; ; attempt++) {
    try {
      return await action(attempt);
    } catch (why) {
      if (!(why instanceof AgentDeviceError) || why.dispatched !== "unknown") throw why;
      const verdict = decision.decide(await decision.look(why), why);
      if (typeof verdict === "object") return verdict.done;
      if (verdict === "fail" || attempt >= attempts) throw why;
    }
  }
}

/** Waits; says whether nobody ended it. */
export function paused(ms: number, signal: AbortSignal | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve(false);
    const ended = () => {
      clearTimeout(timer);
      resolve(false);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", ended);
      resolve(true);
    }, ms);
    signal?.addEventListener("abort", ended, { once: true });
  });
}
