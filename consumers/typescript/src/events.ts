/** The session's timeline as it grows. */

import type { Core } from "./core.js";
import type { Event } from "./generated.js";
import { paused } from "./resend.js";

/** One event of the timeline. */
export type TimelineEvent = Event;

/** How events are read. */
export interface EventsOptions {
  /** Begin after this event's number [default: 0, everything that is kept]. */
  cursor?: number | undefined;
  /** Time between two looks while nothing comes, ms [default: 250]. */
  pollMs?: number | undefined;
  /** Ends the iteration. */
  signal?: AbortSignal | undefined;
  /** Another session than the client's. */
  session?: string | undefined;
}

/** Events of one look. */
const PAGE = 500;
/** From the start there is no paging: `limit` takes the newest. */
const EVERYTHING = 1_000_000;

/**
 * Reads the events of a session as they come, in order, until the session is closed, or the loop or the signal ends it. Where no
 * session is open it gives what is kept, and ends.
 */
export async function* eventsOf(core: Core, options: EventsOptions = {}): AsyncGenerator<TimelineEvent, void, undefined> {
  const { pollMs = 250, signal, session } = options;
  let cursor = options.cursor ?? 0;
  let open = true;
  while (!signal?.aborted) {
    const call = { session, ...(signal === undefined ? {} : { signal }) };
    const limit = cursor > 0 ? PAGE : EVERYTHING;
    const page = await ended(signal, () => core.run("events", { cursor, limit }, call));
    const events = page?.events ?? [];
    for (const event of events) {
      cursor = event.number;
      yield event;
    }
    const last = events.at(-1);
    if (last?.command === "close" && last.ok) return;
    if (events.length > 0) continue;
    // What was done until it was closed is among what comes after that was seen.
    if (!open) return;
    open = await isOpen(core, core.sessionName(session), signal);
    if (open && !(await paused(pollMs, signal))) return;
  }
}

async function isOpen(core: Core, session: string, signal: AbortSignal | undefined): Promise<boolean> {
  const listed = await ended(signal, () => core.run("session", { action: "list" }, signal === undefined ? {} : { signal }));
  return listed !== undefined && "sessions" in listed && listed.sessions.some(({ name }) => name === session);
}

/** An iteration that is ended says nothing more; everything else that goes wrong is told. */
async function ended<T>(signal: AbortSignal | undefined, ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (why) {
    if (signal?.aborted) return undefined;
    throw why;
  }
}
