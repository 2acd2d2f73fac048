// Did the input reach the node that was meant? Between the look and the press a page can change; the guard sees what the
// press really hits, before the page does, and swallows what would hit something else.

const POINTER_EVENTS = ['pointerdown', 'mousedown', 'touchstart', 'pointerup', 'mouseup', 'touchend', 'click', 'dblclick', 'auxclick', 'contextmenu'];
const KEY_EVENTS = ['keydown', 'keypress', 'keyup', 'beforeinput'];
const HOVER_EVENTS = ['pointerover', 'mouseover', 'pointermove', 'mousemove'];
const EVENTS = { pointer: [...POINTER_EVENTS, ...HOVER_EVENTS], key: KEY_EVENTS, hover: HOVER_EVENTS };
const ARRIVALS = new NativeSet(HOVER_EVENTS);
// What an app writes when it makes an element something else.
const NAMING = ['aria-label', 'aria-labelledby', 'role', 'title', 'alt', 'value', 'placeholder', 'type', 'href'];
const MAX_FACE = 2000;
const GUARD_TTL_MS = 5000;
const MAX_EVENTS = 64;

const composedPath = method(Event.prototype, 'composedPath');
const preventDefault = method(Event.prototype, 'preventDefault');
const stopImmediate = method(Event.prototype, 'stopImmediatePropagation');

let guard = null;
// The verdict that was given last, and for which guard: a caller whose answer was lost asks again.
let given = null;

function arm(options) {
  const node = liveElement(options.id);
  if (!node) throw failure('gone', 'the node is no longer in the document');
  disarm();
  given = null;
  const kind = hasOwn(EVENTS, options.kind || 'pointer') ? options.kind || 'pointer' : 'pointer';
  const armed = {
    token: options.token, node, kind, windows: [], events: [], decided: false, hit: false, missed: null, seen: [], timer: 0, clicked: false,
    mutationsBefore: mutationCount(), face: faceOf(node), faceSeen: false, changed: false,
  };
  armed.listener = (event) => onGuarded(armed, event);
  for (const doc of reachableDocuments()) {
    const view = defaultView(doc);
    if (!view) continue;
    for (const type of EVENTS[kind]) addListener(view, type, armed.listener, { capture: true, passive: false });
    armed.windows[armed.windows.length] = view;
  }
  armed.timer = later(() => removeListeners(armed), options.ttlMs > 0 ? options.ttlMs : GUARD_TTL_MS);
  guard = armed;
  return { token: armed.token, windows: armed.windows.length };
}

function removeListeners(armed) {
  cancelLater(armed.timer);
  for (const view of armed.windows) {
    try {
      for (const type of EVENTS[armed.kind]) removeListener(view, type, armed.listener, { capture: true });
    } catch (closed) {
      // The frame is gone, and its listeners with it.
    }
  }
  armed.windows = [];
}

function disarm() {
  if (guard) removeListeners(guard);
  guard = null;
}

/** Puts the guard away: an input of another kind begins, and its clicks are none of the press that was guarded. */
function standDown() {
  disarm();
  return {};
}

/**
 * What an element is: how it is called, and what the document says of it. The two together, since a pointer over it alone may change its name (a text
 * that shows on hover), and attributes change for many reasons that make it nothing else.
 */
function faceOf(element) {
  const role = roleOf(element);
  let written = (textContent(element) || '').slice(0, MAX_FACE);
  for (const name of NAMING) written += '\n' + (getAttribute(element, name) || '');
  return { role, name: nameOf(element, role).slice(0, MAX_FACE), written };
}

/** Looked at once, before the page's own listeners hear of the pointer: what they make of it is the press's doing. */
function lookAtFace(armed) {
  if (armed.faceSeen) return;
  armed.faceSeen = true;
  const now = faceOf(armed.node);
  armed.changed = now.written !== armed.face.written && (now.name !== armed.face.name || now.role !== armed.face.role);
}

/** A click that no pointer made: the Enter key in a form, the space bar on a button. */
function isKeyboardClick(event) {
  return event.type === 'click' && event.detail === 0;
}

/** The first event of a sequence decides; what follows it shares its fate. */
function onGuarded(armed, event) {
  if (!event.isTrusted || (!armed.hit && isKeyboardClick(event))) return;
  if (armed.kind !== 'key') lookAtFace(armed);
  if (armed.kind === 'pointer' && ARRIVALS.has(event.type)) return;
  if (armed.events.length < MAX_EVENTS) armed.events[armed.events.length] = event.type;
  if (!armed.decided) {
    armed.decided = armed.kind !== 'hover' || armed.hit;
    const target = composedPath(event)[0];
    if (armed.changed && pathReaches(event, armed.node)) {
      armed.decided = armed.kind !== 'hover';
      armed.missed = { id: idOf(armed.node), desc: describeElement(armed.node), changed: true };
    } else if (pathReaches(event, armed.node)) {
      armed.hit = armed.decided = true;
      armed.missed = null;
    } else {
      armed.missed = isElement(target) ? coverOf(target) : coverOf(null);
    }
  }
  if (armed.hit) {
    if (armed.seen.length < MAX_EVENTS) armed.seen[armed.seen.length] = event;
    if (event.type === 'click' && pathReaches(event, armed.node)) armed.clicked = true;
    return;
  }
  if (armed.kind === 'hover') return;
  preventDefault(event);
  stopImmediate(event);
}

function pathReaches(event, node) {
  const path = composedPath(event);
  for (let i = 0; i < path.length; i += 1) if (path[i] === node) return true;
  const target = path[0];
  if (!isElement(target)) return false;
  // A frame's events stay in its document; the frame element is around it all the same.
  return reaches(target, node) !== null;
}

function verdict(options) {
  if (given && given.token === options.token) return given.said;
  if (!guard || guard.token !== options.token) return { known: false };
  const armed = guard;
  const prevented = armed.seen.some((event) => event.defaultPrevented);
  const pending = options.awaitClick === true && armed.hit && !armed.clicked && !prevented && isAlive(armed.node);
  if (!pending) disarm();
  const active = deepActive();
  const said = {
    known: true, hit: armed.hit, clicked: armed.clicked, events: armed.events, missed: armed.hit ? null : armed.missed,
    pending, defaultPrevented: prevented, alive: isAlive(armed.node),
    mutations: mutationCount() - armed.mutationsBefore, url: location.href, focus: active ? idOf(active) : 0,
  };
  if (!pending) given = { token: options.token, said };
  return said;
}
