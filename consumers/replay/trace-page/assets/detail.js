// What the chosen step did.
let shownNow = NOTHING;

function drawDetail() {
  const one = step();
  const box = by("detail");
  if (!one) {
    shownNow = NOTHING;
    box.replaceChildren(...[run().failure ? failureCard(run().failure, null) : null, el("p", { class: "none", text: "This run has no steps." })].filter(Boolean));
    drawTree(shownNow);
    return;
  }
  const call = one.calls[now.call];
  shownNow = screens(one, call);
  let failure = one.failure || (call && call.failure);
  // What the script's own failure adds to that of its step: what is perhaps meant, and how to go on.
  const whole = run().failure;
  if (failure && whole && whole.diverged && one.at === run().failure_at) {
    failure = { ...failure, hint: whole.hint || failure.hint, lists: whole.lists, facts: [...failure.facts, ...whole.facts.filter(([name]) => !failure.facts.some((fact) => fact[0] === name))] };
  }
  const runs = !failure && one.at === run().steps.length - 1 && whole && run().failure_at < 0 ? whole : null;
  const pictures = drawPictures(shownNow);
  const notes = [...one.notes, ...(call ? call.notes : [])];
  const words = [
    failure && one.status !== "passed" ? failureCard(failure, one) : null,
    failure && one.status === "passed" ? el("p", { class: "done", text: "One command failed, and the step went on: " + failure.message }) : null,
    runs ? failureCard(runs, null) : null,
    notes.length ? el("ul", { class: "notes", "aria-label": "Notes" }, notes.map((text) => el("li", { text }))) : null,
  ].filter(Boolean);
  const rest = [
    call ? timingBar(call) : null,
    call ? networkPart(call) : null,
    call && call.log.length ? el("section", { "aria-label": "The app's log" }, el("h3", { class: "title", text: "The app's log" }), el("pre", { class: "log", tabindex: "0", text: call.log.join("\n") })) : null,
  ].filter(Boolean);
  // A tall picture stands beside the words where there is room: both are seen at once.
  const beside = pictures && pictures.classList.contains("tall") && words.length > 0;
  const body = beside ? [el("div", { class: "beside" }, el("div", { class: "words" }, words, rest), pictures)] : [...words, pictures, ...rest];
  box.replaceChildren(...[stepHead(one, call), one.calls.length > 1 ? calls(one) : null, ...body].filter(Boolean));
  drawTree(shownNow);
}

function stepHead(one, call) {
  const about = el("div", { class: "about" });
  const put = (...words) => about.append(el("span", {}, ...words));
  put(one.number === null ? "Outside the flow's steps" : "Step " + one.number + " of " + run().steps.length);
  if (one.place) put(el("code", { text: one.place }));
  if (one.status === "skipped") put("Not tried");
  else put("began at " + duration(one.startedMs) + ", took " + duration(one.durationMs));
  if (call && call.line && (one.calls.length > 1 || !says(one.text, call))) put(el("code", { text: call.line }));
  const go = (direction, text, label) => {
    const to = neighbour(direction);
    return el("button", { type: "button", class: "button icon", "aria-label": label, title: label + (direction > 0 ? " (j)" : " (k)"), disabled: to === null, onclick: () => move(direction, label), text });
  };
  const done = call && call.ok && call.message ? el("p", { class: "done", text: call.message }) : null;
  return el("div", { class: "step-head" }, state(one.status),
    el("div", { class: "words" }, el("h2", { text: one.text }), about, done),
    el("div", { class: "move" }, go(-1, "↑", "Step before"), go(1, "↓", "Next step")));
}

// Whether the step's own text begins with the command that it sent: then its line says nothing new.
const says = (text, call) => text.split(" ")[0] === call.line.split(" ")[0];

function move(direction, label) {
  const to = neighbour(direction);
  if (to === null) return;
  select(to, {});
  const again = by("detail").querySelector("[aria-label='" + label + "']");
  if (again && !again.disabled) again.focus();
}

function calls(one) {
  const box = el("div", { class: "choice calls", role: "group", "aria-label": "Commands of this step" });
  choose(box, one.calls.map((call, at) => [at, (call.ok ? "" : "✕ ") + call.command, call.line]), now.call, (at) => {
    now.call = at;
    drawDetail();
    const pressed = by("detail").querySelector(".calls [aria-pressed=true]");
    if (pressed) pressed.focus();
  });
  return box;
}
