// Scrolls to a node and finds a point of it which a press reaches.

const ALIGNMENTS = ['nearest', 'center', 'start', 'end'];

/** See README.md. Never sends an event; scrolling is all that it does to the page. */
function aim(options) {
  const node = liveNode(options.id);
  if (!node) return { status: 'gone' };
  const element = nodeType(node) === ELEMENT ? node : composedParent(node);
  const facts = aimFacts(node, element);
  if (!isDrawn(element)) return { status: 'not_rendered', ...facts };
  if (isInert(element)) return { status: 'inert', ...facts };
  if (boxesOf(node).length === 0 && isEmpty(boxOf(node))) return { status: 'zero_size', ...facts };

  const point = isArray(options.point) ? options.point : null;
  let found = findPoint(node, point);
  let scrolled = false;
  if (!found.reach && options.scroll !== false) {
    const before = positionOf(node);
    for (const alignment of ALIGNMENTS) {
      bringIntoView(element, alignment);
      resetGeometry();
      const next = findPoint(node, point);
      if (next.reach || next.seen || !found.seen) found = next;
      if (found.reach) break;
    }
    const after = positionOf(node);
    scrolled = abs(after[0] - before[0]) > 0.5 || abs(after[1] - before[1]) > 0.5;
  }
  return aimed(node, element, found, scrolled);
}

function aimed(node, element, found, scrolled) {
  const answer = { status: found.reach ? 'ok' : found.seen ? 'covered' : 'offscreen', ...aimFacts(node, element), scrolled, hit: found.reach, cover: null,
    waitFrames: scrolled && touchesForeignFrames() ? 2 : 0 };
  if (found.seen) {
    answer.x = found.x;
    answer.y = found.y;
  }
  if (!found.reach && found.seen) answer.cover = coverOf(found.hit);
  return answer;
}

/**
 * There is a border to a document of another origin: which side of it a press goes to is decided in another process, on the last frame drawn, so a
 * scroll must have been drawn first.
 */
function touchesForeignFrames() {
  if (window.parent !== window) return true;
  for (const doc of reachableDocuments()) {
    const frames = documentQueryAll(doc, 'iframe,frame');
    for (let i = 0; i < frames.length; i += 1) if (!innerDocument(frames[i])) return true;
  }
  return false;
}

function positionOf(node) {
  const box = toTop(boxOf(node), placement(ownerDocument(node)));
  return [box[0], box[1]];
}

function aimFacts(node, element) {
  const isText = nodeType(node) !== ELEMENT;
  const tag = tagOf(element);
  const role = isText ? 'text' : roleOf(element);
  const box = toTop(boxOf(node), placement(ownerDocument(node)));
  const view = viewportBox(window);
  const seen = visibleBox(node, box);
  const type = tag === 'input' ? inputType(element) : '';
  const name = isText ? clean(textData(node) || '').slice(0, MAX_TEXT) : nameOf(element, role).slice(0, MAX_TEXT);
  return {
    rect: rectOf(box), viewport: [view[2], view[3]], role: role === 'none' ? 'generic' : role, name,
    value: isText ? null : shortValue(element, role, tag), identifier: isText ? '' : identifierOf(element),
    flags: nodeFlags(element, roleOf(element), tag) | (isEmpty(box) ? 0 : FLAG.RENDERED | (seen ? FLAG.VISIBLE : 0)),
    tag, inputType: type, isSelect: tag === 'select', multiple: tag === 'select' && selectMultiple(element),
    moving: isMoving(element), frames: framesAround(element),
    popup: (tag === 'select' && role === 'combobox') || type === 'color' || type === 'file',
  };
}

function shortValue(element, role, tag) {
  const value = valueOf(element, role, tag);
  return value && value.slice(0, MAX_TEXT);
}

/** All flags that do not need a box. */
function nodeFlags(element, role, tag) {
  const inheritedFrom = composedClosest(element, (e) => hasAttribute(e, 'aria-disabled'));
  const ariaDisabled = inheritedFrom !== null && getAttribute(inheritedFrom, 'aria-disabled') === 'true';
  let flags = stateFlags(element, role, tag, { ariaDisabled, active: deepActive() });
  const interactive = isInteractive(element, role, tag);
  const clickable = !interactive && (hasClickHandler(element) || isPointerRoot(element));
  if (interactive || clickable) flags |= FLAG.INTERACTIVE;
  if (clickable) flags |= FLAG.CLICKABLE;
  if (isInert(element)) flags |= FLAG.INERT;
  if (styleOf(element).pointerEvents === 'none') flags |= FLAG.NO_POINTER;
  if (composedClosest(element, (e) => getAttribute(e, 'aria-hidden') === 'true')) flags |= FLAG.ARIA_HIDDEN;
  return flags;
}

/** Inside `inert`, or outside of the modal dialog that is open. */
function isInert(element) {
  const modal = openModal().native;
  for (let current = element; current; current = composedParent(current)) {
    if (current === modal) return false;
    if (hasAttribute(current, 'inert')) return true;
  }
  return modal !== null;
}

function framesAround(element) {
  const frames = [];
  for (let view = defaultView(ownerDocument(element)); view && view !== window;) {
    const frame = frameOf(view);
    if (!frame) break;
    frames.unshift(idOf(frame));
    view = defaultView(ownerDocument(frame));
  }
  return frames;
}

