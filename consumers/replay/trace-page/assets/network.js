// What a command's app asked of the network.
const requestsOf = (one) => one.calls.flatMap((call) => (call.network ? call.network.requests : []));
// Nothing at all of a run: its device does not tell.
const tellsNetwork = (one) => { one.network ??= one.steps.some((step) => step.calls.some((call) => call.network)); return one.network; };

function networkPart(call) {
  const found = call.network;
  if (!found && (tellsNetwork(run()) || !(call.before || call.after))) return null;
  const head = (words) => el("div", { class: "section-head" }, el("h3", { class: "title", text: "Network" }), el("span", { class: "legend", text: words }));
  if (!found) return el("section", { class: "network", "aria-label": "Network" }, head("This device does not tell what its apps ask of the network."));
  const all = found.requests;
  const more = found.leftOut || 0;
  const failed = all.filter((one) => one.failed).length;
  const words = [all.length + more ? several(all.length + more, "request") : "Nothing was loaded", failed ? failed + " failed" : "", more ? more + " not listed" : ""].filter(Boolean).join(", ");
  return el("section", { class: "network", "aria-label": "Network" }, head(words), all.length ? requests(all, call) : null, (found.notes || []).map((text) => el("p", { class: "legend", text: sentence(text) })));
}

const sentence = (text) => text[0].toUpperCase() + text.slice(1) + (text.endsWith(".") ? "" : ".");

function requests(all, call) {
  const first = Math.min(0, ...all.map((one) => one.startMs));
  const last = Math.max(call.durationMs, 1, ...all.map((one) => one.startMs + one.durationMs));
  const place = (ms) => (100 * (ms - first)) / (last - first);
  const body = el("tbody", { role: "rowgroup" }, all.map((one, at) => request(one, at, call, place)));
  body.addEventListener("keydown", walk);
  // On a phone rows are drawn as blocks, which takes their roles from them.
  return el("table", { class: "requests", role: "table" }, el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, ["Status", "Kind", "Address", "Time", "Size"].map((text) => el("th", { scope: "col", role: "columnheader", text })))), body);
}

function request(one, at, call, place) {
  const status = one.status ? String(one.status) : one.failed ? "no answer" : "–";
  const began = one.startMs < 0 ? duration(-one.startMs) + " before the command" : duration(one.startMs) + " after the command began";
  const bar = el("span", { class: one.failed ? "span failed" : "span" });
  bar.style.left = Math.min(99, place(one.startMs)) + "%";
  bar.style.width = Math.max(1, place(one.startMs + one.durationMs) - place(one.startMs)) + "%";
  const own = el("span", { class: "own" });
  own.style.left = place(0) + "%";
  own.style.width = Math.max(0, place(call.durationMs) - place(0)) + "%";
  return el("tr", { role: "row", class: one.failed ? "failed" : null },
    el("td", { role: "cell", class: "status" }, one.failed ? el("span", { class: "state failed" }, icon("failed"), unseen("failed: ")) : null, status, one.status || one.failed ? null : unseen(" (not told)")),
    el("td", { role: "cell", class: "kind", text: one.kind }),
    el("td", { role: "cell" }, el("button", { type: "button", class: "address", "aria-expanded": "false", title: one.url, tabindex: at ? "-1" : "0", onclick: openAddress },
      el("span", { class: "short", text: shortened(one.url) }), el("span", { class: "whole", text: one.url }))),
    el("td", { role: "cell", class: "when", title: "began " + began }, el("span", { class: "lane", "aria-hidden": "true" }, own, bar), el("span", { text: duration(one.durationMs) }), unseen(", began " + began)),
    el("td", { role: "cell", class: "size", text: size(one.bytes) }));
}

// From the middle: where it goes and what it asks for stand at the ends.
const LONGEST = 64;
function shortened(url) {
  const letters = [...url];
  return letters.length <= LONGEST ? url : letters.slice(0, 30).join("") + "…" + letters.slice(-(LONGEST - 31)).join("");
}

function size(bytes) {
  if (bytes === undefined || bytes === null) return "–";
  if (bytes === 0) return "cache";
  if (bytes < 1000) return bytes + " B";
  return bytes < 1e6 ? (bytes / 1e3).toFixed(bytes < 1e4 ? 1 : 0) + " kB" : (bytes / 1e6).toFixed(1) + " MB";
}

function openAddress(event) {
  const button = event.currentTarget;
  button.setAttribute("aria-expanded", String(button.getAttribute("aria-expanded") !== "true"));
}

// One stop for the tab key; the arrows go from address to address.
function walk(event) {
  const addresses = [...event.currentTarget.querySelectorAll(".address")];
  const at = addresses.indexOf(event.target);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: addresses.length - 1 }[event.key];
  if (at < 0 || to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  event.stopPropagation();
  const next = addresses[Math.max(0, Math.min(addresses.length - 1, to))];
  addresses[at].tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

// On the step's line in the list.
function networkCount(one) {
  const all = requestsOf(one);
  const more = one.calls.reduce((sum, call) => sum + ((call.network && call.network.leftOut) || 0), 0);
  if (!all.length && !more) return null;
  const failed = all.filter((each) => each.failed).length;
  const words = several(all.length + more, "request") + (failed ? ", " + failed + " failed" : "");
  return el("span", { class: failed ? "asked failed" : "asked", title: words }, el("span", { "aria-hidden": "true", text: (failed ? "✕" : "↓") + (failed || all.length + more) }), unseen(words + ", "));
}
