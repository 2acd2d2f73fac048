// The pictures of a step, and what is drawn on them.
let shots = [];

function drawPictures(seen) {
  shots = [];
  const same = seen.before && seen.after && seen.before.picture !== null && seen.before.picture === seen.after.picture;
  const both = seen.before && seen.after && !same;
  const mode = both ? now.mode : seen.before ? "before" : "after";
  const one = (side) => shot(seen[side], side, side === "before" || !seen.before ? seen.target : null, seen.sent);
  const box = el("div", { class: "pictures" });
  if (!seen.before && !seen.after) return null;
  if (mode === "both") {
    box.classList.add("two");
    box.append(figure("before", seen, one("before")), figure("after", seen, one("after")));
  } else if (mode === "slide") box.append(slide(seen, one("before"), one("after")));
  else box.append(figure(mode, seen, one(mode), same));
  const head = el("div", { class: "pictures-head" }, el("h3", { class: "title", text: "Screen" }));
  if (both) {
    const modes = el("div", { class: "choice", role: "group", "aria-label": "How the pictures are shown" });
    choose(modes, [["both", "Side by side", "1"], ["before", "Before", "2"], ["after", "After", "3"], ["slide", "Slide", "4"]], mode, setMode);
    head.append(modes);
  }
  const target = seen.target;
  if (target && (target.rect || target.point || target.path.length)) {
    const point = { sent: "the point that was touched", unknown: "the point that may have been touched", unsent: "the point that would have been touched" };
    const way = { sent: "where the gesture went", unknown: "where the gesture may have gone", unsent: "where the gesture would have gone" };
    const sent = seen.sent;
    const what = target.path.length > 1 ? way[sent] : !target.point ? "the target" : target.rect ? "the target and " + point[sent] : point[sent];
    head.append(el("span", { class: "legend" }, el("span", {}, el("i", { class: "aimed" }), what)));
  }
  return el("div", { class: "screens" + (shots.length === 1 && shots[0].tall ? " tall" : "") }, head, seen.note ? el("p", { class: "done", text: seen.note }) : null, box);
}

function figure(side, seen, shown, same) {
  const screen = seen[side];
  const name = seen.note ? "Seen " + seen.when : same ? "Before, and the same after" : side === "before" ? "Before" : "After";
  const title = screen.title ? " · " + screen.title : "";
  return el("figure", {}, el("figcaption", {}, el("b", { text: name }), (same ? ", at " : " at ") + duration(screen.atMs) + title), shown.box);
}

function shot(screen, side, target, sent) {
  const known = screen.picture === null ? null : data.pictures[screen.picture];
  const view = screen.viewport || (known ? [known.width, known.height] : null);
  const source = picture(screen.picture);
  const box = el("div", { class: "shot" });
  const [width, height] = known ? [known.width, known.height] : view || [4, 3];
  box.style.aspectRatio = width + " / " + height;
  box.style.width = "calc(var(--picture-height) * " + width / height + ")";
  if (source) box.append(el("img", { src: source, alt: "The screen " + side + " this step", decoding: "sync", draggable: "false" }));
  else box.append(el("div", { class: "missing", text: missing(screen, source) }));
  const sketched = !source && source !== null && view && screen.tree !== null;
  const made = { box, side, view, hover: null, overlay: null, tall: height > width * 1.2 };
  if (view) {
    made.overlay = shape("svg", { viewBox: "0 0 " + view[0] + " " + view[1], preserveAspectRatio: "none", "aria-hidden": "true" });
    made.hover = shape("g", {});
    made.overlay.append(made.hover);
    if (sketched) sketch(made, screen);
    if (target) made.overlay.append(...aim(target, view, sent));
    box.append(made.overlay);
  }
  box.addEventListener("pointermove", (event) => pointAt(made, event, false));
  box.addEventListener("click", (event) => pointAt(made, event, true));
  box.addEventListener("pointerleave", () => outline(null, made.side));
  shots.push(made);
  return made;
}

function missing(screen, source) {
  if (source === null) return "The picture is being read.";
  if (screen.picture === null) return "There is no picture of this screen.";
  return data.pictures[screen.picture].kept ? "The picture cannot be read." : "This picture was left out to keep the page small.";
}

