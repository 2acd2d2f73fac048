// Which number has this node? Numbers are given once per node and never reused.

const numberByNode = new NativeWeakMap();
const nodeByNumber = new NativeMap();
let lastNumber = 0;
let sweepAt = 10000;

const DOC_TOKEN = (() => {
  const words = crypto.getRandomValues(new Uint32Array(2));
  return words[0].toString(36) + words[1].toString(36);
})();

/** The number of a node, given now if it had none. */
function idOf(node) {
  let id = numberByNode.get(node);
  if (id === undefined) {
    id = lastNumber += 1;
    numberByNode.set(node, id);
    nodeByNumber.set(id, new NativeWeakRef(node));
    if (nodeByNumber.size > sweepAt) sweep();
  }
  return id;
}

/** The number a node already has, or 0. */
function knownId(node) {
  return numberByNode.get(node) || 0;
}

/** The node of a number while it is part of a document that is on screen, else null. */
function liveNode(id) {
  const reference = nodeByNumber.get(id);
  const node = reference && reference.deref();
  return node && isAlive(node) ? node : null;
}

/** The same as an element: a text node answers with its parent. */
function liveElement(id) {
  const node = liveNode(id);
  return node && nodeType(node) !== ELEMENT ? composedParent(node) : node;
}

/** Connected, and so is every frame around it up to the agent's window. */
function isAlive(node) {
  let current = node;
  while (current && isConnected(current)) {
    const doc = nodeType(current) === DOCUMENT ? current : ownerDocument(current);
    if (doc === document) return true;
    const view = defaultView(doc);
    current = view && frameOf(view);
  }
  return false;
}

function sweep() {
  for (const [id, reference] of nodeByNumber) {
    if (!reference.deref()) nodeByNumber.delete(id);
  }
  sweepAt = nodeByNumber.size * 2 + 10000;
}
