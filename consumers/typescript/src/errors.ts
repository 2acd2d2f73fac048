/** What every failed call throws, and how a failure on the wire becomes one. */

import type { ErrorCode, Failure } from "./generated.js";

/** Whether a failed call may have reached the device. There is no `yes`: no way to a device can prove that. */
export type Dispatched = "no" | "unknown";

/** What a failed call knows. */
export interface FailureFacts {
  code: ErrorCode;
  message: string;
  dispatched: Dispatched;
  hint?: string | undefined;
  retriable?: boolean | undefined;
  details?: Record<string, unknown> | undefined;
  requestId?: string | undefined;
  cause?: unknown;
}

/**
 * A call that failed.
 *
 * Decide by `dispatched`: after `no` the same call may be made again, after `unknown` look first. Decide by `code` and
 * `reason` for the rest; the message is for people.
 */
export class AgentDeviceError extends Error {
  override readonly name = "AgentDeviceError";
  /** What kind of failure, of a closed list. */
  readonly code: ErrorCode;
  /** `no`: nothing of this call reached the device, or it only looks. `unknown`: it may have. */
  readonly dispatched: Dispatched;
  /** How many sends of this call had returned before it failed, where some had: steps of a batch, presses of a series. */
  readonly dispatchedSteps: number | undefined;
  /** The row of the golden table that this failure stands in, where it was classified. */
  readonly row: string | undefined;
  /** A finer word than the code, such as `selector_not_found`. */
  readonly reason: string | undefined;
  /** What to do next. */
  readonly hint: string | undefined;
  /** Whether the same call may succeed later without anybody changing anything. */
  readonly retriable: boolean;
  /** Facts for programs: candidates, both strings of a mismatch, the polls of a wait. */
  readonly details: Readonly<Record<string, unknown>>;
  /** The id that the call went by, where one was sent. */
  readonly requestId: string | undefined;

  constructor(facts: FailureFacts) {
    super(facts.message, facts.cause === undefined ? undefined : { cause: facts.cause });
    const details: Record<string, unknown> = { ...facts.details, dispatched: facts.dispatched };
    this.code = facts.code;
    this.dispatched = facts.dispatched;
    this.dispatchedSteps = typeof details["dispatchedSteps"] === "number" ? details["dispatchedSteps"] : undefined;
    this.row = text(details["dispatchRow"]);
    this.reason = text(details["reason"]);
    this.hint = facts.hint;
    this.retriable = facts.retriable ?? false;
    this.details = details;
    this.requestId = facts.requestId;
  }

  /** The failure as the daemon puts it on the wire. */
  toJSON(): Failure {
    return {
      code: this.code,
      message: this.message,
      ...(this.hint === undefined ? {} : { hint: this.hint }),
      retriable: this.retriable,
      details: { ...this.details },
    } as Failure;
  }
}

/** Reads a failure off the wire. One that does not say whether it was dispatched is `unknown`. */
export function fromWire(failure: unknown, requestId: string | undefined, cause?: unknown): AgentDeviceError {
  const read = isObject(failure) ? failure : {};
  const details = isObject(read["details"]) ? read["details"] : {};
  return new AgentDeviceError({
    code: (text(read["code"]) ?? "COMMAND_FAILED") as ErrorCode,
    message: text(read["message"]) ?? "the daemon reports a failure and does not say which",
    dispatched: details["dispatched"] === "no" ? "no" : "unknown",
    hint: text(read["hint"]),
    retriable: read["retriable"] === true,
    details,
    requestId,
    cause,
  });
}

/** A failure of this side, before anything was sent. */
export function refused(code: ErrorCode, message: string, more: Refusal = {}): AgentDeviceError {
  return new AgentDeviceError({
    code,
    message,
    dispatched: "no",
    hint: more.hint,
    retriable: more.retriable,
    details: {
      ...more.details,
      ...(more.reason === undefined ? {} : { reason: more.reason }),
      ...(more.row === undefined ? {} : { dispatchRow: more.row }),
    },
    requestId: more.requestId,
    cause: more.cause,
  });
}

/** What else is known of a refusal. */
export interface Refusal {
  reason?: string;
  row?: string;
  hint?: string;
  retriable?: boolean;
  details?: Record<string, unknown>;
  requestId?: string;
  cause?: unknown;
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
