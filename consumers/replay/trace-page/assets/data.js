// The run's data, and what follows from it.
const data = JSON.parse(by("data").textContent);

// A page without runs still has a head, and says that there is nothing.
if (!data.runs.length) data.runs.push({ name: "", outcome: null, startedAtMs: 0, durationMs: 0, session: "", device: "", platform: "", app: "", build: "", failure: null, steps: [] });
for (const run of data.runs) {
  run.steps.forEach((step, at) => {
    step.at = at;
    step.parts = [];
    step.depth = 0;
    if (step.parent !== null) {
      const parent = run.steps[step.parent];
      parent.parts.push(at);
      step.depth = parent.depth + 1;
    }
  });
  run.failure_at = failedStep(run);
  carry(run);
}

const isWrong = (step) => step.status === "failed" || step.status === "warned";

// Where the page opens: the first failed step, and in it the last failed part, as far as there are parts.
function failedStep(run) {
  let found = run.steps.findIndex((step) => step.parent === null && step.status === "failed");
  while (found >= 0) {
    const part = run.steps[found].parts.findLast((at) => run.steps[at].status === "failed");
    if (part === undefined) break;
    found = part;
  }
  return found;
}

// Each step's screens: its own; else, of a step with parts, the first and the last of those; else what was seen last, or next.
function carry(run) {
  for (let at = run.steps.length - 1; at >= 0; at--) {
    const step = run.steps[at];
    const parts = step.parts.map((part) => run.steps[part]);
    step.first = step.calls.find((call) => call.before || call.after) ? firstOf(step.calls) : firstSeen(parts, "first");
    step.last = lastOf(step.calls) || firstSeen(parts.toReversed(), "last");
  }
  let seen = null;
  for (const step of run.steps) {
    step.other = seen && { ...seen, when: "last" };
    const last = step.last || step.first;
    if (last) seen = { screen: last, step };
    step.thumb = last || (step.other && step.other.screen) || null;
  }
  // What stands before the first picture, such as the step that opens the app: what was seen next.
  const next = run.steps.find((step) => step.first || step.last);
  for (const step of run.steps) {
    if (step.thumb || !next || step.status === "skipped") continue;
    step.thumb = next.first || next.last;
    step.other = { screen: step.thumb, step: next, when: "next" };
  }
}
function firstOf(calls) {
  for (const call of calls) if (call.before || call.after) return call.before || call.after;
  return null;
}
function lastOf(calls) {
  for (const call of calls.toReversed()) if (call.after || call.before) return call.after || call.before;
  return null;
}
function firstSeen(steps, which) {
  for (const step of steps) if (step[which]) return step[which];
  return null;
}

// Which call a step shows first: what failed, else what acted last, else what looked last.
function telling(step) {
  const calls = step.calls;
  const failed = calls.findLastIndex((call) => !call.ok);
  if (failed >= 0) return failed;
  const aimed = calls.findLastIndex((call) => call.target);
  if (aimed >= 0) return aimed;
  const seen = calls.findLastIndex((call) => call.before || call.after);
  return seen >= 0 ? seen : calls.length - 1;
}

const NOTHING = { before: null, after: null, target: null, note: "", sent: "sent" };
// What is to be shown of a step: the screens before and after, what was aimed at, whether
// the input got there, and a word where the screens are not its own.
function screens(step, call) {
  if (call && (call.before || call.after)) {
    const sent = call.ok ? "sent" : call.failure && call.failure.dispatched === "no" ? "unsent" : "unknown";
    return { ...NOTHING, before: call.before, after: call.after, target: call.target, sent };
  }
  if (step.parts.length && (step.first || step.last)) return { ...NOTHING, before: step.first, after: step.last };
  const other = step.other;
  if (!other) return NOTHING;
  const number = other.step.number === null ? "another step" : "step " + other.step.number;
  return { ...NOTHING, before: other.screen, when: other.when, note: "No picture was taken here. This is what was seen " + other.when + ", in " + number + "." };
}

const pictureText = (number) => {
  const holder = by("picture-" + number);
  return holder ? holder.textContent : null;
};
// `null` while the page is still being read; "" where the picture was left out.
function picture(number) {
  if (number === null || number === undefined || !data.pictures[number].kept) return "";
  const text = pictureText(number);
  if (text === null) return document.readyState === "loading" ? null : "";
  return "data:image/png;base64," + text;
}

// Trees are packed in chunks; the last few that were unpacked are kept.
const chunks = new Map();
async function tree(number) {
  const [chunk, place] = data.trees[number];
  let nodes = chunks.get(chunk);
  if (!nodes) {
    nodes = unpack(chunk);
    chunks.set(chunk, nodes);
    if (chunks.size > 8) chunks.delete(chunks.keys().next().value);
    nodes.catch(() => chunks.delete(chunk));
  }
  return (await nodes)[place].map(node);
}
async function unpack(chunk) {
  const holder = by("trees-" + chunk);
  if (!holder) throw new Error("the page is not whole");
  const bytes = Uint8Array.from(atob(holder.textContent), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).json();
}
const FLAGS = ["enabled", "visible", "hittable", "unhittable", "focused", "selected", "editable", "password", "interactive", "scrollable"];
function node([index, depth, role, label, id, rect, flags, more]) {
  const made = { index, depth, role, label, id, rect, more };
  FLAGS.forEach((name, bit) => { made[name] = Boolean(flags & (1 << bit)); });
  return made;
}
