// Browser functions as they were when the agent was installed.
//
// Pages replace built-ins (fake clocks, Prototype.js and its toJSON, layout spies), and forms shadow their own members
// (`<input name="id">` makes `form.id` an element). Every DOM access of the agent goes through here, so neither can lie to it.

const uncurry = Function.prototype.bind.bind(Function.prototype.call);

/** The named method of a prototype as a plain function of (receiver, ...arguments). */
function method(prototype, name) {
  return typeof prototype[name] === 'function' ? uncurry(prototype[name]) : () => undefined;
}

/** The named accessor of a prototype chain as a plain function of (receiver). */
function getter(prototype, name) {
  for (let p = prototype; p; p = Object.getPrototypeOf(p)) {
    const descriptor = Object.getOwnPropertyDescriptor(p, name);
    if (descriptor && descriptor.get) return uncurry(descriptor.get);
  }
  return () => undefined;
}

/** The named setter of a prototype chain as a plain function of (receiver, value). */
function setter(prototype, name) {
  for (let p = prototype; p; p = Object.getPrototypeOf(p)) {
    const descriptor = Object.getOwnPropertyDescriptor(p, name);
    if (descriptor && descriptor.set) return uncurry(descriptor.set);
  }
  return () => undefined;
}

const { Map: NativeMap, Set: NativeSet, WeakMap: NativeWeakMap, WeakRef: NativeWeakRef } = window;
const { MutationObserver: NativeMutationObserver, Event: NativeEvent, InputEvent: NativeInputEvent } = window;
const nativeStringify = JSON.stringify;
const hasOwn = uncurry(Object.prototype.hasOwnProperty);
const later = window.setTimeout.bind(window);
const cancelLater = window.clearTimeout.bind(window);
const nextFrame = window.requestAnimationFrame.bind(window);
const now = performance.now.bind(performance);
const { abs, ceil, floor, max, min, round } = Math;
const isArray = Array.isArray;

const ELEMENT = 1;
const TEXT = 3;
const DOCUMENT = 9;
const FRAGMENT = 11;

// Node
const nodeType = getter(Node.prototype, 'nodeType');
const parentNode = getter(Node.prototype, 'parentNode');
const firstChild = getter(Node.prototype, 'firstChild');
const nextSibling = getter(Node.prototype, 'nextSibling');
const textContent = getter(Node.prototype, 'textContent');
const ownerDocument = getter(Node.prototype, 'ownerDocument');
const isConnected = getter(Node.prototype, 'isConnected');
const getRootNode = method(Node.prototype, 'getRootNode');
const nodeContains = method(Node.prototype, 'contains');
const textData = getter(CharacterData.prototype, 'data');
const addListener = method(EventTarget.prototype, 'addEventListener');
const removeListener = method(EventTarget.prototype, 'removeEventListener');
const dispatch = method(EventTarget.prototype, 'dispatchEvent');

// Element
const localName = getter(Element.prototype, 'localName');
const namespaceURI = getter(Element.prototype, 'namespaceURI');
const getAttribute = method(Element.prototype, 'getAttribute');
const hasAttribute = method(Element.prototype, 'hasAttribute');
const getAttributeNames = method(Element.prototype, 'getAttributeNames');
const matches = method(Element.prototype, 'matches');
const closest = method(Element.prototype, 'closest');
const querySelector = method(Element.prototype, 'querySelector');
const querySelectorAll = method(Element.prototype, 'querySelectorAll');
const children = getter(Element.prototype, 'children');
const firstElementChild = getter(Element.prototype, 'firstElementChild');
const nextElementSibling = getter(Element.prototype, 'nextElementSibling');
const previousElementSibling = getter(Element.prototype, 'previousElementSibling');
const openShadowRoot = getter(Element.prototype, 'shadowRoot');
const assignedSlot = getter(Element.prototype, 'assignedSlot');
const textAssignedSlot = getter(Text.prototype, 'assignedSlot');
const assignedNodes = method(HTMLSlotElement.prototype, 'assignedNodes');
const boundingRect = method(Element.prototype, 'getBoundingClientRect');
const clientRects = method(Element.prototype, 'getClientRects');
const clientWidth = getter(Element.prototype, 'clientWidth');
const clientHeight = getter(Element.prototype, 'clientHeight');
const clientLeft = getter(Element.prototype, 'clientLeft');
const clientTop = getter(Element.prototype, 'clientTop');
const scrollWidth = getter(Element.prototype, 'scrollWidth');
const scrollHeight = getter(Element.prototype, 'scrollHeight');
const scrollLeft = getter(Element.prototype, 'scrollLeft');
const scrollTop = getter(Element.prototype, 'scrollTop');
const scrollTo = method(Element.prototype, 'scrollTo');
const scrollIntoView = method(Element.prototype, 'scrollIntoView');
const elementAnimations = method(Element.prototype, 'getAnimations');
const offsetWidth = getter(HTMLElement.prototype, 'offsetWidth');
const offsetHeight = getter(HTMLElement.prototype, 'offsetHeight');
const htmlContentEditable = getter(HTMLElement.prototype, 'isContentEditable');
const focusElement = method(HTMLElement.prototype, 'focus');
const focusSvg = method(SVGElement.prototype, 'focus');
const htmlClick = getter(HTMLElement.prototype, 'onclick');

