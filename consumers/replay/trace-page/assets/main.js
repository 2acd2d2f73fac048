// The head of the page, and what is chosen.
const OUTCOMES = { passed: "Passed", flaky: "Flaky", failed: "Failed", infrastructure: "Infrastructure failed", invalid: "Could not be read", notRun: "Not run" };

let resting = 0;
function select(at, { focus } = {}) {
  const before = now.step;
  now.step = at;
  now.call = step() ? Math.max(0, telling(step())) : 0;
  const tall = by("detail").scrollTop;
  markStep(before, focus);
  markStrip();
  drawDetail();
  by("to-failure").classList.toggle("here", at === run().failure_at);
  if (tall && before !== at) by("detail").scrollTop = 0;
  // Once at rest: a browser that is told of every step of a quick walk complains.
  clearTimeout(resting);
  resting = setTimeout(() => {
    const place = "#" + (now.run + 1) + "." + (now.step + 1);
    if (location.hash !== place) try { history.replaceState(null, "", place); } catch { /* then the address does not say it */ }
  }, 200);
}

function openRun(number, at) {
  now.run = number;
  now.step = 0;
  drawHead();
  listSteps();
  drawStrip();
  const wanted = at !== undefined && at < run().steps.length ? at : Math.max(0, run().failure_at);
  select(wanted, {});
  const chosen = rows[wanted];
  if (chosen) chosen.scrollIntoView({ block: "center" });
}

function drawHead() {
  const one = run();
  const failed = one.steps.filter((step) => step.status === "failed" && !step.parts.length).length;
  by("title").textContent = data.title;
  const outcome = by("outcome");
  outcome.className = "outcome " + (one.outcome || "");
  const mark = { passed: "passed", flaky: "warned", notRun: "skipped" }[one.outcome] || "failed";
  outcome.replaceChildren(...(one.outcome ? [icon(mark), OUTCOMES[one.outcome] || one.outcome] : ["Recorded"]));
  const facts = by("facts");
  facts.replaceChildren();
  const put = (name, value, wide) => { if (value) facts.append(el("li", { class: wide ? "wide" : null }, name ? name + " " : null, el("b", { text: value }))); };
  put("", data.file);
  put("", [one.app, one.device || one.platform].filter(Boolean).join(" on "));
  put("", duration(one.durationMs));
  put("", several(one.steps.length, "step") + (failed ? ", " + failed + " failed" : ""));
  put("", one.startedAtMs ? new Date(one.startedAtMs).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" }) : "");
  for (const [name, value] of data.facts) put(name, value);
  put("session", one.session, true);
  put("agent-device", one.build, true);
  by("to-failure").hidden = one.failure_at < 0;
  by("to-failure").textContent = failed > 1 ? "Go to the first failure" : "Go to the failure";
  by("attempts").hidden = data.runs.length < 2;
  choose(by("attempts"), data.runs.map((each, at) => [at, [el("span", { class: "dot " + (each.outcome === "passed" ? "" : "failed") }), each.name || "Run " + (at + 1), unseen(": " + (OUTCOMES[each.outcome] || ""))], OUTCOMES[each.outcome]]), now.run, (at) => {
    openRun(at);
    by("attempts").querySelector("[aria-pressed=true]").focus();
  });
}

function drawProblems() {
  const left = data.picturesLeftOut;
  const lines = [...data.problems.slice(0, 12)];
  if (data.problems.length > 12) lines.push("And " + (data.problems.length - 12) + " more of this kind.");
  if (left) lines.push(left + " of " + several(data.pictures.length, "picture") + " left out to keep the page small; those of failures were kept first.");
  by("problems").hidden = lines.length === 0;
  by("problems").replaceChildren(...lines.map((text) => el("p", { text })));
  if (lines.length > 4) by("problems").tabIndex = 0;
}

const isDark = () => (document.documentElement.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
function showTheme() { by("theme").replaceChildren(icon(isDark() ? "light" : "dark")); }
function switchTheme() {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  kept.set("theme", document.documentElement.dataset.theme);
  showTheme();
}

function openTab(name) {
  document.querySelector(".panels").dataset.tab = name;
  for (const tab of document.querySelectorAll(".tabs button")) tab.setAttribute("aria-current", String(tab.dataset.tab === name));
}

for (const tab of document.querySelectorAll(".tabs button")) tab.addEventListener("click", () => openTab(tab.dataset.tab));
by("theme").addEventListener("click", switchTheme);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", showTheme);
by("to-failure").addEventListener("click", () => { select(run().failure_at, {}); openTab("detail"); });
window.addEventListener("hashchange", () => {
  const [number, at] = place();
  if (number !== undefined && (number !== now.run || at !== now.step)) openRun(number, at);
});

// `#2.14` is the fourteenth step of the second run.
function place() {
  const found = /^#(\d+)\.(\d+)$/.exec(location.hash);
  if (!found || !data.runs[found[1] - 1]) return [];
  return [found[1] - 1, Math.max(0, found[2] - 1)];
}

const theme = kept.get("theme");
if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
if (Object.values(MODES).includes(kept.get("mode"))) now.mode = kept.get("mode");
showTheme();
drawProblems();
by("app").hidden = false;
openRun(...(place().length ? place() : [firstRun()]));
// Pictures stand at the end of the file: those that were not read yet are drawn now.
document.addEventListener("DOMContentLoaded", () => { drawStrip(); drawDetail(); });

// Of several attempts the last one is what became of the flow.
function firstRun() { return data.runs.length - 1; }
