/** What the generator makes of schemas. */

import { describe, expect, test } from "vitest";

import { TypeWriter, doc, pascal } from "../generate/types.mjs";

type Schema = Record<string, unknown>;
const written = (schema: Schema, side: "input" | "output" = "output"): string => {
  const writer = new TypeWriter();
  writer.declare("Thing", schema, side, undefined);
  return writer.text().replace(/\s+/g, " ").trim();
};

describe("a schema", () => {
  test.each<[string, Schema, string]>([
    ["of values", { enum: ["a", "b"] }, 'export type Thing = "a" | "b";'],
    ["of constants with words", { oneOf: [{ const: "a", description: "First." }, { const: 2, description: "Second." }] }, 'export type Thing = /** First. */ | "a" /** Second. */ | 2;'],
    ["of an object", { type: "object", required: ["a"], properties: { a: { type: "integer" }, "b-c": { type: ["string", "null"] } } }, 'export interface Thing { a: number; "b-c"?: string | null; }'],
    ["of lists", { type: "object", required: ["a", "b"], properties: { a: { type: "array", items: { type: "number" } }, b: { items: { anyOf: [{ type: "string" }, { type: "boolean" }] }, type: "array" } } }, "export interface Thing { a: number[]; b: Array<string | boolean>; }"],
    ["of a map", { type: "object", additionalProperties: { type: "string" } }, "export type Thing = Record<string, string>;"],
    ["that says nothing", {}, "export type Thing = unknown;"],
    [
      "whose parts are flattened",
      { $ref: "#/$defs/Kind", properties: { n: { type: "number" } }, $defs: { Kind: { oneOf: [{ properties: { kind: { const: "a" } }, required: ["kind"], type: "object" }] } } },
      'export type Thing = Kind & { n?: number; }; export type Kind = { kind: "a"; };',
    ],
    ["that leads to another", { properties: { a: { $ref: "#/$defs/A" } }, $defs: { A: { $ref: "#/$defs/B" }, B: { type: "string" } } }, "export interface Thing { a?: B; } export type B = string;"],
  ])("%s", (_, schema, type) => {
    expect(written(schema)).toBe(type);
  });

  test("of an input leaves out nulls and takes what is undefined", () => {
    expect(written({ type: "object", properties: { a: { type: ["string", "null"] }, b: { anyOf: [{ type: "number" }, { type: "null" }] } } }, "input")).toBe(
      "export interface Thing { a?: string | undefined; b?: number | undefined; }",
    );
  });

  test.each([
    [{ type: "object", patternProperties: {} }, "patternProperties"],
    [{ not: {} }, "not"],
    [{ type: "date" }, "date"],
    [{ $ref: "#/$defs/Nothing" }, "Nothing"],
  ])("that says what the generator does not know is refused: %j", (schema, word) => {
    expect(() => written(schema)).toThrow(word);
  });
});

test("one name and two shapes are two types; two names and the shape of a result are one", () => {
  const writer = new TypeWriter();
  const of = (part: Schema) => ({ type: "object", properties: { part: { $ref: "#/$defs/Part" } }, $defs: { Part: part } });
  writer.declare("FirstResult", of({ type: "string" }), "output", undefined);
  writer.declare("SecondResult", of({ type: "number" }), "output", undefined);
  writer.declare("ThirdResult", { type: "object", properties: { x: { $ref: "#/$defs/First" } }, $defs: { First: of({ type: "string" }), Part: { type: "string" } } }, "output", undefined);
  const text = writer.text();
  expect(text).toContain("export type Part = string;");
  expect(text).toContain("export type SecondPart = number;");
  expect(text).toContain("x?: FirstResult;");
});

test("names and comments", () => {
  expect(pascal("app-switcher")).toBe("AppSwitcher");
  expect(doc("One [`crate::Thing`].", "")).toBe("/** One `Thing`. */\n");
  expect(doc("One.\n\nTwo */ three.", "  ")).toBe("  /**\n   * One.\n   *\n   * Two *\\/ three.\n   */\n");
  expect(doc("", "")).toBe("");
});
