// What is an element called? The accessible name and description computation, as Chromium resolves what the specification leaves
// open: which texts run together, what a control inside a label contributes, which roles are named by their content.

const FROM_CONTENT = new NativeSet(['button', 'cell', 'checkbox', 'columnheader', 'gridcell', 'heading', 'link', 'menuitem', 'menuitemcheckbox',
  'menuitemradio', 'option', 'radio', 'rowheader', 'switch', 'tab', 'tooltip', 'treeitem', 'term', 'doc-backlink', 'doc-biblioref',
  'doc-glossref', 'doc-noteref']);

/** Inside another element's name these contribute their value or nothing, not their content. */
const VALUE_ROLES = new NativeSet(['textbox', 'searchbox', 'combobox', 'listbox', 'slider', 'spinbutton', 'progressbar', 'meter', 'scrollbar']);
const NO_CONTENT = new NativeSet(['menu', 'menubar', 'radiogroup', 'tree', 'treegrid', 'grid', 'tablist', 'dialog', 'alertdialog', 'application',
  'iframe', 'audio', 'video', 'canvas', 'embed']);
const SKIPPED_TAGS = new NativeSet(['script', 'style', 'noscript', 'template', 'head', 'meta', 'link', 'datalist', 'title', 'desc', 'defs', 'metadata']);

/** Whitespace collapsed and trimmed; private-use characters (icon fonts) removed. */
function clean(text) {
  return text.replace(PRIVATE_USE, '').replace(/[\s\u200b\u00ad]+/g, ' ').trim();
}

const PRIVATE_USE = /[\ue000-\uf8ff]|[\udb80-\udbff][\udc00-\udfff]/g;

/** The accessible name, cleaned, "" for none. */
function nameOf(element, role) {
  return clean(nameFrom(element, role || roleOf(element), { top: element, labelledby: false, seen: null }));
}

function nameFrom(element, role, trail) {
  const labelled = labelledByText(element);
  if (labelled) return labelled;
  const label = getAttribute(element, 'aria-label');
  if (nonBlank(label)) return label;
  const native = nativeName(element, role, trail);
  if (native !== null) return native;
  if (FROM_CONTENT.has(role) || (role === 'row' && isGridRow(element))) {
    const text = contentText(element, trail);
    if (nonBlank(text)) return text;
  }
  const title = getAttribute(element, 'title');
  if (nonBlank(title)) return title;
  return fallbackName(element);
}

function isGridRow(row) {
  return !!composedClosest(row, (e) => /^(grid|treegrid)$/.test(roleOf(e)));
}

function labelledByText(element) {
  if (!hasAttribute(element, 'aria-labelledby')) return '';
  const parts = [];
  for (const target of referenced(element, 'aria-labelledby')) {
    const text = clean(referencedText(target, element));
    if (text) parts[parts.length] = text;
  }
  return parts.join(' ');
}

/** Text of an element that another one points at; it counts even when it is hidden. */
function referencedText(target, source) {
  const trail = { top: target, labelledby: true, seen: new NativeSet([source]), hidden: !isExposed(target) };
  const label = getAttribute(target, 'aria-label');
  if (nonBlank(label)) return label;
  const role = roleOf(target);
  if (target !== source && VALUE_ROLES.has(role)) {
    const value = embeddedValue(target, role);
    if (value !== null) return value;
  }
  const native = nativeName(target, role, trail);
  if (nonBlank(native)) return native;
  const text = contentText(target, trail);
  return nonBlank(text) ? text : getAttribute(target, 'title') || '';
}

/** Neither hidden by CSS nor taken out of the accessibility tree. */
function isExposed(element) {
  return isDrawn(element) && !composedClosest(element, (e) => getAttribute(e, 'aria-hidden') === 'true');
}

// --- names that HTML gives ------------------------------------------------------------------------------------------

const LABELS = {
  input: inputLabels, textarea: areaLabels, select: selectLabels, button: buttonLabels, meter: meterLabels, progress: progressLabels, output: outputLabels,
};

