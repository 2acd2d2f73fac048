/** What carries a request to a daemon and brings what became of it. */

import type { Effect } from "./effects.js";
import { AgentDeviceError, refused } from "./errors.js";
import type { Answer, Request } from "./generated.js";

/** How a request is carried. */
export interface Carried {
  /** What it does to the app at most. */
  effect: Effect;
  /** How long the daemon may take for it, ms. */
  limitMs: number;
  /** Ends it: what is under way is joined, and its outcome still comes. */
  signal?: AbortSignal | undefined;
}

/** A way to a daemon. */
export interface Transport {
  /**
   * Sends one request once. Gives its answer, or throws an `AgentDeviceError` that says whether it may have reached the device.
   * A reply that is lost is asked for again by the request's id, without running anything.
   */
  run(request: Request, how: Carried): Promise<Answer>;
  /** Frees what this client has there besides its session. */
  end?(): Promise<void>;
}

/** Nobody can say what became of a request. */
export function lost(request: Request, effect: Effect, cause: string): AgentDeviceError {
  const message = `the daemon went away before it answered (${cause})`;
  if (effect === "observes") {
    return refused("DAEMON_UNAVAILABLE", message, {
      row: "client.look-lost",
      reason: "daemon_reply_lost",
      retriable: true,
      requestId: request.requestId,
    });
  }
  return new AgentDeviceError({
    code: "DAEMON_UNAVAILABLE",
    message: `${message}; no daemon can say what became of the request`,
    dispatched: "unknown",
    hint: "look first (snapshot), then decide; the daemon's log is daemon.log in its state folder",
    details: { reason: "daemon_reply_lost", dispatchRow: "client.reply-lost" },
    requestId: request.requestId,
  });
}

/** The daemon that was asked has never had the request, and refuses it from now on. */
export function notTaken(request: Request, cause: string): AgentDeviceError {
  return refused("DAEMON_UNAVAILABLE", `the connection was lost before the daemon had the request (${cause}); it did not run`, {
    row: "client.request-not-taken",
    reason: "request_not_taken",
    retriable: true,
    requestId: request.requestId,
  });
}

/** There is no daemon that could be asked. */
export function unreachable(why: string, cause?: unknown): AgentDeviceError {
  return refused("DAEMON_UNAVAILABLE", why, {
    row: "client.daemon-not-started",
    reason: "daemon_unavailable",
    hint: "the daemon's log is daemon.log in its state folder: agent-device session state-dir",
    cause,
  });
}

/** The caller ended a call before anything was sent. */
export function abortedBefore(signal: AbortSignal, requestId?: string): AgentDeviceError {
  return refused("CANCELLED", "the call was aborted before anything was sent", {
    reason: "cancelled",
    cause: signal.reason,
    ...(requestId === undefined ? {} : { requestId }),
  });
}
