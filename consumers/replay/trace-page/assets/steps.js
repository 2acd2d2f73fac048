// The list of steps.
const now = { run: 0, step: 0, call: 0, mode: "both", side: "before", failedOnly: false };
const run = () => data.runs[now.run];
const step = () => run().steps[now.step];
const folded = new Set();
let rows = [];

function listSteps() {
  folded.clear();
  const longest = Math.max(1, ...run().steps.map((one) => one.durationMs));
  rows = run().steps.map((one) => row(one, longest));
  by("steps").replaceChildren(...rows);
  sift();
}

function row(one, longest) {
  const bar = el("i");
  bar.style.width = Math.max(2, Math.round(40 * Math.sqrt(one.durationMs / longest))) + "px";
  const wrong = isWrong(one) && !one.parts.some((part) => isWrong(run().steps[part]));
  const why = wrong && one.failure ? el("div", { class: one.status === "warned" ? "why warn" : "why", text: one.failure.message }) : null;
  const text = el("span", { class: one.parts.length ? "text group" : "text", title: one.text }, command(one));
  const made = el("div", {
    class: "step " + one.status, role: "treeitem", id: "step-" + one.at, tabindex: "-1", "aria-level": one.depth + 1, "aria-selected": "false",
    "aria-expanded": one.parts.length ? "true" : null,
  }, el("span", { class: "number", text: one.number === null ? "·" : one.number }), state(one.status), text,
  el("span", { class: "took" }, one.status === "skipped" ? [] : [networkCount(one), duration(one.durationMs), bar]), why);
  text.style.paddingLeft = one.depth * 14 + "px";
  if (why) why.style.paddingLeft = one.depth * 14 + "px";
  return made;
}

function command(one) {
  if (one.parts.length) return [el("span", { class: "fold", "aria-hidden": "true", text: "▾" }), one.text];
  const space = one.text.indexOf(" ");
  return space < 0 ? [el("b", { text: one.text })] : [el("b", { text: one.text.slice(0, space) }), one.text.slice(space)];
}

function within(one, test) {
  for (let at = one.parent; at !== null; at = run().steps[at].parent) if (test(at)) return true;
  return false;
}

// Shows what the search and the filter ask for, with the steps that it is part of.
function sift() {
  const words = by("steps-search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const steps = run().steps;
  const shown = new Set();
  let found = 0;
  for (const one of steps) {
    if (now.failedOnly && !isWrong(one)) continue;
    if (words.length) {
      one.words ||= [one.text, one.place, one.status, one.failure && one.failure.code + " " + one.failure.message, ...one.notes, ...one.calls.map((call) => call.line), ...requestsOf(one).map((each) => each.url)].join(" ").toLowerCase();
      if (!words.every((word) => one.words.includes(word))) continue;
    }
    found++;
    shown.add(one.at);
    within(one, (at) => { shown.add(at); return false; });
  }
  const sifted = now.failedOnly || words.length > 0;
  for (const one of steps) rows[one.at].hidden = !shown.has(one.at) || (!sifted && within(one, (at) => folded.has(at)));
  by("steps-count").textContent = sifted ? found + " of " + steps.length : String(steps.length);
  by("steps-none").hidden = shown.size > 0;
  by("steps-none").textContent = steps.length === 0 ? "This run has no steps." : now.failedOnly && !words.length ? "No step failed." : "No step matches.";
  by("steps").hidden = shown.size === 0;
}

function fold(at, close) {
  if (!run().steps[at].parts.length) return;
  if (close) folded.add(at); else folded.delete(at);
  rows[at].setAttribute("aria-expanded", String(!close));
  sift();
}

function markStep(before, focus) {
  const old = rows[before];
  if (old) { old.setAttribute("aria-selected", "false"); old.tabIndex = -1; }
  const chosen = rows[now.step];
  if (!chosen) return;
  chosen.setAttribute("aria-selected", "true");
  chosen.tabIndex = 0;
  chosen.scrollIntoView({ block: "nearest" });
  if (focus) chosen.focus({ preventScroll: true });
}

// The next step in a direction that is shown; `null` at the end.
function neighbour(direction, test) {
  for (let at = now.step + direction; rows[at]; at += direction) if (!rows[at].hidden && (!test || test(run().steps[at]))) return at;
  return null;
}

by("steps").addEventListener("click", (event) => {
  const found = event.target.closest(".step");
  if (!found) return;
  const at = rows.indexOf(found);
  if (event.target.closest(".fold")) fold(at, !folded.has(at));
  else { select(at, { focus: true }); openTab("detail"); }
});
by("steps-search").addEventListener("input", sift);
by("failed-only").addEventListener("click", () => {
  now.failedOnly = !now.failedOnly;
  by("failed-only").setAttribute("aria-pressed", String(now.failedOnly));
  sift();
});
