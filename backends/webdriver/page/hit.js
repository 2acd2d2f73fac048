// What would a press at this point reach?

/** Deepest element at a point of the agent's viewport, through shadow roots and same-origin frames; null outside of everything. */
function elementAt(x, y) {
  let doc = document;
  let px = x;
  let py = y;
  for (let depth = 0; depth < 20; depth += 1) {
    let hit = documentFromPoint(doc, px, py) || null;
    for (let shadow = hit && openShadowRoot(hit); shadow; shadow = openShadowRoot(hit)) {
      const inner = shadowFromPoint(shadow, px, py);
      if (!inner || inner === hit) break;
      hit = inner;
    }
    const innerDoc = hit && isFrame(hit) ? innerDocument(hit) : null;
    if (!innerDoc || !documentElementOf(innerDoc)) return hit;
    const place = placement(innerDoc);
    px = (x - place.x) / place.sx;
    py = (y - place.y) / place.sy;
    const view = viewportBox(defaultView(innerDoc));
    if (px < 0 || py < 0 || px >= view[2] || py >= view[3]) return hit;
    doc = innerDoc;
  }
  return null;
}

/**
 * How a press on `hit` reaches `node`: "self", "inside", "label" (activates it), "proxy" (the node is drawn by what was hit and takes no
 * presses itself), or null when it does not.
 */
function reaches(hit, node) {
  if (!hit) return null;
  if (hit === node) return 'self';
  if (isWithin(hit, node)) return 'inside';
  const control = labelledControl(hit);
  if (control && (control === node || isWithin(control, node))) return 'label';
  if (nodeType(node) !== ELEMENT) {
    const parent = composedParent(node);
    return parent && (hit === parent || isWithin(hit, parent)) ? 'self' : null;
  }
  if (!isWithin(node, hit)) return null;
  const tag = tagOf(node);
  if (tag === 'option' || tag === 'optgroup') return 'proxy';
  if (styleOf(node).pointerEvents !== 'none') return null;
  return isInteractive(node, roleOf(node), tag) ? null : 'proxy';
}

/**
 * The control inside `node` that a press on `hit` would be a press on; null where it is one on the node itself. What a node is drawn by in its own
 * shadow tree is part of it, as are the field inside a composite one and the control inside its label.
 */
function controlBetween(hit, node) {
  if (nodeType(node) !== ELEMENT || isFrame(node) || TEXT_COMPOSITES.has(roleOf(node)) || isEditingHost(node)) return null;
  for (let current = hit; current && current !== node; current = composedParent(current)) {
    if (nodeType(current) !== ELEMENT || !isInteractive(current, roleOf(current), tagOf(current))) continue;
    const own = isDrawingOf(current, node) || (tagOf(node) === 'label' && labelControl(node) === current);
    return own ? null : current;
  }
  return null;
}

/** Whether `control`, inside `node`, says the same as it does: then the node is a wrapper, and is pressed through what it wraps. */
function saysTheSame(node, control) {
  const name = nameOf(node, roleOf(node));
  return name !== '' && name === nameOf(control, roleOf(control));
}

const TEXT_COMPOSITES = new NativeSet(['combobox', 'textbox', 'searchbox', 'spinbutton']);

/** Whether an element lies in the shadow tree of `node`, at whatever depth, and not among the children that the page gave it. */
function isDrawingOf(element, node) {
  for (let current = element; current; ) {
    if (nodeContains(node, current)) return current === node;
    const root = getRootNode(current);
    current = nodeType(root) === FRAGMENT ? shadowHost(root) : null;
  }
  return false;
}

/** The control that a press on `element` activates through a label around it, unless something interactive is in between. */
function labelledControl(element) {
  for (let current = element; current; current = composedParent(current)) {
    const tag = tagOf(current);
    if (tag === 'label' && namespaceURI(current) === HTML) return labelControl(current) || null;
    if (current !== element && isInteractive(current, roleOf(current), tag)) return null;
    if (tag === 'a' || tag === 'button' || tag === 'input' || tag === 'select' || tag === 'textarea') return null;
  }
  return null;
}

