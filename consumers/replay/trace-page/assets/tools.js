// Elements, words and icons. Texts go in as texts: nothing here parses markup.
const SVG = "http://www.w3.org/2000/svg";

function fill(node, properties, children) {
  for (const [name, value] of Object.entries(properties || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "text") node.textContent = value;
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat()) if (child) node.append(child);
  return node;
}
const el = (tag, properties, ...children) => fill(document.createElement(tag), properties, children);
const shape = (tag, properties, ...children) => fill(document.createElementNS(SVG, tag), properties, children);
const by = (id) => document.getElementById(id);

const ICONS = {
  passed: "M2.5 8.5l3.5 3.5 7.5-8",
  failed: "M3.5 3.5l9 9m0-9l-9 9",
  warned: "M8 2.5v7m0 3v1",
  skipped: "M3 8h10",
  light: "M8 5a3 3 0 100 6 3 3 0 000-6zM8 .8v1.6m0 11.2v1.6M.8 8h1.6m11.2 0h1.6M2.9 2.9l1.1 1.1m8 8l1.1 1.1m0-10.2l-1.1 1.1m-8 8l-1.1 1.1",
  dark: "M13.5 9.5A6 6 0 116.5 2.5a4.8 4.8 0 007 7z",
};
const icon = (name) =>
  shape("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" },
    shape("path", { d: ICONS[name], fill: "none", stroke: "currentColor", "stroke-width": 2, "stroke-linecap": "round", "stroke-linejoin": "round" }));

const unseen = (text) => el("span", { class: "unseen", text });
const state = (status) => el("span", { class: "state " + status }, icon(status), unseen(status + ": "));
const several = (count, one, more) => count + " " + (count === 1 ? one : more || one + "s");

function duration(ms) {
  if (ms < 1000) return Math.round(ms) + " ms";
  if (ms < 60000) return (ms / 1000).toFixed(ms < 10000 ? 2 : 1) + " s";
  const seconds = Math.floor(ms / 1000);
  return Math.floor(seconds / 60) + " min " + String(seconds % 60).padStart(2, "0") + " s";
}

// A row of buttons of which one is pressed. Each choice is [value, text, title].
function choose(box, choices, value, then) {
  box.replaceChildren(...choices.map(([one, text, title]) =>
    el("button", { type: "button", "aria-pressed": String(one === value), title, "data-value": String(one), onclick: () => then(one) }, text)));
}

// Kept between pages where the browser allows that for files.
const kept = {
  get(name) { try { return localStorage.getItem("agent-device-trace-" + name); } catch { return null; } },
  set(name, value) { try { localStorage.setItem("agent-device-trace-" + name, value); } catch { /* then it is not kept */ } },
};
