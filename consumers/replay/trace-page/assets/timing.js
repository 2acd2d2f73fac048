// Where the time of a command went.
const PARTS = [["resolve", "find the target", "resolveMs"], ["wait", "wait for it", "waitMs"], ["send", "send", "sendMs"], ["settle", "settle", "settleMs"]];

function timingBar(call) {
  const timing = call.timing;
  if (!timing) return null;
  const spent = PARTS.map(([kind, name, field]) => ({ kind, name, ms: timing[field] || 0 }));
  const known = spent.reduce((sum, part) => sum + part.ms, 0);
  const whole = Math.max(call.durationMs, known);
  if (whole > known) spent.push({ kind: "rest", name: "other", ms: whole - known });
  const shown = spent.filter((part) => part.ms > 0);
  const looks = rounds(timing.polls || []);
  const bar = el("div", { class: "bar", "aria-hidden": "true" });
  for (const part of shown) {
    const made = el("span", { class: part.kind, title: part.name + ": " + duration(part.ms) });
    made.style.flex = part.ms + " 1 0";
    // The first round of looks belongs to the wait where there was one; the last to settling.
    const round = part.kind === "wait" ? looks.shift() : part.kind === "settle" ? looks.pop() : null;
    for (const look of round || []) {
      const tick = el("span", { class: "look " + look.outcome, title: "looked after " + duration(look.startedMs) + ", took " + duration(look.durationMs) + ": " + look.outcome });
      tick.style.left = Math.min(99, (100 * look.startedMs) / Math.max(1, part.ms)) + "%";
      made.append(tick);
    }
    bar.append(made);
  }
  const legend = el("div", { class: "legend" }, shown.map((part) => el("span", {}, el("i", { class: part.kind }), part.name + " " + duration(part.ms))),
    (timing.polls || []).length ? el("span", { text: several(timing.polls.length, "look") + " at the screen" }) : null);
  return el("section", { class: "timing", "aria-label": "Timing" },
    el("div", { class: "section-head" }, el("h3", { class: "title", text: "Time" }), el("span", { class: "legend", text: duration(whole) })), whole > 0 ? bar : null, legend);
}

// Looks count from the start of their wait: one that begins earlier than the one before begins another round.
function rounds(polls) {
  const made = [];
  let last = Infinity;
  for (const poll of polls) {
    if (!poll || typeof poll.startedMs !== "number") continue;
    if (poll.startedMs <= last) made.push([]);
    made[made.length - 1].push(poll);
    last = poll.startedMs;
  }
  return made;
}
