// What the inspector of the protocol's authors makes of the server: each call is a process of its own, as on a shell.
//   node inspector.mjs FOLDER-OF-PACKAGES AGENT-DEVICE
import { execFile } from "node:child_process";
import { strict as assert } from "node:assert";
import { join } from "node:path";

const [packages, binary] = process.argv.slice(2);
const inspector = join(packages, "node_modules/.bin/mcp-inspector");

/** Exit code, and what was printed on both ends. */
function inspect(...words) {
  return new Promise((done) => {
    // A server gets a bare environment from it: the state folder is named.
    const state = `AGENT_DEVICE_STATE_DIR=${process.env.AGENT_DEVICE_STATE_DIR}`;
    const args = [inspector, "--cli", binary, "mcp", ...words, "-e", state];
    execFile(process.execPath, args, { timeout: 60_000, maxBuffer: 64 << 20 }, (why, out, err) =>
      done({ code: why ? (why.code ?? 1) : 0, out, err }),
    );
  });
}

async function answered(...words) {
  const { code, out, err } = await inspect(...words);
  assert.equal(code, 0, `${words.join(" ")}: ${out}${err}`);
  return JSON.parse(out);
}

const call = (name, ...args) => [
  "--method",
  "tools/call",
  "--tool-name",
  name,
  ...args.flatMap((arg) => ["--tool-arg", arg]),
];

const { tools } = await answered("--method", "tools/list");
assert.equal(tools.length, 17);
assert.ok(JSON.stringify({ tools }).length <= 20_000);

const opened = await answered(...call("open", "app=demo"));
assert.match(opened.content[0].text, /^Opened demo on stage/);
const screen = await answered(...call("snapshot"));
const line = screen.content[0].text.split("\n").find((one) => one.includes('"Counter"'));
const pressed = await answered(...call("press", `target=${line.split(" ")[0]}`, "settle=true"));
assert.match(pressed.content[0].text, /^Pressed @e\d+ .*\n(.*\n)*settled after/);

const absent = await inspect(...call("press", "target=id=none"));
assert.notEqual(absent.code, 0);
assert.match(absent.out, /Error \(ELEMENT_NOT_FOUND\).*\\nDispatched: no\\nNext: /);
assert.equal(JSON.parse(absent.out).structuredContent.error.details.dispatched, "no");
const unknown = await inspect(...call("prss"));
assert.notEqual(unknown.code, 0);

const { resources } = await answered("--method", "resources/list");
assert.ok(resources.some((one) => one.uri === "agent-device://timeline"));
const closed = await answered(...call("close"));
assert.match(closed.content[0].text, /^Closed session/);
