/** Reads the conformance cases and judges by their rules (contracts/conformance/README.md). */

import { readFileSync } from "node:fs";
import path from "node:path";

import { CONTRACTS } from "./scratch.js";

/** What a failure is expected to be; what is not named may be anything. */
export interface Failed {
  code?: unknown;
  dispatched?: unknown;
  dispatchedSteps?: unknown;
  row?: unknown;
  hint?: unknown;
  retriable?: unknown;
  message?: unknown;
  details?: unknown;
}

export interface Step {
  command: string;
  args: Record<string, unknown>;
  device?: string;
  requestId?: string;
  timeoutMs?: number;
  readinessTimeoutMs?: number;
  cancelAfterMs?: number;
  keep?: Record<string, { in?: string; where?: Record<string, unknown>; take: string }>;
  expect: { ok: unknown } | { failed: Failed };
}

export interface Case {
  id: string;
  about: string;
  on?: string[];
  opened?: boolean;
  needs?: string[];
  steps: Step[];
}

/** The cases of a platform. This client can do all that a case may need of a surface. */
export function cases(platform: string): Case[] {
  const read = JSON.parse(readFileSync(path.join(CONTRACTS, "conformance/cases.json"), "utf8")) as { cases: Case[] };
  return read.cases.filter((one) => one.on === undefined || one.on.includes(platform));
}

/** What placeholders stand for. */
export class Names {
  readonly #values: Map<string, unknown>;

  constructor(values: Record<string, unknown>) {
    this.#values = new Map(Object.entries(values));
  }

  /** A value with its placeholders filled in: one that is a whole text becomes the value itself. */
  filled(value: unknown): unknown {
    if (typeof value === "string") {
      const whole = /^\$\{(\w+)\}$/.exec(value);
      if (whole) return this.#value(whole[1] as string);
      return value.replace(/\$\{(\w+)\}/g, (_, name: string) => String(this.#value(name)));
    }
    if (Array.isArray(value)) return value.map((part) => this.filled(part));
    if (typeof value === "object" && value !== null) return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, this.filled(part)]));
    return value;
  }

  /** Keeps parts of an answer under names. */
  keep(asked: Step["keep"], data: unknown): void {
    for (const [name, { in: within, where, take }] of Object.entries(asked ?? {})) {
      let part: unknown = within === undefined ? data : reach(data, within);
      if (where !== undefined) part = (part as unknown[]).find((one) => misfits(this.filled(where), one).length === 0);
      const value = reach(part, take);
      if (value === undefined) throw new Error(`the answer has nothing to keep as ${name}`);
      this.#values.set(name, value);
    }
  }

  #value(name: string): unknown {
    if (!this.#values.has(name)) throw new Error(`nothing is called ${name}`);
    return this.#values.get(name);
  }
}

function reach(value: unknown, keys: string): unknown {
  return keys.split(".").reduce((part, key) => (part as Record<string, unknown> | undefined)?.[key], value);
}

/** Where a value is not what is expected; nothing where it fits. */
export function misfits(expected: unknown, actual: unknown, at = "$"): string[] {
  const wrong = (what: string) => [`${at}: ${what}, not ${JSON.stringify(actual)}`];
  if (typeof expected !== "object" || expected === null) return Object.is(expected, actual) ? [] : wrong(JSON.stringify(expected));
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return wrong(`a list of ${expected.length}`);
    return expected.flatMap((part, index) => misfits(part, actual[index], `${at}[${index}]`));
  }
  const rule = Object.keys(expected).find((key) => key.startsWith("$"));
  const wanted = rule === undefined ? undefined : (expected as Record<string, unknown>)[rule];
  switch (rule) {
    case undefined:
      if (typeof actual !== "object" || actual === null || Array.isArray(actual)) return wrong("an object");
      return Object.entries(expected).flatMap(([key, part]) => misfits(part, (actual as Record<string, unknown>)[key], `${at}.${key}`));
    case "$absent":
      return actual === undefined ? [] : wrong("nothing");
    case "$length":
      return Array.isArray(actual) && actual.length === wanted ? [] : wrong(`a list of ${String(wanted)}`);
    case "$without":
      return holds(actual, String(wanted)) ? wrong(`something without ${JSON.stringify(wanted)}`) : [];
    case "$text":
      return typeof actual === "string" && actual.includes(String(wanted)) ? [] : wrong(`a text with ${JSON.stringify(wanted)}`);
    case "$atLeast":
      return typeof actual === "number" && actual >= Number(wanted) ? [] : wrong(`at least ${String(wanted)}`);
    case "$some":
      return Array.isArray(actual) && actual.some((part) => misfits(wanted, part).length === 0) ? [] : wrong(`a list with ${JSON.stringify(wanted)}`);
    default:
      throw new Error(`a rule that is not known: ${rule}`);
  }
}

function holds(value: unknown, text: string): boolean {
  if (typeof value === "string") return value.includes(text);
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, part]) => (!Array.isArray(value) && key.includes(text)) || holds(part, text));
}