// Document and frames
const documentElementOf = getter(Document.prototype, 'documentElement');
const bodyOf = getter(Document.prototype, 'body');
const defaultView = getter(Document.prototype, 'defaultView');
const createRange = method(Document.prototype, 'createRange');
const documentActive = getter(Document.prototype, 'activeElement');
const documentFromPoint = method(Document.prototype, 'elementFromPoint');
const shadowFromPoint = method(ShadowRoot.prototype, 'elementFromPoint');
const shadowActive = getter(ShadowRoot.prototype, 'activeElement');
const shadowHost = getter(ShadowRoot.prototype, 'host');
const documentById = method(Document.prototype, 'getElementById');
const fragmentById = method(DocumentFragment.prototype, 'getElementById');
const fragmentQuery = method(DocumentFragment.prototype, 'querySelector');
const documentQueryAll = method(Document.prototype, 'querySelectorAll');
const elementQueryAll = method(Element.prototype, 'querySelectorAll');
const fragmentQueryAll = method(DocumentFragment.prototype, 'querySelectorAll');
const documentAnimations = method(Document.prototype, 'getAnimations');
const documentSheets = getter(Document.prototype, 'styleSheets');
const iframeDocument = getter(HTMLIFrameElement.prototype, 'contentDocument');
const frameDocument = typeof HTMLFrameElement === 'undefined' ? () => null : getter(HTMLFrameElement.prototype, 'contentDocument');
const styleOf = window.getComputedStyle.bind(window);
const nativeCheckVisibility = typeof Element.prototype.checkVisibility === 'function' ? uncurry(Element.prototype.checkVisibility) : null;

// Range
const rangeSelect = method(Range.prototype, 'selectNodeContents');
const rangeStart = method(Range.prototype, 'setStartBefore');
const rangeEnd = method(Range.prototype, 'setEndAfter');
const rangeRect = method(Range.prototype, 'getBoundingClientRect');
const rangeRects = method(Range.prototype, 'getClientRects');

// Fields
const inputType = getter(HTMLInputElement.prototype, 'type');
const inputValue = getter(HTMLInputElement.prototype, 'value');
const setInputValue = setter(HTMLInputElement.prototype, 'value');
const inputChecked = getter(HTMLInputElement.prototype, 'checked');
const inputIndeterminate = getter(HTMLInputElement.prototype, 'indeterminate');
const inputFiles = getter(HTMLInputElement.prototype, 'files');
const inputLabels = getter(HTMLInputElement.prototype, 'labels');
const inputSelect = method(HTMLInputElement.prototype, 'select');
const areaValue = getter(HTMLTextAreaElement.prototype, 'value');
const setAreaValue = setter(HTMLTextAreaElement.prototype, 'value');
const areaLabels = getter(HTMLTextAreaElement.prototype, 'labels');
const areaSelect = method(HTMLTextAreaElement.prototype, 'select');
const selectLabels = getter(HTMLSelectElement.prototype, 'labels');
const selectOptions = getter(HTMLSelectElement.prototype, 'options');
const selectMultiple = getter(HTMLSelectElement.prototype, 'multiple');
const selectSize = getter(HTMLSelectElement.prototype, 'size');
const optionSelected = getter(HTMLOptionElement.prototype, 'selected');
const setOptionSelected = setter(HTMLOptionElement.prototype, 'selected');
const optionLabel = getter(HTMLOptionElement.prototype, 'label');
const optionValue = getter(HTMLOptionElement.prototype, 'value');
const buttonLabels = getter(HTMLButtonElement.prototype, 'labels');
const meterLabels = getter(HTMLMeterElement.prototype, 'labels');
const progressLabels = getter(HTMLProgressElement.prototype, 'labels');
const meterValue = getter(HTMLMeterElement.prototype, 'value');
const progressValue = getter(HTMLProgressElement.prototype, 'value');
const outputLabels = getter(HTMLOutputElement.prototype, 'labels');
const labelControl = getter(HTMLLabelElement.prototype, 'control');
const anchorHref = getter(HTMLAnchorElement.prototype, 'href');

/** Its content can be edited, by itself or an ancestor. */
function isContentEditable(element) {
  return namespaceURI(element) === HTML && htmlContentEditable(element) === true;
}

/** JSON of plain data. A page's `toJSON` on a built-in prototype would corrupt the native one. */
function encode(data) {
  const tampered = [Array, Object, String, Number, Boolean].some((c) => 'toJSON' in c.prototype);
  const text = tampered ? encodeByHand(data) : nativeStringify(data);
  // Half a character (a cut, or the page's own) is escaped by JSON but is no Unicode: strict readers refuse the whole answer.
  return text.includes('\\ud') ? text.replace(/\\\\|\\ud[89a-f][0-9a-f]{2}/g, (found) => (found === '\\\\' ? found : '\ufffd')) : text;
}

function encodeByHand(data) {
  if (data === null || data === undefined) return 'null';
  if (typeof data === 'number') return data - data === 0 ? '' + data : 'null';
  if (typeof data === 'boolean') return data ? 'true' : 'false';
  if (typeof data === 'string') return quote(data);
  let text = '';
  if (isArray(data)) {
    for (let i = 0; i < data.length; i += 1) text += (i ? ',' : '') + encodeByHand(data[i]);
    return '[' + text + ']';
  }
  for (const key in data) {
    if (hasOwn(data, key) && data[key] !== undefined) text += (text ? ',' : '') + quote(key) + ':' + encodeByHand(data[key]);
  }
  return '{' + text + '}';
}

const charCode = uncurry(String.prototype.charCodeAt);
const HEX = '0123456789abcdef';

function quote(text) {
  let out = '"';
  for (let i = 0; i < text.length; i += 1) {
    const c = charCode(text, i);
    const loneSurrogate = c >= 0xd800 && c <= 0xdfff;
    if (c === 34 || c === 92) out += '\\' + text[i];
    else if (c < 32 || loneSurrogate) out += '\\u' + HEX[c >> 12] + HEX[(c >> 8) & 15] + HEX[(c >> 4) & 15] + HEX[c & 15];
    else out += text[i];
  }
  return out + '"';
}
