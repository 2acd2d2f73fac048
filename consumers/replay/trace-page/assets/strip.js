// The film strip: as many pictures as fit, whatever the number of steps; each place on it is a step.
const strip = by("strip");
const mark = el("div", { class: "head-mark" });
let perStep = 1;

function drawStrip() {
  const steps = run().steps;
  // Without a single picture there is nothing to scrub.
  by("strip-panel").hidden = !steps.some((one) => one.thumb);
  const width = strip.clientWidth;
  if (!width) return;
  const height = strip.clientHeight - 12;
  const sample = steps.map((one) => one.thumb && data.pictures[one.thumb.picture]).find(Boolean);
  const natural = sample ? Math.min(160, Math.max(24, (height * sample.width) / sample.height)) : 24;
  perStep = Math.min(width / steps.length, natural + 2);
  const wide = perStep >= natural;
  const cells = wide ? steps.length : Math.max(1, Math.min(steps.length, Math.floor(width / (natural + 2))));
  const each = (perStep * steps.length) / cells;
  const holder = el("div", { class: "cells" });
  for (let cell = 0; cell < cells; cell++) {
    const one = telltale(steps.slice(Math.floor((cell * steps.length) / cells), Math.max(1, Math.floor(((cell + 1) * steps.length) / cells))));
    const source = one.thumb ? picture(one.thumb.picture) : "";
    const made = el("div", { class: "cell" }, source ? el("img", { src: source, alt: "", decoding: "async", draggable: "false" }) : el("div", { class: "blank" }));
    made.style.left = cell * each + "px";
    made.style.width = each + "px";
    holder.append(made);
  }
  const track = el("div", { class: "track" });
  track.style.right = "auto";
  track.style.width = perStep * steps.length + "px";
  for (const one of steps) {
    if (!isWrong(one)) continue;
    const tick = el("span", { class: one.status });
    tick.style.left = one.at * perStep + "px";
    tick.style.width = Math.max(3, perStep - 1) + "px";
    track.append(tick);
  }
  strip.replaceChildren(holder, track, mark);
  strip.setAttribute("aria-valuemax", String(steps.length));
  markStrip();
}

// Of the steps that share a cell: one that failed, else the one in the middle, of those whose picture is here.
function telltale(steps) {
  const middle = steps[Math.floor(steps.length / 2)];
  const here = (one) => one.thumb && one.thumb.picture !== null && data.pictures[one.thumb.picture].kept;
  return steps.find((one) => one.status === "failed" && here(one)) || (here(middle) && middle) || steps.find(here) || middle;
}

function markStrip() {
  const one = step();
  if (!one) return;
  const width = Math.max(8, perStep);
  mark.style.left = Math.max(0, Math.min(one.at * perStep + perStep / 2 - width / 2, strip.clientWidth - width)) + "px";
  mark.style.width = width + "px";
  strip.setAttribute("aria-valuenow", String(one.at + 1));
  strip.setAttribute("aria-valuetext", "Step " + (one.at + 1) + " of " + run().steps.length + ", " + one.status + ": " + one.text);
}

function scrub(event) {
  const x = event.clientX - strip.getBoundingClientRect().left;
  const at = Math.max(0, Math.min(run().steps.length - 1, Math.floor(x / perStep)));
  if (at !== now.step) select(at, {});
}
strip.addEventListener("pointerdown", (event) => {
  if (event.button !== 0) return;
  strip.setPointerCapture(event.pointerId);
  scrub(event);
});
strip.addEventListener("pointermove", (event) => { if (strip.hasPointerCapture(event.pointerId)) scrub(event); });
strip.addEventListener("keydown", (event) => {
  const last = run().steps.length - 1;
  const to = {
    ArrowLeft: now.step - 1, ArrowDown: now.step - 1, ArrowRight: now.step + 1, ArrowUp: now.step + 1,
    PageUp: now.step + 10, PageDown: now.step - 10, Home: 0, End: last,
  }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  select(Math.max(0, Math.min(last, to)), {});
});
let stripWidth = 0;
new ResizeObserver(() => {
  if (strip.clientWidth === stripWidth) return;
  stripWidth = strip.clientWidth;
  drawStrip();
}).observe(strip);
