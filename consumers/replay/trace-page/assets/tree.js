// The tree of the screen.
const MOST_LEAVES = 1500;
let nodes = [];
let leaves = new Map();
let drawn = null;
let target = null;
let chosen = null;
let later = 0;
let allLeaves = false;

// The tree of a side of what is shown. Waits a moment, so that walking over steps does not draw the trees of all of them.
function drawTree(seen) {
  const sides = ["before", "after"].filter((side) => seen[side] && seen[side].tree !== null);
  if (!sides.includes(now.side)) now.side = sides[0] || "before";
  by("tree-side").hidden = sides.length < 2;
  choose(by("tree-side"), [["before", "Before"], ["after", "After"]], now.side, setSide);
  const number = sides.length ? seen[now.side].tree : null;
  const aimedSide = seen.before && seen.before.tree !== null ? "before" : "after";
  const aimed = seen.target && now.side === aimedSide ? seen.target.node : null;
  clearTimeout(later);
  if (number === null) return showTree([], null, null, "There is no tree of this screen.");
  if (drawn === number) return aimAt(aimed);
  later = setTimeout(async () => {
    try {
      const found = await tree(number);
      if (seen === shownNow) showTree(found, number, aimed, "");
    } catch (why) {
      if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", () => drawTree(shownNow), { once: true });
      else showTree([], null, null, "The tree cannot be unpacked: " + why.message);
    }
  }, 40);
}

function showTree(found, number, aimed, none) {
  nodes = found;
  drawn = number;
  allLeaves = false;
  chooseNode(null);
  by("tree-none").textContent = none;
  target = aimed;
  drawLeaves();
  reveal();
}

function aimAt(aimed) {
  if (target === aimed) return;
  target = aimed;
  drawLeaves();
  reveal();
}

function reveal() {
  const leaf = leaves.get(target);
  if (leaf) leaf.scrollIntoView({ block: "center" });
  else if (!chosen) by("tree").scrollTop = 0;
}

function drawLeaves() {
  const words = by("tree-search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (one) => {
    one.words ||= (one.role + " " + one.label + " " + one.id + " " + (one.more.value || "") + " " + (one.more.type || "")).toLowerCase();
    return words.every((word) => one.words.includes(word));
  };
  const found = words.length ? nodes.filter(matches) : nodes;
  const shown = allLeaves ? found : found.slice(0, MOST_LEAVES);
  const aimed = nodes.find((one) => one.index === target);
  if (aimed && found.includes(aimed) && !shown.includes(aimed)) shown.push(aimed);
  leaves = new Map(shown.map((one) => [one.index, leaf(one, words.length > 0)]));
  by("tree").replaceChildren(...leaves.values());
  const first = leaves.get(chosen && chosen.index) || leaves.get(target) || leaves.values().next().value;
  if (first) first.tabIndex = 0;
  by("tree-count").textContent = !nodes.length ? "" : words.length ? found.length + " of " + nodes.length : several(nodes.length, "node");
  by("tree").hidden = found.length === 0;
  by("tree-none").hidden = found.length > 0 && found.length === shown.length;
  if (nodes.length && !found.length) by("tree-none").textContent = "No node matches.";
  else if (found.length > shown.length) {
    by("tree-none").replaceChildren(shown.length + " nodes are listed. ", el("button", { type: "button", class: "button small", text: "List all " + found.length, onclick: () => { allLeaves = true; drawLeaves(); } }));
  }
}

function leaf(one, flat) {
  const isTarget = one.index === target;
  const kind = ["leaf", one.interactive ? "active" : "", one.visible ? "" : "unseen-node", isTarget ? "target" : ""].filter(Boolean).join(" ");
  const label = one.label || one.more.value || one.more.description || one.more.placeholder || "";
  const made = el("div", {
    class: kind, role: "treeitem", tabindex: "-1", "aria-level": one.depth + 1, "aria-selected": String(chosen === one), title: one.visible ? null : "Not to be seen on the screen",
  }, el("span", { class: "role", text: one.role }), el("span", { class: "label", text: label }), one.id ? el("span", { class: "id", text: "#" + one.id }) : null,
  isTarget ? el("span", { class: "tag", text: "target" }) : null);
  made.style.paddingLeft = (flat ? 12 : 12 + Math.min(one.depth, 14) * 12) + "px";
  made.node = one;
  return made;
}

function pointLeaf(found) {
  for (const one of by("tree").querySelectorAll(".pointed")) one.classList.remove("pointed");
  const leaf = found && leaves.get(found.index);
  if (!leaf) return;
  leaf.classList.add("pointed");
  leaf.scrollIntoView({ block: "nearest" });
}

function chooseNode(found, focus) {
  const old = chosen && leaves.get(chosen.index);
  if (old) { old.setAttribute("aria-selected", "false"); old.tabIndex = -1; }
  chosen = found;
  by("node").hidden = !found;
  if (!found) return;
  const leaf = leaves.get(found.index);
  if (leaf) {
    leaf.setAttribute("aria-selected", "true");
    leaf.tabIndex = 0;
    leaf.scrollIntoView({ block: "nearest" });
    if (focus) leaf.focus({ preventScroll: true });
  }
  const states = ["focused", "selected", "editable", "password", "interactive", "scrollable"].filter((name) => found[name]);
  if (!found.enabled) states.unshift("disabled");
  if (!found.visible) states.unshift("not visible");
  if (found.unhittable) states.push("a press does not reach it");
  const [x, y, width, height] = found.rect;
  const facts = [["role", found.role], ["label", found.label], ["id", found.id], ...Object.entries(found.more), ["state", states.join(", ")], ["box", width + " × " + height + " at (" + x + ", " + y + ")"]];
  by("node").replaceChildren(el("h3", { text: found.label || found.role }),
    el("dl", {}, facts.filter(([, value]) => value !== "").flatMap(([name, value]) => [el("dt", { text: name }), el("dd", { text: value })])));
  outline(found, now.side);
}

function setSide(side) {
  now.side = side;
  drawTree(shownNow);
}

by("tree").addEventListener("pointerover", (event) => {
  const leaf = event.target.closest(".leaf");
  if (leaf) outline(leaf.node, now.side);
});
by("tree").addEventListener("pointerleave", () => outline(chosen, now.side));
by("tree").addEventListener("click", (event) => {
  const leaf = event.target.closest(".leaf");
  if (leaf) chooseNode(leaf.node, true);
});
by("tree").addEventListener("keydown", (event) => {
  const list = [...leaves.values()];
  const at = list.indexOf(document.activeElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: list.length - 1, Enter: at, " ": at, j: at + 1, k: at - 1 }[event.key];
  if (to === undefined || at < 0) return;
  event.preventDefault();
  event.stopPropagation();
  const next = list[Math.max(0, Math.min(list.length - 1, to))];
  chooseNode(next.node, true);
});
by("tree-search").addEventListener("input", drawLeaves);
