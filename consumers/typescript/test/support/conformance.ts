/** Every conformance case (contracts/conformance) through this client, in one place. */

import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

import { AgentDeviceError, type AgentDeviceClient, type CommandName } from "../../src/index.js";
import { cases, type Failed, misfits, Names, type Step } from "./cases.js";
import { BROWSER, CONTRACTS, Scratch } from "./scratch.js";

const folder = path.join(CONTRACTS, "conformance");
const PLATFORMS = {
  stage: path.join(folder, "app.toml"),
  web: pathToFileURL(path.join(folder, "app.html")).href,
} as const;

/** Declares the tests of one place. */
export function conformance(platform: keyof typeof PLATFORMS): void {
  const runs = platform === "stage" || BROWSER;
  const app = PLATFORMS[platform];
  let scratch: Scratch;
  let files: string;
  beforeAll(async () => {
    if (!runs) return;
    scratch = await Scratch.make();
    files = path.join(scratch.folder, "files");
    await mkdir(files);
  });
  afterAll(() => scratch?.[Symbol.asyncDispose]());

  test.skipIf(!runs).each(cases(platform).map((one) => [one.id, one] as const))("%s", async (id, one) => {
    // One browser for all: a page that is opened again is as new. What begins with nothing open has a session of its own.
    const session = one.opened === false ? id : "conformance";
    const names = new Names({ app, platform, session, folder: files, unique: `${id}-${platform}-${Date.now()}` });
    const client = scratch.client({ session });
    if (one.opened !== false) {
      await client.apps.open(app).catch(async () => {
        // A case before left something behind.
        await client.close();
        await client.apps.open(app);
      });
    }
    try {
      for (const [at, step] of one.steps.entries()) {
        const outcome = await taken(step.device === undefined ? client : scratch.client({ session, device: step.device }), step, names);
        const where = `step ${at + 1}, ${step.command}`;
        if ("failed" in step.expect) {
          if (!("failure" in outcome)) throw new Error(`${where}: it did not fail: ${JSON.stringify(outcome.data)}`);
          expect(misfits(names.filled(step.expect.failed), said(outcome.failure)), `${where}: ${outcome.failure.message}`).toEqual([]);
        } else {
          if ("failure" in outcome) throw new Error(`${where}: ${JSON.stringify(outcome.failure)}`);
          expect(misfits(names.filled(step.expect.ok), outcome.data), where).toEqual([]);
          names.keep(step.keep, outcome.data);
        }
      }
    } finally {
      if (one.opened === false) await client.close();
    }
  });

  test("the cases are those of the file, each once", async () => {
    const read = JSON.parse(await readFile(path.join(folder, "cases.json"), "utf8")) as { cases: { on?: string[] }[] };
    const here = cases(platform);
    expect(here.length).toBeGreaterThanOrEqual(40);
    expect(here).toHaveLength(read.cases.filter(({ on }) => on?.includes(platform) ?? true).length);
    expect(new Set(here.map(({ id }) => id)).size).toBe(here.length);
  });
}

async function taken(client: AgentDeviceClient, step: Step, names: Names): Promise<{ data: unknown } | { failure: AgentDeviceError }> {
  const call = {
    // One look, unless the case wants the wait.
    readinessTimeoutMs: step.readinessTimeoutMs ?? 0,
    timeoutMs: step.timeoutMs,
    requestId: step.requestId === undefined ? undefined : String(names.filled(step.requestId)),
    signal: step.cancelAfterMs === undefined ? undefined : AbortSignal.timeout(step.cancelAfterMs),
  };
  try {
    return { data: await client.command.run(step.command as CommandName, names.filled(step.args) as never, call) };
  } catch (why) {
    if (why instanceof AgentDeviceError) return { failure: why };
    throw why;
  }
}

/** A failure as the cases speak of it. */
function said(failure: AgentDeviceError): Record<keyof Failed, unknown> {
  const { code, dispatched, dispatchedSteps, row, hint, retriable, message, details } = failure;
  return { code, dispatched, dispatchedSteps, row, hint, retriable, message, details };
}