// --- points ---------------------------------------------------------------------------------------------------------

/** Parts of a box to try: the middle, then where a cover that hides the middle often ends. */
const SPOTS = [[0.5, 0.5], [0.25, 0.5], [0.75, 0.5], [0.5, 0.25], [0.5, 0.75], [0.1, 0.5], [0.9, 0.5], [0.2, 0.2], [0.8, 0.2], [0.2, 0.8], [0.8, 0.8]];
const GRID = [];
for (let row = 0; row < 15; row += 1) for (let column = 0; column < 15; column += 1) GRID[GRID.length] = [(column + 0.5) / 15, (row + 0.5) / 15];

/** The first spot that a press reaches the node at, else the first visible one: `{ seen, reach, x, y, hit }`. */
function findPoint(node, offset) {
  const place = placement(ownerDocument(node));
  const none = { seen: false, reach: null, x: 0, y: 0, hit: null };
  if (offset) return tryOffset(node, offset, place) || none;
  let first = null;
  let boxes = boxesOf(node);
  if (boxes.length === 0) boxes = [boxOf(node)];
  for (const own of boxes) {
    const seen = visibleBox(node, toTop(own, place));
    if (!seen) continue;
    const tried = trySpots(node, seen);
    if (tried.reach) return tried;
    if (!first) first = tried;
  }
  // A control that is drawn by its label (a custom checkbox) is pressed there.
  const labels = nodeType(node) === ELEMENT ? labelsOf(node) : [];
  for (let i = 0; i < labels.length; i += 1) {
    for (const own of boxesOf(labels[i])) {
      const seen = visibleBox(labels[i], toTop(own, place));
      const tried = seen ? trySpots(node, seen) : none;
      if (tried.reach) return tried;
    }
  }
  return first || none;
}

function trySpots(node, seen) {
  const found = trySpotsOf(SPOTS, node, seen);
  if (found.reach || !found.control) return found;
  // Controls inside it lie at all of them: what is between those may still be its own.
  const between = trySpotsOf(GRID, node, seen);
  if (between.reach || !saysTheSame(node, found.control)) return between;
  return { seen: true, reach: 'inside', x: found.x, y: found.y, hit: found.control, control: null };
}

function trySpotsOf(spots, node, seen) {
  let first = null;
  for (const [fx, fy] of spots) {
    const x = spot(seen[0], seen[2], fx);
    const y = spot(seen[1], seen[3], fy);
    const hit = elementAt(x, y);
    const reach = reaches(hit, node);
    const control = reach === 'inside' ? controlBetween(hit, node) : null;
    if (reach && !control) return { seen: true, reach, x, y, hit, control: null };
    if (!first || (control && !first.control)) first = { seen: true, reach: null, x, y, hit: control || hit, control };
  }
  return first;
}

function tryOffset(node, offset, place) {
  const box = toTop(boxOf(node), place);
  const x = box[0] + offset[0];
  const y = box[1] + offset[1];
  if (!visibleBox(node, [x, y, x + 0.5, y + 0.5])) return null;
  const hit = elementAt(x, y);
  return { seen: true, reach: reaches(hit, node), x: round(x * 2) / 2, y: round(y * 2) / 2, hit };
}

/**
 * A whole pixel of [low, high) where there is one, else the nearest half, else the exact place. Between pixels the browser rounds a question
 * in another way than an event: what it says is there may be the neighbour of what is hit.
 */
function spot(low, high, fraction) {
  const exact = low + (high - low) * fraction;
  const whole = floor(exact);
  if (whole >= low && whole < high) return whole;
  if (whole + 1 > low && whole + 1 < high) return whole + 1;
  const half = round(exact * 2) / 2;
  return half > low && half < high ? half : exact;
}

// --- scrolling and movement -----------------------------------------------------------------------------------------

function bringIntoView(element, alignment) {
  scrollIntoView(element, { block: alignment, inline: alignment === 'start' || alignment === 'end' ? 'nearest' : alignment, behavior: 'instant' });
  // A frame of a document that cannot scroll itself is brought in by its own document.
  const frame = frameOf(defaultView(ownerDocument(element)));
  if (frame) {
    resetGeometry();
    if (!visibleBox(element, toTop(boxOf(element), placement(ownerDocument(element))))) bringIntoView(frame, alignment);
  }
}

const MOVING_PROPERTIES = /^(transform|translate|rotate|scale|left|right|top|bottom|inset|width|height|margin|padding|font-?size|max|min|flex|offset|zoom|line-?height|grid|gap)/i;

/** A running animation of it or something around it moves or resizes it. */
function isMoving(element) {
  for (let current = element; current; current = composedParent(current)) {
    const animations = elementAnimations(current) || [];
    for (let i = 0; i < animations.length; i += 1) if (movesBox(animations[i])) return true;
  }
  return false;
}

function movesBox(animation) {
  if (animation.playState !== 'running') return false;
  if (animation.transitionProperty) return MOVING_PROPERTIES.test(animation.transitionProperty);
  const effect = animation.effect;
  if (!effect || typeof effect.getKeyframes !== 'function') return true;
  for (const frame of effect.getKeyframes()) {
    for (const property in frame) if (property !== 'offset' && MOVING_PROPERTIES.test(property)) return true;
  }
  return false;
}
