/**
 * The TypeScript client of agent-device.
 *
 * | module | answers |
 * | --- | --- |
 * | `client` | what a client is made of |
 * | `namespaces/*` | which calls there are |
 * | `core` | how a call becomes a request |
 * | `options` | what a client and a call can be told |
 * | `errors` | what a failed call knows |
 * | `resend` | what to do about it |
 * | `events` | the session's timeline as it grows |
 * | `targets`, `paths` | what is written short and sent whole |
 * | `effects` | what a call does at most, and how long it may take |
 * | `transport` | what carries a request, and what is said where it is lost |
 * | `daemon`, `connection`, `state-dir`, `turns` | the daemon of this machine and its socket |
 * | `remote/*` | a daemon on a device host: HTTP, leases, files |
 * | `program` | finding and running the program |
 * | `generated` | every command's arguments and results, from the contract |
 */

export { type AgentDeviceClient, createAgentDeviceClient } from "./client.js";
export type { Options, Result } from "./core.js";
export { AgentDeviceError, type Dispatched } from "./errors.js";
export type { EventsOptions, TimelineEvent } from "./events.js";
export type { CommandFacts, CommandName, Commands, ErrorCode, NodeView, Platform, Rect, Screen, Setting, SuiteReport, Target } from "./generated.js";
export { COMMANDS, VERSION } from "./generated.js";
/** Every type of the contract: what each command takes and answers. */
export type * as contract from "./generated.js";
export type * from "./namespaces/command.js";
export type * from "./namespaces/device.js";
export type * from "./namespaces/interactions.js";
export type * from "./namespaces/replay.js";
export type { CallOptions, ClientOptions } from "./options.js";
export { type Decision, observeThenDecide, type ResendOptions, type Verdict, withResend, worthAnother } from "./resend.js";
export type { TargetInput } from "./targets.js";
