// Where is a node, and how much of it can be seen? Boxes are [left, top, right, bottom] in the viewport of their own document until
// `toTop` moves them into the viewport of the agent's window.

let frameCache = new NativeMap();

function resetGeometry() {
  frameCache = new NativeMap();
}

/** How a document's viewport lies in the agent's: `x`, `y` offset, `sx`, `sy` scale, `clip` what of it is visible (agent's viewport). */
function placement(doc) {
  let known = frameCache.get(doc);
  if (!known) frameCache.set(doc, known = computePlacement(doc));
  return known;
}

function computePlacement(doc) {
  if (doc === document) return { x: 0, y: 0, sx: 1, sy: 1, clip: viewportBox(window), frame: null };
  const frame = frameOf(defaultView(doc));
  const content = contentBox(frame);
  const outer = placement(ownerDocument(frame));
  const box = toTop([content.left, content.top, content.left + content.width, content.top + content.height], outer);
  const visible = intersect(box, visibleBox(frame, toTop(boxOf(frame), outer)) || [0, 0, 0, 0]);
  return { x: box[0], y: box[1], sx: outer.sx * content.sx, sy: outer.sy * content.sy, clip: visible, frame };
}

/** The box that a frame's document fills, in the viewport of the frame element's document. */
function contentBox(frame) {
  const rect = boundingRect(frame);
  const style = styleOf(frame);
  const width = offsetWidth(frame);
  const height = offsetHeight(frame);
  const sx = width > 0 ? rect.width / width : 1;
  const sy = height > 0 ? rect.height / height : 1;
  const left = clientLeft(frame) + (parseFloat(style.paddingLeft) || 0);
  const top = clientTop(frame) + (parseFloat(style.paddingTop) || 0);
  return {
    left: rect.left + left * sx, top: rect.top + top * sy, sx, sy,
    width: (clientWidth(frame) - (parseFloat(style.paddingLeft) || 0) - (parseFloat(style.paddingRight) || 0)) * sx,
    height: (clientHeight(frame) - (parseFloat(style.paddingTop) || 0) - (parseFloat(style.paddingBottom) || 0)) * sy,
  };
}

/** Viewport without scroll bars. */
function viewportBox(view) {
  const doc = view.document;
  const root = documentElementOf(doc);
  let width = view.innerWidth;
  let height = view.innerHeight;
  if (root && doc.compatMode === 'CSS1Compat') {
    if (clientWidth(root) > 0) width = min(width, clientWidth(root));
    if (clientHeight(root) > 0) height = min(height, clientHeight(root));
  }
  return [0, 0, width, height];
}

function toTop(box, place) {
  if (place.sx === 1 && place.sy === 1 && place.x === 0 && place.y === 0) return box;
  return [place.x + box[0] * place.sx, place.y + box[1] * place.sy, place.x + box[2] * place.sx, place.y + box[3] * place.sy];
}

/** Box of a node; of what it holds when it has none of its own (`display: contents`, a link around a floated image, a text). */
function boxOf(node) {
  if (nodeType(node) === ELEMENT) {
    const rect = boundingRect(node);
    if (rect.width > 0 && rect.height > 0) return [rect.left, rect.top, rect.right, rect.bottom];
    if (!firstChild(node)) return [rect.left, rect.top, rect.right, rect.bottom];
    const inner = rangeOf(node);
    return inner.width > 0 && inner.height > 0 ? [inner.left, inner.top, inner.right, inner.bottom] : [rect.left, rect.top, rect.right, rect.bottom];
  }
  const rect = rangeOf(node);
  return [rect.left, rect.top, rect.right, rect.bottom];
}

function rangeOf(node) {
  const range = createRange(ownerDocument(node));
  rangeSelect(range, node);
  return rangeRect(range);
}

/** Box around the texts from `first` to `last`. */
function spanBox(first, last) {
  const range = createRange(ownerDocument(first));
  rangeStart(range, first);
  rangeEnd(range, last);
  const rect = rangeRect(range);
  return [rect.left, rect.top, rect.right, rect.bottom];
}