/** Name by the host language, null when it has no say. */
function nativeName(element, role, trail) {
  const tag = localName(element);
  if (namespaceURI(element) === SVG) {
    const title = svgTitle(element);
    return nonBlank(title) ? title : tag === 'a' ? nonBlankOrNull(getAttribute(element, 'xlink:title')) : null;
  }
  if (hasOwn(LABELS, tag) || tag.includes('-')) {
    const text = labelText(element, tag, trail);
    if (tag === 'input') return inputName(element, text);
    if (nonBlank(text)) return text;
    return null;
  }
  switch (tag) {
    case 'img':
    case 'area': {
      const alt = getAttribute(element, 'alt');
      return nonBlank(alt) ? alt : null;
    }
    case 'fieldset': return childText(element, 'legend', trail);
    case 'table': return childText(element, 'caption', trail);
    case 'figure': return childText(element, 'figcaption', trail);
    case 'optgroup': return nonBlankOrNull(getAttribute(element, 'label'));
    case 'option': return nonBlankOrNull(getAttribute(element, 'label'));
    default: return null;
  }
}

function nonBlankOrNull(text) {
  return nonBlank(text) ? text : null;
}

/** Names of an input that depend on its type. `label`: text of its labels. */
function inputName(element, label) {
  const type = inputType(element);
  if (nonBlank(label)) return label;
  switch (type) {
    case 'button':
    case 'submit':
    case 'reset': {
      const value = getAttribute(element, 'value');
      if (nonBlank(value)) return value;
      if (value !== null || type === 'button') return null;
      return type === 'submit' ? 'Submit' : 'Reset';
    }
    case 'image': {
      for (const name of ['alt', 'value', 'title']) if (nonBlank(getAttribute(element, name))) return getAttribute(element, name);
      return 'Submit';
    }
    case 'file': return nonBlankOrNull(getAttribute(element, 'title')) || (hasAttribute(element, 'multiple') ? 'Choose Files' : 'Choose File');
    default: return null;
  }
}

function fallbackName(element) {
  const tag = localName(element);
  if (tag === 'input' || tag === 'textarea') {
    const placeholder = getAttribute(element, 'placeholder');
    if (nonBlank(placeholder)) return placeholder;
  }
  return getAttribute(element, 'aria-placeholder') || '';
}

function labelText(element, tag, trail) {
  const labels = hasOwn(LABELS, tag) ? LABELS[tag](element) : null;
  if (!labels || labels.length === 0) return '';
  const parts = [];
  for (let i = 0; i < labels.length; i += 1) {
    const label = labels[i];
    if (trail.seen && trail.seen.has(label)) continue;
    const own = getAttribute(label, 'aria-label');
    const seen = new NativeSet(trail.seen || []);
    seen.add(element);
    const text = labelledByText(label) || (nonBlank(own) ? own : contentText(label, { top: label, labelledby: false, seen, hidden: !isExposed(label) }));
    if (nonBlank(text)) parts[parts.length] = clean(text);
  }
  return parts.join(' ');
}

function childText(element, tag, trail) {
  for (let child = firstElementChild(element); child; child = nextElementSibling(child)) {
    if (localName(child) === tag) {
      const own = getAttribute(child, 'aria-label');
      const text = nonBlank(own) ? own : contentText(child, { top: child, labelledby: false, seen: trail.seen, hidden: false });
      return nonBlankOrNull(text);
    }
  }
  return null;
}

// --- names from content ---------------------------------------------------------------------------------------------

/**
 * Text of what an element holds. A subtree of mere text is the common case and is read at once; it gives the same text as the
 * walk because a single block without attributes that name or hide anything has nothing else to offer.
 */
function contentText(element, trail) {
  if (isPlainText(element)) return textContent(element);
  const gathered = { text: '', flow: null, apart: false, top: element, budget: 4000 };
  gather(element, trail, gathered);
  return gathered.text;
}

function isPlainText(element) {
  return !firstElementChild(element) && !openShadowRoot(element) && localName(element) !== 'slot' && generatedText().kind === 'none';
}

/** Appends the texts inside `element`. */
function gather(element, trail, out) {
  const before = generated(element, '::before');
  if (before) append(out, before, element, false);
  eachChild(element, (child) => {
    out.budget -= 1;
    if (out.budget < 0 || out.text.length > 4000) return true;
    const type = nodeType(child);
    if (type === TEXT) append(out, textData(child), child, false);
    else if (type === ELEMENT) gatherElement(child, trail, out);
    return false;
  });
  for (const owned of referenced(element, 'aria-owns')) if (!isWithin(element, owned)) gatherElement(owned, trail, out);
  const after = generated(element, '::after');
  if (after) append(out, after, element, false);
}

