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
  const tag = localName(node);
  if (tag === 'option' || tag === 'optgroup') return 'proxy';
  if (styleOf(node).pointerEvents !== 'none') return null;
  return isInteractive(node, roleOf(node), tag) ? null : 'proxy';
}

/** The control that a press on `element` activates through a label around it, unless something interactive is in between. */
function labelledControl(element) {
  for (let current = element; current; current = composedParent(current)) {
    const tag = localName(current);
    if (tag === 'label' && namespaceURI(current) === HTML) return labelControl(current) || null;
    if (current !== element && isInteractive(current, roleOf(current), tag)) return null;
    if (tag === 'a' || tag === 'button' || tag === 'input' || tag === 'select' || tag === 'textarea') return null;
  }
  return null;
}

/** One line that names an element to a person: role and name where it has them, else its tag, id, classes and first words. */
function describeElement(element) {
  const role = roleOf(element);
  const name = nameOf(element, role);
  const tag = localName(element);
  const id = getAttribute(element, 'id');
  const classes = (getAttribute(element, 'class') || '').trim().split(/\s+/).filter((c) => c).slice(0, 2);
  const selector = tag + (id ? '#' + id : '') + classes.map((c) => '.' + c).join('');
  const text = name || clean((textContent(element) || '').slice(0, 400)).slice(0, 60);
  const head = role === 'generic' || role === 'none' ? selector : role + ' ' + selector;
  return text ? head + ' "' + text.slice(0, 60) + '"' : head;
}

/** What stands at a point, for people and for programs. */
function coverOf(hit) {
  if (!hit) return { id: 0, role: '', name: '', desc: 'nothing' };
  const telling = composedClosest(hit, (e) => {
    const role = roleOf(e);
    return role !== 'generic' && role !== 'none' && !TEXT_LEVEL.has(role);
  });
  const tag = telling ? localName(telling) : '';
  const shown = telling && tag !== 'main' && tag !== 'body' && tag !== 'html' ? telling : hit;
  const role = roleOf(shown);
  return { id: idOf(shown), role, name: nameOf(shown, role), desc: describeElement(shown) };
}