/** The separate boxes of a node (one per line for a link that wraps), largest first, at most 12. */
function boxesOf(node) {
  let rects = [];
  if (nodeType(node) === ELEMENT) rects = clientRects(node);
  const boxes = usableBoxes(rects);
  if (boxes.length > 0) return boxes;
  if (!firstChild(node) && nodeType(node) === ELEMENT) return [];
  const range = createRange(ownerDocument(node));
  rangeSelect(range, node);
  return usableBoxes(rangeRects(range));
}

function usableBoxes(rects) {
  const boxes = [];
  for (let i = 0; i < rects.length && i < 200; i += 1) {
    const rect = rects[i];
    if (rect.width > 0 && rect.height > 0) boxes[boxes.length] = [rect.left, rect.top, rect.right, rect.bottom];
  }
  return boxes.sort((a, b) => areaOf(b) - areaOf(a)).slice(0, 12);
}

function intersect(a, b) {
  return [max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3])];
}

function isEmpty(box) {
  return box[2] - box[0] <= 0 || box[3] - box[1] <= 0;
}

function areaOf(box) {
  return max(0, box[2] - box[0]) * max(0, box[3] - box[1]);
}

/** Part of `box` (agent's viewport) that no ancestor of `node` and no viewport clips; null for nothing. */
function visibleBox(node, box) {
  const doc = ownerDocument(node);
  const place = placement(doc);
  const clipped = intersect(box, place.clip);
  if (isEmpty(clipped)) return null;
  const seen = clipByAncestors(node, clipped, place);
  return isEmpty(seen) ? null : seen;
}

function clipByAncestors(node, box, place) {
  let seen = box;
  let current = nodeType(node) === ELEMENT ? node : composedParent(node);
  if (current !== node && current) seen = clipBy(current, styleOf(current), seen, place);
  let position = current ? styleOf(current).position : 'static';
  while (current && !isEmpty(seen)) {
    if (isTopLayer(current)) return seen;
    const parent = composedParent(current);
    if (!parent || isFrame(parent)) return seen;
    current = parent;
    const style = styleOf(current);
    // A fixed or absolute box is clipped only from its containing block outwards.
    if (position === 'fixed' && !containsFixed(style)) continue;
    if (position === 'absolute' && style.position === 'static' && !containsFixed(style)) continue;
    seen = clipBy(current, style, seen, place);
    position = style.position;
  }
  return seen;
}

function containsFixed(style) {
  return style.transform !== 'none' || style.filter !== 'none' || style.perspective !== 'none' || /paint|layout|strict|content/.test(style.contain) ||
    /transform|filter|perspective/.test(style.willChange);
}

function clipBy(element, style, box, place) {
  if (style.overflowY === 'visible' && style.overflowX === 'visible') return box;
  const tag = tagOf(element);
  // The overflow of the root and the body belongs to the viewport. An inline box clips nothing.
  if (tag === 'html' || tag === 'body' || style.display === 'inline' || style.display === 'contents') return box;
  return intersect(box, toTop(paddingBox(element), place));
}

/** Where a clipping element shows its content: inside its borders and scroll bars. */
function paddingBox(element) {
  const rect = boundingRect(element);
  const width = namespaceURI(element) === HTML ? offsetWidth(element) : 0;
  const height = width > 0 ? offsetHeight(element) : 0;
  if (width === 0 || height === 0 || clientWidth(element) === 0) return [rect.left, rect.top, rect.right, rect.bottom];
  const sx = rect.width / width;
  const sy = rect.height / height;
  const left = rect.left + clientLeft(element) * sx;
  const top = rect.top + clientTop(element) * sy;
  return [left, top, left + clientWidth(element) * sx, top + clientHeight(element) * sy];
}

function isTopLayer(element) {
  const tag = tagOf(element);
  if (tag === 'dialog') return matches(element, ':modal');
  if (!hasAttribute(element, 'popover')) return false;
  try {
    return matches(element, ':popover-open');
  } catch (unsupported) {
    return false;
  }
}

function tenth(value) {
  return round(value * 10) / 10;
}

/** [x, y, w, h] rounded to a tenth of a px. */
function rectOf(box) {
  return [tenth(box[0]), tenth(box[1]), tenth(box[2] - box[0]), tenth(box[3] - box[1])];
}
