/** What a call aims at: written as on the command line, or as an object. */

import type { Target } from "./generated.js";
import { wrong } from "./options.js";

/**
 * A target: `"@e5"`, a selector such as `'label="Save" role=button'`, a point `"10 20"`, or an object.
 *
 * A ref names one element for as long as it lives; a selector says what the element is; a point is in the viewport, px.
 */
export type TargetInput = string | Target | { ref: string } | { selector: string } | { x: number; y: number };

const POINT = /^\s*(-?\d+(?:\.\d+)?)[\s,]+(-?\d+(?:\.\d+)?)\s*$/;

/** A target as it is sent. */
export function target(input: TargetInput): Target {
  if (typeof input === "string") {
    if (input.startsWith("@")) return { kind: "ref", ref: input };
    const point = POINT.exec(input);
    if (point) return { kind: "point", x: Number(point[1]), y: Number(point[2]) };
    if (input.trim() === "") throw wrong("an empty text is no target", 'a target is "@e5", a selector such as \'label="Save"\', or "10 20"');
    return { kind: "selector", selector: input };
  }
  // What does not fit an object the daemon says, and names the field.
  if (typeof input !== "object" || input === null) throw wrong(`${String(input)} is no target`);
  if ("kind" in input) return input;
  if ("ref" in input) return { kind: "ref", ref: input.ref };
  if ("selector" in input) return { kind: "selector", selector: input.selector };
  return { kind: "point", x: input.x, y: input.y };
}

/** A target as a text, for the arguments that take one: a selector or a ref. */
export function targetText(input: TargetInput): string {
  const read = target(input);
  switch (read.kind) {
    case "ref":
      return read.ref.startsWith("@") ? read.ref : `@${read.ref}`;
    case "selector":
      return read.selector;
    case "point":
      throw wrong("a point cannot be used here", "give a ref or a selector");
  }
}
