// Has the page changed?

let changes = 0;
const observedRoots = new NativeWeakMap();
const observer = new NativeMutationObserver((records) => { changes += records.length; });
const OBSERVED = { subtree: true, childList: true, attributes: true, characterData: true };

/** Counts changes in a document or shadow root from now on. */
function observeRoot(root) {
  if (observedRoots.has(root)) return;
  observedRoots.set(root, true);
  observer.observe(root, OBSERVED);
}

function observeDocument(doc) {
  observeRoot(doc);
}

function mutationCount() {
  changes += observer.takeRecords().length;
  return changes;
}

function mutations() {
  return { mutations: mutationCount() };
}

/** FNV-1a, a number at a time. */
function mix(hash, value) {
  return Math.imul(hash ^ (value | 0), 0x01000193);
}

function mixText(hash, text) {
  let mixed = hash;
  for (let i = 0; i < text.length; i += 1) mixed = Math.imul(mixed ^ charCode(text, i), 0x01000193);
  return mix(mixed, text.length);
}

const MAX_DIGESTED = 50000;
let digested = { atChange: -1, elements: [], hash: 0 };

/**
 * A hash over the things that a person could see change. Texts and attributes cannot change without a mutation, so they are read again only
 * after one; boxes, values and scroll offsets are read each time.
 */
function digest() {
  if (digested.atChange !== mutationCount()) {
    const elements = everyElement();
    // Meeting new shadow roots while listing counts nothing: changes in them are counted from here on.
    digested = { atChange: mutationCount(), elements, hash: contentHash(elements) };
  }
  let hash = mixText(mixText(digested.hash, location.href), document.title);
  const { elements } = digested;
  for (let i = 0; i < elements.length; i += 1) {
    const rect = boundingRect(elements[i]);
    if (rect.width === 0 && rect.height === 0) continue;
    hash = mix(mix(mix(mix(hash, rect.left * 2), rect.top * 2), rect.width * 2), rect.height * 2);
    const tag = tagOf(elements[i]);
    if (tag === 'input') hash = mix(mixText(hash, inputValue(elements[i])), inputChecked(elements[i]) ? 1 : 0);
    else if (tag === 'textarea') hash = mixText(hash, areaValue(elements[i]));
    else if (tag === 'select') hash = mixText(hash, selectedLabels(elements[i]).join());
  }
  return { digest: (hash >>> 0).toString(16), mutations: mutationCount(), moving: movingCount() };
}

/** Every element that may be drawn, in documents, shadow roots and same-origin frames, at most 50,000. */
function everyElement() {
  const elements = [];
  const queue = reachableDocuments();
  for (const doc of reachableDocuments()) for (const root of rootsOf(doc)) if (root !== doc) queue[queue.length] = root;
  const seen = new NativeSet();
  for (let q = 0; q < queue.length; q += 1) {
    if (seen.has(queue[q])) continue;
    seen.add(queue[q]);
    observeRoot(queue[q]);
    const isDocument = nodeType(queue[q]) === DOCUMENT;
    const all = isDocument ? documentQueryAll(queue[q], 'body *') : fragmentQueryAll(queue[q], '*');
    for (let i = 0; i < all.length && elements.length < MAX_DIGESTED; i += 1) {
      elements[elements.length] = all[i];
      const shadow = openShadowRoot(all[i]);
      if (!shadow) continue;
      meetShadowRoot(shadow);
      queue[queue.length] = shadow;
    }
  }
  return elements;
}

const STATE_ATTRIBUTES = ['role', 'aria-label', 'aria-expanded', 'aria-checked', 'aria-selected', 'aria-pressed', 'aria-disabled', 'disabled', 'alt', 'open'];

function contentHash(elements) {
  let hash = 0x811c9dc5;
  for (let e = 0; e < elements.length; e += 1) {
    for (let i = 0; i < STATE_ATTRIBUTES.length; i += 1) {
      const value = getAttribute(elements[e], STATE_ATTRIBUTES[i]);
      if (value !== null) hash = mixText(mix(hash, i), value);
    }
    for (let child = firstChild(elements[e]); child; child = nextSibling(child)) {
      if (nodeType(child) === TEXT) hash = mixText(hash, textData(child));
    }
  }
  return hash;
}

/** Animations and transitions that run and will end. */
function movingCount() {
  let count = 0;
  for (const doc of reachableDocuments()) {
    const animations = documentAnimations(doc) || [];
    for (let i = 0; i < animations.length; i += 1) {
      const effect = animations[i].effect;
      const timing = effect && typeof effect.getComputedTiming === 'function' ? effect.getComputedTiming() : null;
      if (animations[i].playState === 'running' && timing && timing.endTime < Infinity) count += 1;
    }
  }
  return count;
}

function ready() {
  let pendingImages = 0;
  const images = documentQueryAll(document, 'img');
  for (let i = 0; i < images.length && i < 2000; i += 1) {
    if (images[i].complete === false && getAttribute(images[i], 'loading') !== 'lazy') pendingImages += 1;
  }
  return {
    readyState: document.readyState, url: location.href, title: document.title, doc: DOC_TOKEN, pendingImages, visible: document.visibilityState === 'visible',
  };
}
