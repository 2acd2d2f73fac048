// The keyboard.
const KEYS = [
  ["j ↓", "next step"], ["k ↑", "step before"], ["Home End", "first and last step"], ["← →", "fold and unfold a step that has parts"],
  ["n", "next step that failed"], ["p", "step before that failed"], ["/", "search the steps"], ["t", "search the tree"],
  ["f", "only what failed"], ["1 2 3 4", "pictures: side by side, before, after, slide"], ["d", "light or dark"], ["Esc", "leave a search"], ["?", "this list"],
];

const MODES = { 1: "both", 2: "before", 3: "after", 4: "slide" };
const ACTIONS = {
  j: () => go(neighbour(1)), ArrowDown: () => go(neighbour(1)), k: () => go(neighbour(-1)), ArrowUp: () => go(neighbour(-1)),
  Home: () => go(rows.findIndex((one) => !one.hidden)), End: () => go(rows.findLastIndex((one) => !one.hidden)),
  n: () => go(neighbour(1, isWrong)), p: () => go(neighbour(-1, isWrong)),
  ArrowLeft: () => leave(), ArrowRight: () => fold(now.step, false),
  "/": () => { openTab("steps"); by("steps-search").focus(); by("steps-search").select(); },
  t: () => { openTab("tree"); by("tree-search").focus(); by("tree-search").select(); },
  f: () => by("failed-only").click(), d: switchTheme, "?": () => by("keys").showModal(),
};

function go(at) {
  if (at === null || at < 0) return;
  const inList = by("steps").contains(document.activeElement);
  select(at, { focus: inList || document.activeElement === document.body });
}

// Folds a step with parts; else goes to the step that it is part of.
function leave() {
  const one = step();
  if (one && one.parts.length && !folded.has(one.at)) fold(one.at, true);
  else if (one && one.parent !== null) go(one.parent);
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || by("keys").open) return;
  const at = event.target;
  if (at.matches("input")) {
    if (event.key === "Escape" && at.type === "search") {
      at.value = "";
      at.dispatchEvent(new Event("input"));
      at.blur();
    } else if (event.key === "Enter" && at.id === "steps-search") go(rows.findIndex((one) => !one.hidden));
    if (at.type === "search" || event.key.startsWith("Arrow") || event.key === "Home" || event.key === "End") return;
  }
  // A region that scrolls keeps the keys that scroll it.
  const scrolls = at.matches("#detail, #node, .log, .address");
  if (scrolls && ["ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key)) return;
  const mode = MODES[event.key];
  const action = mode ? () => setMode(mode) : ACTIONS[event.key];
  if (!action) return;
  event.preventDefault();
  action();
});

by("keys-list").append(...KEYS.flatMap(([keys, text]) => [el("dt", {}, keys.split(" ").flatMap((key) => [el("kbd", { text: key }), " "])), el("dd", { text })]));
by("keys-open").addEventListener("click", () => by("keys").showModal());
by("keys-close").addEventListener("click", () => by("keys").close());
