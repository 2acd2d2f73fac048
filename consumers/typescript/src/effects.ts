/** What a call does to the app at most, and how long it may take: what a client has to know of a call whose reply is lost. */

import { isObject } from "./errors.js";
import { COMMANDS, type CommandFacts, type CommandName, type EffectRule } from "./generated.js";

/** What a command does. */
export type Effect = CommandFacts["effect"];

const WAIT_MS = 10_000;

/**
 * The effect of a command with these arguments. Where it cannot be told it is the most that the command does: a client that
 * takes a look for an act asks for one look more, the other way round it would act twice.
 */
export function effectOf(name: string, args: Readonly<Record<string, unknown>>): Effect {
  if (!Object.hasOwn(COMMANDS, name)) return "mutates";
  const facts: CommandFacts = COMMANDS[name as CommandName];
  return facts.effects.find((rule) => fits(rule, args[rule.argument]))?.effect ?? facts.effect;
}

function fits(rule: EffectRule, value: unknown): boolean {
  if (!rule.everyStep) return rule.is?.includes(value ?? null) ?? false;
  return Array.isArray(value) && value.length > 0 && value.every((step: unknown) => effectOfStep(step) === rule.effect);
}

/** A step that is a line is the daemon's to read. */
function effectOfStep(step: unknown): Effect {
  if (!isObject(step) || typeof step["command"] !== "string") return "mutates";
  return effectOf(step["command"], isObject(step["args"]) ? step["args"] : {});
}

/**
 * How long the daemon may take for a call when nothing is said, ms: at least what the daemon allows itself. After that and a
 * margin the client gives a daemon up that holds the connection and says nothing.
 */
export function limitOf(name: string, args: Readonly<Record<string, unknown>>): number {
  const own = Object.hasOwn(COMMANDS, name) ? COMMANDS[name as CommandName].timeoutMs : 600_000;
  const times = typeof args["count"] === "number" ? Math.max(1, args["count"]) : 1;
  let waits = 0;
  for (const [key, value] of Object.entries(args)) {
    if (key.endsWith("Ms") && typeof value === "number" && Number.isFinite(value)) waits += value;
    if (key === "delayMs" && typeof value === "number" && typeof args["text"] === "string") waits += value * args["text"].length;
  }
  const settles = args["settle"] === true ? WAIT_MS : 0;
  const looks = name === "wait" || name === "find" || name === "alert" ? WAIT_MS : 0;
  return own + settles + looks + (waits + 1000) * times;
}