function gatherElement(element, trail, out) {
  const tag = localName(element);
  if (SKIPPED_TAGS.has(tag)) return;
  if (tag === 'br') {
    out.text += ' ';
    return;
  }
  if (trail.seen && trail.seen.has(element) && !trail.labelledby) return;
  if (getAttribute(element, 'aria-hidden') === 'true' && !trail.hidden) return;
  if (!trail.hidden && !isDrawn(element)) {
    // A hidden element may hold visible ones, a missing box cannot.
    if (isBoxTreeMember(element)) gatherVisibleChildren(element, trail, out);
    return;
  }
  if (!trail.labelledby) {
    const labelled = labelledByText(element);
    if (labelled) return append(out, labelled, element, true);
  }
  const role = roleOf(element);
  if (VALUE_ROLES.has(role)) {
    const value = embeddedValue(element, role);
    if (value !== null && (nonBlank(value) || tag === 'select' || tag === 'input' || tag === 'textarea')) return append(out, value, element, true);
  }
  const label = getAttribute(element, 'aria-label');
  if (nonBlank(label)) return append(out, label, element, true);
  const native = nativeName(element, role, trail);
  if (native !== null) return append(out, native, element, true);
  if (NO_CONTENT.has(role)) return undefined;
  const lengthBefore = out.text.length;
  const apart = tag === 'button' || tag === 'input';
  if (apart) out.apart = true;
  gather(element, trail, out);
  if (apart) out.apart = true;
  if (out.text.length === lengthBefore || !nonBlank(out.text.slice(lengthBefore))) {
    const title = getAttribute(element, 'title');
    if (nonBlank(title) && tag !== 'iframe') append(out, title, element, true);
  }
  return undefined;
}

function gatherVisibleChildren(element, trail, out) {
  eachChild(element, (child) => {
    if (nodeType(child) === ELEMENT) gatherElement(child, trail, out);
    return false;
  });
}

/** Adds a piece; a gap goes between pieces of different blocks, and around one that stands for an element (`apart`). */
function append(out, piece, node, apart) {
  if (!piece) return;
  const text = out.text;
  const joined = text === '' || /\s$/.test(text) || /^\s/.test(piece);
  const needsFlow = nonBlank(piece);
  const flow = needsFlow ? flowOf(node, out.top) : out.flow;
  if (!joined && (apart || out.apart || (out.flow && flow !== out.flow))) out.text += ' ';
  out.text += piece;
  out.flow = flow;
  out.apart = apart;
}

/** What a control says inside another element's name; null when it is no control of that kind. */
function embeddedValue(element, role) {
  const tag = localName(element);
  switch (role) {
    case 'textbox':
    case 'searchbox':
      return fieldText(element);
    case 'combobox':
    case 'listbox': {
      if (tag === 'select') return selectedLabels(element).join(' ');
      if (tag === 'input') return inputValue(element);
      const chosen = [];
      for (const option of querySelectorAll(element, '[role=option][aria-selected=true]')) chosen[chosen.length] = nameOf(option);
      return chosen.length > 0 ? chosen.join(' ') : role === 'combobox' ? clean(textContent(element)) : '';
    }
    default: {
      const valueText = getAttribute(element, 'aria-valuetext');
      if (nonBlank(valueText)) return valueText;
      const value = getAttribute(element, 'aria-valuenow');
      if (value !== null) return value;
      return tag === 'input' ? inputValue(element) : tag === 'meter' || tag === 'progress' ? getAttribute(element, 'value') || '' : null;
    }
  }
}

function fieldText(element) {
  const tag = localName(element);
  if (tag === 'input') return inputType(element) === 'password' ? '•'.repeat(inputValue(element).length) : inputValue(element);
  if (tag === 'textarea') return areaValue(element);
  return textContent(element) || '';
}

/** Labels of a select's chosen options. */
function selectedLabels(select) {
  const options = selectOptions(select);
  const labels = [];
  for (let i = 0; i < options.length; i += 1) if (optionSelected(options[i])) labels[labels.length] = clean(optionLabel(options[i]));
  return labels;
}

// --- descriptions ---------------------------------------------------------------------------------------------------

/** The accessible description, cleaned, "" for none. `name`: what the element is called, so that it is not said twice. */
function descriptionOf(element, name) {
  if (hasAttribute(element, 'aria-describedby')) {
    const parts = [];
    for (const target of referenced(element, 'aria-describedby')) {
      const text = clean(referencedText(target, element));
      if (text) parts[parts.length] = text;
    }
    if (parts.length > 0) return parts.join(' ');
  }
  const description = getAttribute(element, 'aria-description');
  if (nonBlank(description)) return clean(description);
  const title = getAttribute(element, 'title');
  const tooltip = nonBlank(title) ? clean(title) : '';
  return tooltip === name ? '' : tooltip;
}
