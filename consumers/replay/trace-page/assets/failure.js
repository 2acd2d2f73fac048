// A failure for somebody who has never seen one.
function failureCard(failure, one) {
  const rows = el("dl", { class: "rows" });
  const put = (name, ...values) => rows.append(el("dt", { text: name }), el("dd", {}, ...values));
  if (one && one.place) put("Where", el("code", { text: one.place }));
  if (failure.waited) put("How it was tried", failure.waited);
  const sure = failure.dispatched === "no";
  put("Did it reach the device?", failure.dispatched ? el("span", { class: sure ? "pill good" : "pill warn", text: "dispatched: " + failure.dispatched }) : null, failure.reached);
  put("Trying again", failure.again);
  if (failure.hint) put("What to do", ...failure.hint.split("\n").filter(Boolean).map(advice));
  // What the tree shows as well stands with the details.
  const folded = failure.lists.filter(([name]) => name === ON_SCREEN);
  for (const [name, items] of failure.lists.filter((list) => !folded.includes(list))) put(LISTS[name] || name[0].toUpperCase() + name.slice(1), el("ul", {}, items.map((text) => el("li", { text }))));
  const more = [["code", failure.code], ["row", failure.row], ["what the row says", failure.rowMeaning], ...failure.facts, ...folded.map(([name, items]) => [name, items.join("\n")])].filter(([, value]) => value);
  // A code's meaning is worth a line where the message does not begin with it.
  const says = failure.meaning && !failure.message.startsWith(failure.meaning.replace(/\.$/, "")) ? failure.meaning : "";
  return el("section", { class: one && one.status === "warned" ? "failure warned" : "failure", "aria-label": "Failure" },
    el("header", {}, el("h3", { text: failure.message || failure.meaning || "It failed, and does not say why." }),
      says ? el("p", { text: says }) : null,
      one && one.status === "warned" ? el("p", { text: "This step was optional: the flow went on." }) : null),
    rows,
    more.length ? el("details", { class: "more" }, el("summary", { text: "All details" }),
      el("dl", {}, more.flatMap(([name, value]) => [el("dt", { text: name }), el("dd", { text: value })]))) : null);
}
const ON_SCREEN = "on the screen";
// A command to type stands apart from the words around it.
function advice(line) {
  const found = /(agent-device .*|--from \d.*)$/.exec(line);
  const words = found ? line.slice(0, found.index) : line;
  return el("p", { class: "todo" }, words ? words[0].toUpperCase() + words.slice(1) : null, found ? el("code", { text: found[0] }) : null);
}
const LISTS = { near: "Similar on the screen", candidates: "What matches", suggestions: "Perhaps meant" };
