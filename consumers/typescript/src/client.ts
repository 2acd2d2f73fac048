/** The client: one session, its commands in namespaces. */

import { Core } from "./core.js";
import { LocalDaemon } from "./daemon.js";
import { AgentDeviceError } from "./errors.js";
import { type EventsOptions, eventsOf, type TimelineEvent } from "./events.js";
import { Command } from "./namespaces/command.js";
import { Apps, Batch, Capture, Devices, Observability, Sessions, Settings } from "./namespaces/device.js";
import { Interactions } from "./namespaces/interactions.js";
import { Recording, Replay } from "./namespaces/replay.js";
import { type ClientOptions, type Settled, settle } from "./options.js";
import { RemoteDaemon } from "./remote/daemon.js";
import { endpoint } from "./remote/endpoint.js";
import { sessionOf } from "./state-dir.js";
import type { Transport } from "./transport.js";

/** A client of one session. It holds no connection and no process: there is nothing to free but the session. */
export interface AgentDeviceClient extends AsyncDisposable {
  /** Waiting, going back, dialogs, keyboard, clipboard, and any command by its name. */
  readonly command: Command;
  readonly devices: Devices;
  readonly sessions: Sessions;
  readonly apps: Apps;
  readonly capture: Capture;
  readonly interactions: Interactions;
  readonly replay: Replay;
  readonly batch: Batch;
  readonly observability: Observability;
  readonly recording: Recording;
  readonly settings: Settings;
  /** The session's events as they come, until it is closed. */
  events(options?: EventsOptions): AsyncIterable<TimelineEvent>;
  /** Closes the session if it is open. */
  close(): Promise<void>;
}

/** Makes a client. Nothing is started and nothing is sent before its first call. */
export function createAgentDeviceClient(options: ClientOptions = {}): AgentDeviceClient {
  const settled = settle(options);
  if (settled.url === undefined) return clientOver(settled, new LocalDaemon({ stateDir: settled.stateDir, binary: settled.binary }));
  const where = endpoint(settled.url, settled.token);
  const daemon = new RemoteDaemon(where);
  // Two machines with the same folders do not meet, and the program, which has to name the session, means the same one.
  const session = settled.session ?? `${sessionOf(settled.workspace)}-${daemon.lease.slice(-8)}`;
  return clientOver({ ...settled, session, token: where.token, lease: daemon.lease }, daemon);
}

/** A client over a transport. */
export function clientOver(settled: Settled, transport: Transport): AgentDeviceClient {
  const core = new Core(settled, transport);
  const sessions = new Sessions(core);
  const close = async () => {
    try {
      // A client that was told to stop still closes what it opened.
      await new Core({ ...settled, signal: undefined }, transport).run("close", {});
    } catch (why) {
      if (!(why instanceof AgentDeviceError && why.code === "SESSION_NOT_FOUND")) throw why;
    } finally {
      await transport.end?.();
    }
  };
  return {
    command: new Command(core),
    devices: new Devices(core),
    sessions,
    apps: new Apps(core),
    capture: new Capture(core),
    interactions: new Interactions(core),
    replay: new Replay(core),
    batch: new Batch(core),
    observability: new Observability(core),
    recording: new Recording(core),
    settings: new Settings(core),
    events: (asked) => eventsOf(core, asked),
    close,
    [Symbol.asyncDispose]: close,
  };
}
