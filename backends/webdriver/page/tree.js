// The composed tree: shadow roots in place of their hosts' children, slotted nodes where they are drawn, and the
// documents of same-origin frames inside their frame elements.


/** Names that mean something only in HTML; an SVG or XML element of that name has none of the properties. */
const HTML_ONLY = new NativeSet(['input', 'textarea', 'select', 'option', 'optgroup', 'button', 'label', 'iframe', 'frame', 'details', 'summary', 'dialog',
  'meter', 'progress', 'output', 'slot', 'fieldset', 'table', 'img', 'audio', 'video']);

/** Local name; "foreign" for an element that only looks like an HTML one. */
function tagOf(element) {
  const name = localName(element);
  return HTML_ONLY.has(name) && namespaceURI(element) !== HTML ? 'foreign' : name;
}

function isElement(node) {
  return !!node && nodeType(node) === ELEMENT;
}

/** The document inside a frame element, null when there is none or it is of another origin. */
function innerDocument(frame) {
  try {
    const tag = tagOf(frame);
    if (tag === 'iframe') return iframeDocument(frame) || null;
    if (tag === 'frame') return frameDocument(frame) || null;
    return null;
  } catch (refused) {
    return null;
  }
}

function isFrame(element) {
  const tag = tagOf(element);
  return tag === 'iframe' || tag === 'frame';
}

/** The element that shows a window, null for the agent's own window and for foreign ones. */
function frameOf(view) {
  if (view === window) return null;
  try {
    return view.frameElement;
  } catch (refused) {
    return null;
  }
}

/** Calls `visit` with each child as drawn. A visit that returns true ends the iteration. */
function eachChild(element, visit) {
  const shadow = openShadowRoot(element);
  if (shadow) return eachSibling(firstChild(shadow), visit);
  const tag = tagOf(element);
  if (tag === 'slot' && nodeType(getRootNode(element)) === FRAGMENT) {
    const assigned = assignedNodes(element);
    if (assigned.length > 0) {
      for (let i = 0; i < assigned.length; i += 1) if (visit(assigned[i])) return true;
      return false;
    }
  }
  if (tag === 'details' && !hasAttribute(element, 'open')) {
    const summary = firstSummary(element);
    return summary ? visit(summary) : false;
  }
  return eachSibling(firstChild(element), visit);
}

function eachSibling(first, visit) {
  for (let node = first; node; node = nextSibling(node)) if (visit(node)) return true;
  return false;
}

/** The summary that opens and closes a details element, or null. */
function firstSummary(details) {
  for (let child = firstElementChild(details); child; child = nextElementSibling(child)) {
    if (tagOf(child) === 'summary') return child;
  }
  return null;
}

/** Parent as drawn: the slot of a slotted node, the host of a shadow root, the frame element of a document. */
function composedParent(node) {
  const type = nodeType(node);
  const slot = type === ELEMENT ? assignedSlot(node) : type === TEXT ? textAssignedSlot(node) : null;
  if (slot) return slot;
  const parent = parentNode(node);
  if (!parent) return null;
  const parentType = nodeType(parent);
  if (parentType === ELEMENT) return parent;
  if (parentType === FRAGMENT) return parent instanceof ShadowRoot || 'host' in parent ? shadowHost(parent) : null;
  if (parentType === DOCUMENT) {
    const view = defaultView(parent);
    return view ? frameOf(view) : null;
  }
  return null;
}

/** True when `node` is `ancestor` or drawn inside it, across shadow roots and frames. */
function isWithin(node, ancestor) {
  for (let current = node; current; current = composedParent(current)) if (current === ancestor) return true;
  return false;
}

/** The nearest element, from `node` outwards, for which `test` holds. */
function composedClosest(node, test) {
  for (let current = node; current; current = composedParent(current)) {
    if (nodeType(current) === ELEMENT && test(current)) return current;
  }
  return null;
}

/** An element by id, in the tree that `element` itself belongs to. */
function byIdNear(element, id) {
  const root = getRootNode(element);
  return nodeType(root) === DOCUMENT ? documentById(root, id) : nodeType(root) === FRAGMENT ? fragmentById(root, id) : null;
}

/** The elements that an attribute lists by id, in order. */
function referenced(element, attribute) {
  const list = getAttribute(element, attribute);
  if (!list) return [];
  const found = [];
  for (const id of list.split(/\s+/)) {
    const target = id && byIdNear(element, id);
    if (target) found.push(target);
  }
  return found;
}

/** Deepest element with the focus, through shadow roots and same-origin frames; null for none. */
function deepActive() {
  let doc = document;
  let active = documentActive(doc);
  while (active) {
    const shadow = openShadowRoot(active);
    const inShadow = shadow && shadowActive(shadow);
    if (inShadow) {
      active = inShadow;
      continue;
    }
    const inner = isFrame(active) ? innerDocument(active) : null;
    const innerActive = inner && documentActive(inner);
    if (!innerActive) break;
    doc = inner;
    active = innerActive;
  }
  return active && active !== bodyOf(doc) && active !== documentElementOf(doc) ? active : null;
}

/** The agent's document and every same-origin document inside it. */
function reachableDocuments() {
  const documents = [document];
  for (let i = 0; i < documents.length && documents.length < 200; i += 1) {
    for (const root of rootsOf(documents[i])) {
      const list = nodeType(root) === DOCUMENT ? documentQueryAll(root, 'iframe,frame') : fragmentQueryAll(root, 'iframe,frame');
      for (let k = 0; k < list.length; k += 1) {
        const inner = innerDocument(list[k]);
        if (inner && documentElementOf(inner)) documents[documents.length] = inner;
      }
    }
  }
  return documents;
}

const shadowRootsSeen = new NativeWeakMap();

/** A document and the shadow roots in it that the agent has met. */
function rootsOf(doc) {
  const seen = shadowRootsSeen.get(doc);
  const roots = [doc];
  if (seen) for (const reference of seen) {
    const root = reference.deref();
    if (root && isConnected(root)) roots[roots.length] = root;
    else seen.delete(reference);
  }
  return roots;
}

const metShadowRoots = new NativeWeakMap();

/** Remembers a shadow root, so that its changes and frames are known. */
function meetShadowRoot(root) {
  if (metShadowRoots.has(root)) return;
  metShadowRoots.set(root, true);
  const doc = ownerDocument(root);
  let seen = shadowRootsSeen.get(doc);
  if (!seen) shadowRootsSeen.set(doc, seen = new NativeSet());
  seen.add(new NativeWeakRef(root));
  observeRoot(root);
}