/** One line that names an element to a person: role and name where it has them, else its tag, id, classes and first words. */
function describeElement(element) {
  const role = roleOf(element);
  const tag = tagOf(element);
  if (tag === 'html' || tag === 'body') return 'the page itself';
  const name = nameOf(element, role);
  const id = getAttribute(element, 'id');
  const classes = (getAttribute(element, 'class') || '').trim().split(/\s+/).filter((c) => c).slice(0, 2);
  const selector = tag + (id ? '#' + id : '') + classes.map((c) => '.' + c).join('');
  const text = name || clean((textContent(element) || '').slice(0, 400)).slice(0, 60);
  const head = role === 'generic' || role === 'none' ? selector : role + ' ' + selector;
  return text ? head + ' "' + text.slice(0, 60) + '"' : head;
}

/** The labels of a control, none for what has none. */
function labelsOf(element) {
  const tag = tagOf(element);
  const labels = hasOwn(LABELS, tag) ? LABELS[tag](element) : null;
  return labels || [];
}

/** What stands at a point, for people and for programs. */
function coverOf(hit) {
  if (!hit) return { id: 0, role: '', name: '', desc: 'nothing' };
  const telling = composedClosest(hit, (e) => {
    const role = roleOf(e);
    return role !== 'generic' && role !== 'none' && !TEXT_LEVEL.has(role);
  });
  const tag = telling ? tagOf(telling) : '';
  const shown = telling && tag !== 'main' && tag !== 'body' && tag !== 'html' ? telling : hit;
  const role = roleOf(shown);
  return { id: idOf(shown), role, name: nameOf(shown, role), desc: describeElement(shown) };
}

// --- the nodes of a capture ---------------------------------------------------------------------------------------------

/** Tests every visible interactive node at the middle of what can be seen of it. */
function hitTestAll(walk) {
  for (let i = 0; i < walk.nodes.length; i += 1) {
    if ((i & 31) === 31 && now() > walk.deadline + 500) break;
    const node = walk.elements[i];
    if (!walk.boxes[i]) {
      if (isLabelDrawn(walk.nodes[i]) && reachedByLabel(node)) walk.nodes[i][11] |= FLAG.HITTABLE;
      continue;
    }
    const seen = visibleBox(node, walk.boxes[i]);
    if (!seen) {
      walk.nodes[i][11] &= ~FLAG.VISIBLE;
      continue;
    }
    const hit = elementAt((seen[0] + seen[2]) / 2, (seen[1] + seen[3]) / 2);
    if (reaches(hit, node) || reachesLine(node, walk.boxes[i]) || reachesSpot(walk, node, seen) || (isLabelDrawn(walk.nodes[i]) && reachedByLabel(node))) {
      walk.nodes[i][11] |= FLAG.HITTABLE;
      continue;
    }
    // A sliver at the edge of the viewport: nothing is there, so nothing covers it.
    if (!hit) continue;
    walk.nodes[i][11] |= FLAG.COVERED;
    const listed = composedClosest(hit, (e) => walk.indexOf.has(e));
    const extra = walk.nodes[i][13] || {};
    if (listed && listed !== node && !isWithin(node, listed)) walk.nodes[i][12] = idOf(listed);
    else extra.cover = describeElement(hit);
    walk.nodes[i][13] = extra.cover ? extra : walk.nodes[i][13];
  }
}

/** The middle of a link that wraps may lie between its lines: then its largest line counts. */
function reachesLine(node, box) {
  const boxes = nodeType(node) === ELEMENT ? boxesOf(node) : [];
  if (boxes.length < 2) return false;
  const seen = visibleBox(node, toTop(boxes[0], placement(ownerDocument(node))));
  return seen !== null && areaOf(seen) < areaOf(box) && reaches(elementAt((seen[0] + seen[2]) / 2, (seen[1] + seen[3]) / 2), node) !== null;
}

/** What is rotated, or covered in the middle alone, is pressed elsewhere: at one of the spots that `aim` tries. For so many nodes of a capture. */
function reachesSpot(walk, node, seen) {
  if (walk.spotTests === 0) return false;
  walk.spotTests -= 1;
  return trySpots(node, seen).reach !== null;
}

/** A checkbox, radio button or file field, which pages like to hide behind its label. */
function isLabelDrawn(tuple) {
  return (tuple[11] & (FLAG.CHECKABLE | FLAG.FILE)) !== 0;
}

function reachedByLabel(node) {
  const labels = labelsOf(node);
  for (let i = 0; i < labels.length; i += 1) {
    const seen = visibleBox(labels[i], toTop(boxOf(labels[i]), placement(ownerDocument(labels[i]))));
    if (seen && reaches(elementAt((seen[0] + seen[2]) / 2, (seen[1] + seen[3]) / 2), node)) return true;
  }
  return false;
}