// Where there is no picture, the boxes of the tree and their labels.
async function sketch(made, screen) {
  const found = await tree(screen.tree).catch(() => []);
  if (!found.length) return;
  const drawn = shape("g", { class: "sketch" });
  const size = Math.sqrt(made.view[0] * made.view[1]) / 42;
  for (const one of found) {
    const [x, y, width, height] = one.rect;
    if (!one.visible || !width || !height || x >= made.view[0] || y >= made.view[1]) continue;
    drawn.append(shape("rect", { x, y, width, height, class: one.interactive ? "active" : null }));
    const room = Math.floor(width / size / 0.55);
    const leaf = !found.some((other) => other.depth > one.depth && other.index === one.index + 1);
    if (one.label && leaf && room > 2) {
      const text = one.label.length > room ? one.label.slice(0, room - 1) + "…" : one.label;
      drawn.append(shape("text", { x: x + 3, y: y + Math.min(height / 2 + size / 3, height - 2), "font-size": size, text }));
    }
  }
  made.overlay.prepend(drawn);
  const said = made.box.querySelector(".missing");
  if (said) said.classList.add("sketched");
}

// The box of the target, the point that was touched, the way of a gesture.
function aim(target, view, sent) {
  const size = Math.sqrt(view[0] * view[1]) * 0.014;
  const made = [];
  const twice = (tag, kind, facts) => made.push(shape(tag, { class: "mark-halo", ...facts }), shape(tag, { class: "mark " + kind, ...facts }));
  if (target.rect) {
    const { x, y, width, height } = target.rect;
    twice("rect", "box", { x, y, width, height, rx: 3 });
  }
  const path = target.path || [];
  if (path.length > 1) {
    twice("polyline", "path", { points: path.map((one) => one.x + "," + one.y).join(" ") });
    const end = path[path.length - 1];
    const from = path.findLast((one) => one.x !== end.x || one.y !== end.y) || path[0];
    const turn = (Math.atan2(end.y - from.y, end.x - from.x) * 180) / Math.PI;
    const head = [[size * 1.6, 0], [-size, size * 1.2], [-size, -size * 1.2]].map((one) => one.join(",")).join(" ");
    made.push(shape("polygon", { class: "mark-dot", points: head, transform: "translate(" + end.x + " " + end.y + ") rotate(" + turn + ")" }));
    made.push(shape("circle", { class: "mark-dot", cx: path[0].x, cy: path[0].y, r: size * 0.7 }));
  }
  const point = target.point || (path.length === 1 ? path[0] : null);
  if (point && path.length < 2) {
    twice("circle", sent === "sent" ? "" : "unsure", { cx: point.x, cy: point.y, r: size * 1.5 });
    if (sent !== "unsent") made.push(shape("circle", { class: "mark-dot", cx: point.x, cy: point.y, r: size * 0.5 }));
  }
  return made;
}

function slide(seen, before, after) {
  const seam = el("div", { class: "seam" });
  for (const part of [...after.box.children]) if (part.tagName === "IMG" || part.className === "missing") before.box.insertBefore(part, before.overlay);
  const pictures = before.box.querySelectorAll("img");
  const upper = pictures[pictures.length - 1];
  before.box.append(seam);
  const range = el("input", { type: "range", class: "slide", min: 0, max: 100, value: 50, "aria-label": "How much of the picture before is shown" });
  const move = () => {
    upper.style.clipPath = "inset(0 0 0 " + range.value + "%)";
    seam.style.left = range.value + "%";
  };
  range.addEventListener("input", move);
  move();
  shots = shots.filter((one) => one !== after);
  const times = " at " + duration(seen.before.atMs) + " and " + duration(seen.after.atMs);
  return el("figure", {}, el("figcaption", {}, el("b", { text: "Before | After" }), times), before.box, range);
}

function setMode(mode) {
  now.mode = mode;
  kept.set("mode", mode);
  drawDetail();
  const pressed = by("detail").querySelector(".pictures-head [aria-pressed=true]");
  if (pressed && document.activeElement === document.body) pressed.focus();
}

// Outlines a node of the tree on the pictures of its side.
function outline(found, side) {
  for (const one of shots) {
    if (!one.hover) continue;
    const drawn = found && one.side === side ? shape("rect", { class: "mark-hover", x: found.rect[0], y: found.rect[1], width: found.rect[2], height: found.rect[3] }) : null;
    one.hover.replaceChildren(...(drawn ? [drawn] : []));
  }
  if (!found) pointLeaf(null);
}

// From a place on a picture to the node of the tree: the smallest that is there, the later one of equals.
function pointAt(made, event, choose) {
  if (!made.view) return;
  if (choose && now.side !== made.side && !step().parts.length) setSide(made.side);
  if (now.side !== made.side) return;
  const area = made.box.getBoundingClientRect();
  const x = ((event.clientX - area.left) / area.width) * made.view[0];
  const y = ((event.clientY - area.top) / area.height) * made.view[1];
  let found = null;
  for (const one of nodes) {
    const [left, top, width, height] = one.rect;
    const inside = one.visible && x >= left && y >= top && x < left + width && y < top + height;
    if (inside && (!found || width * height <= found.rect[2] * found.rect[3])) found = one;
  }
  outline(found, made.side);
  pointLeaf(found);
  if (choose && found) chooseNode(found, false);
}
