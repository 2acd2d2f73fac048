// Writes src/generated.ts from contracts/schemas/commands.json (and the report of `test` beside it): a type for what each command takes and answers, and a table
// of what else is true of it. `node generate/generate.mjs [CATALOGUE [FILE]]`; `check` fails where the file is not what this writes.

import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";

import { TypeWriter, doc, pascal } from "./types.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const [catalogueFile = here("../../../contracts/schemas/commands.json"), outFile = here("../src/generated.ts")] = process.argv.slice(2);

const catalogue = JSON.parse(readFileSync(catalogueFile, "utf8"));
const writer = new TypeWriter();

/** The messages of the wire that a user of the client sees. */
const PROTOCOL = { request: "Request", answer: "Answer", failure: "Failure", welcome: "Welcome" };

// The order gives the names: what comes first keeps the short one where two shapes have the same.
const protocol = Object.entries(PROTOCOL).map(([key, name]) =>
  writer.declare(name, catalogue.protocol[key], key === "request" ? "input" : "output"),
);
const commands = catalogue.commands.map((command) => ({
  ...command,
  argsType: writer.declare(`${pascal(command.name)}Args`, command.args, "input", `What \`${command.name}\` takes. ${command.summary}.`),
  resultType: command.result
    ? writer.declare(`${pascal(command.name)}Result`, command.result, "output", `What \`${command.name}\` answers.`)
    : "Record<string, unknown>",
}));

writer.declare("SuiteReport", JSON.parse(readFileSync(new URL("suite-report.schema.json", pathToFileURL(catalogueFile)), "utf8")), "output");

const codes = catalogue.codes
  .map(({ code, meaning }) => `${doc(meaning, "  ")}  | ${JSON.stringify(code)}\n`)
  .join("");

const map = commands
  .map(({ name, summary, argsType, resultType }) => `${doc(`${summary}.`, "  ")}  ${JSON.stringify(name)}: { args: ${argsType}; result: ${resultType} };\n`)
  .join("");

const facts = commands
  .map(({ name, aliases, effect, effects, readiness, session, timeoutMs, batchable }) => {
    const fact = { aliases, effect, effects, readiness, session, timeoutMs, batchable };
    return `  ${JSON.stringify(name)}: ${JSON.stringify(fact)},\n`;
  })
  .join("");

const text = `// Written by generate/generate.mjs from contracts/schemas/commands.json. Change the contract, not this file.

/** The version of the program that these types describe; the daemon must be of the same. */
export const VERSION = ${JSON.stringify(catalogue.version)};

/** The closed list of error codes. */
export type ErrorCode =
${codes.trimEnd()};

${writer.text()}
/** Every command with what it takes and what it answers. */
export interface Commands {
${map}}

/** The name of a command. */
export type CommandName = keyof Commands;

/** What a command does where an argument has one of these values, or where every step in it does the same. */
export interface EffectRule {
  /** The argument; one that is left out counts as \`null\`. */
  readonly argument: string;
  /** The values. */
  readonly is?: readonly unknown[];
  /** Instead of values: it is a list of steps, at least one, and each of them has the effect. */
  readonly everyStep?: boolean;
  readonly effect: CommandFacts["effect"];
}

/** What is true of a command apart from its arguments. */
export interface CommandFacts {
  /** Other names it answers to. */
  readonly aliases: readonly string[];
  /** What it does to the app at most: looks only, may act, or speaks of the daemon and the host. */
  readonly effect: "observes" | "mutates" | "manages";
  /** Where that depends on an argument: the first rule that fits. */
  readonly effects: readonly EffectRule[];
  /** Whether it may wait for its target when the request carries \`readinessTimeoutMs\`. */
  readonly readiness: boolean;
  /** What it needs of a session. */
  readonly session: "none" | "opens" | "open";
  /** How long it may take when nothing is said, ms; the waits that it is asked to make come on top. */
  readonly timeoutMs: number;
  /** Whether it may stand in a batch. */
  readonly batchable: boolean;
}

/** The facts of every command. */
export const COMMANDS: { readonly [Name in CommandName]: CommandFacts } = {
${facts}};
`;

writeFileSync(outFile, text);
