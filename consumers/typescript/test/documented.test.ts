/** What the README and the guide show: every piece compiles, and what stands with its output says it. */

import { execFileSync } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { BINARY, CONTRACTS, Scratch } from "./support/scratch.js";

const PACKAGE = path.resolve(import.meta.dirname, "..");
const PAGES = [path.join(PACKAGE, "README.md"), path.resolve(CONTRACTS, "../docs/guide/typescript.md")];
/** A piece that is no whole program has these at hand. */
const AT_HAND = `import { AgentDeviceError, createAgentDeviceClient, observeThenDecide, withResend, type AgentDeviceClient } from "agent-device-client";
declare const device: AgentDeviceClient;
void [AgentDeviceError, createAgentDeviceClient, observeThenDecide, withResend];
`;

interface Piece {
  name: string;
  code: string;
  whole: boolean;
  says: string | undefined;
}

const pieces: Piece[] = (
  await Promise.all(
    PAGES.map(async (page) => {
      const text = await readFile(page, "utf8");
      return [...text.matchAll(/^```ts\n([\s\S]*?)^```\n(?:\n```text\n([\s\S]*?)^```)?/gm)].map(([, code = "", says], at) => ({
        name: `${path.basename(page, ".md").toLowerCase()}-${at + 1}`,
        code,
        whole: code.startsWith("import"),
        says,
      }));
    }),
  )
).flat();

const folder = path.join(PACKAGE, "documented");
let scratch: Scratch;
beforeAll(async () => {
  scratch = await Scratch.make();
  await mkdir(folder, { recursive: true });
  for (const { name, code, whole } of pieces) await writeFile(path.join(folder, `${name}.ts`), whole ? code : `${AT_HAND}${code}`);
  const options = { target: "es2022", module: "nodenext", lib: ["es2023", "esnext.disposable"], strict: true, types: ["node"], skipLibCheck: true, rootDir: ".", outDir: "out" };
  await writeFile(path.join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options, include: ["*.ts"] }));
}, 60_000);
afterAll(async () => {
  await scratch.client().sessions.stopDaemon();
  await rm(folder, { recursive: true, force: true });
  await rm(scratch.folder, { recursive: true, force: true });
});

test("every piece compiles", () => {
  expect(pieces.length).toBeGreaterThan(8);
  const compiler = path.join(PACKAGE, "node_modules/.bin/tsc");
  try {
    execFileSync(compiler, ["-p", folder], { encoding: "utf8", stdio: "pipe" });
  } catch (why) {
    throw new Error((why as { stdout: string }).stdout);
  }
}, 60_000);

describe("with its output", () => {
  test.each(pieces.filter((piece) => piece.says !== undefined).map((piece) => [piece.name, piece.says] as const))("%s", (name, says) => {
    const environment = { ...process.env, AGENT_DEVICE_STATE_DIR: scratch.folder, AGENT_DEVICE_BINARY: BINARY, NO_COLOR: "1" };
    expect(execFileSync(process.execPath, [path.join(folder, "out", `${name}.js`)], { encoding: "utf8", env: environment })).toBe(says);
  });
});
