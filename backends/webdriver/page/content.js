// What does an element's content contribute to a name: which texts run together, what a control inside a label says, what stays out.

/** Inside another element's name these contribute their value or nothing, not their content. */
const VALUE_ROLES = new NativeSet(['textbox', 'searchbox', 'combobox', 'listbox', 'slider', 'spinbutton', 'progressbar', 'meter', 'scrollbar']);
const NO_CONTENT = new NativeSet(['menu', 'menubar', 'radiogroup', 'tree', 'treegrid', 'grid', 'tablist', 'dialog', 'alertdialog', 'application',
  'iframe', 'audio', 'video', 'embed', 'article', 'navigation', 'form', 'group', 'toolbar', 'tabpanel', 'alert', 'status', 'feed', 'log', 'figure', 'main',
  'banner', 'complementary', 'region', 'search', 'timer', 'marquee', 'note', 'blockquote', 'image',
  'document', 'separator']);
/** Native elements that Chromium reads through although their role is in the list above. */
const READ_THROUGH = new NativeSet(['details', 'address', 'img', 'svg']);
/** Excluded only where a page claims the role: the native ones are read cell by cell. */
const CLAIMED_ONLY = new NativeSet(['table', 'row']);
const SKIPPED_TAGS = new NativeSet(['script', 'style', 'noscript', 'template', 'head', 'meta', 'link', 'datalist', 'title', 'desc', 'defs', 'metadata', 'rt', 'rp']);

/**
 * Text of what an element holds. A subtree of mere text is the common case and is read at once; it gives the same text as the
 * walk because a single block without attributes that name or hide anything has nothing else to offer.
 */
function contentText(element, trail) {
  if (isPlainText(element)) return shownText(textContent(element), element);
  const gathered = { text: '', flow: null, apart: false, top: element, budget: 4000 };
  gather(element, trail, gathered);
  return gathered.text;
}

function isPlainText(element) {
  return !firstElementChild(element) && !openShadowRoot(element) && tagOf(element) !== 'slot' && tagOf(element) !== 'q' &&
    stylesInUse().generates === 'none' && !hasAttribute(element, 'aria-owns');
}

/** Appends the texts inside `element`. */
function gather(element, trail, out) {
  const before = generated(element, '::before');
  if (before) append(out, before, element, false);
  eachChild(element, (child) => {
    out.budget -= 1;
    if (out.budget < 0 || out.text.length > 4000) return true;
    const type = nodeType(child);
    if (type === TEXT) append(out, shownText(textData(child), isElement(parentNode(child)) ? parentNode(child) : element), child, false);
    else if (type === ELEMENT) gatherElement(child, trail, out);
    return false;
  });
  for (const owned of referenced(element, 'aria-owns')) if (!isWithin(element, owned)) gatherElement(owned, trail, out);
  const after = generated(element, '::after');
  if (after) append(out, after, element, false);
}

function gatherElement(element, trail, out) {
  const tag = tagOf(element);
  if (SKIPPED_TAGS.has(tag)) return;
  if (tag === 'br' || tag === 'wbr') {
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
  const native = role === 'figure' ? null : nativeName(element, role, trail);
  if (native !== null) return append(out, native, element, true);
  if (!trail.labelledby && isClosedBook(element, role, tag)) {
    const title = getAttribute(element, 'title');
    return nonBlank(title) ? append(out, title, element, true) : undefined;
  }
  const lengthBefore = out.text.length;
  const apart = tag === 'button' || tag === 'input';
  if (apart) out.apart = true;
  gather(element, trail, out);
  if (apart) out.apart = true;
  if (out.text.length === lengthBefore || !nonBlank(out.text.slice(lengthBefore))) {
    const title = getAttribute(element, 'title');
    if (nonBlank(title) && !NAMELESS.has(role) && !hasOwnEmptyAlt(element)) append(out, title, element, true);
  }
  return undefined;
}

/** Its content is no part of the name of what is around it. */
function isClosedBook(element, role, tag) {
  if (NO_CONTENT.has(role)) return !READ_THROUGH.has(tag);
  return VALUE_ROLES.has(role) || (CLAIMED_ONLY.has(role) && hasAttribute(element, 'role'));
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
  const tag = tagOf(element);
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
      if (tag === 'input') return inputValue(element);
      return tag === 'meter' ? '' + meterValue(element) : tag === 'progress' ? '' + progressValue(element) : null;
    }
  }
}

function fieldText(element) {
  const tag = tagOf(element);
  if (tag === 'input') return inputType(element) === 'password' ? mask(inputValue(element)) : inputValue(element);
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
