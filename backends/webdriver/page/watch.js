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

/** FNV-1a over the things that a person could see change. */
function digest() {
  let hash = 0x811c9dc5;
  let left = 50000;
  const number = (value) => { hash = Math.imul(hash ^ (value | 0), 0x01000193); };
  const string = (text) => {
    for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ charCode(text, i), 0x01000193);
    number(text.length);
  };
  string(location.href);
  string(document.title);
  for (const doc of reachableDocuments()) {
    for (const root of rootsOf(doc)) {
      const all = nodeType(root) === DOCUMENT ? documentQueryAll(root, 'body *') : fragmentQueryAll(root, '*');
      for (let i = 0; i < all.length && left > 0; i += 1, left -= 1) digestElement(all[i], number, string);
    }
  }
  return { digest: (hash >>> 0).toString(16), mutations: mutationCount(), moving: movingCount() };
}

const STATE_ATTRIBUTES = ['role', 'aria-label', 'aria-expanded', 'aria-checked', 'aria-selected', 'aria-pressed', 'aria-disabled', 'disabled', 'alt', 'open'];

function digestElement(element, number, string) {
  const rect = boundingRect(element);
  if (rect.width === 0 && rect.height === 0) return;
  number(rect.left * 2);
  number(rect.top * 2);
  number(rect.width * 2);
  number(rect.height * 2);
  const tag = localName(element);
  if (tag === 'input') {
    string(inputValue(element));
    number(inputChecked(element) ? 1 : 0);
  } else if (tag === 'textarea') string(areaValue(element));
  else if (tag === 'select') string(selectedLabels(element).join());
  for (let i = 0; i < STATE_ATTRIBUTES.length; i += 1) {
    const value = getAttribute(element, STATE_ATTRIBUTES[i]);
    if (value !== null) string(value);
  }
  const shadow = openShadowRoot(element);
  if (shadow) meetShadowRoot(shadow);
  for (let child = firstChild(element); child; child = nextSibling(child)) {
    if (nodeType(child) === TEXT) string(textData(child));
  }
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
