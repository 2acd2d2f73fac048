// What is an element called? The accessible name and description computation, as Chromium resolves what the specification leaves
// open: which roles are named by their content, what a tooltip and a label are worth. What content says is in `content.js`.

const FROM_CONTENT = new NativeSet(['button', 'cell', 'checkbox', 'columnheader', 'gridcell', 'heading', 'link', 'menuitem', 'menuitemcheckbox',
  'menuitemradio', 'option', 'radio', 'rowheader', 'switch', 'tab', 'tooltip', 'treeitem', 'term', 'doc-backlink', 'doc-biblioref',
  'doc-glossref', 'doc-noteref']);

/** A tooltip does not name these, it describes them. */
const NAMELESS = new NativeSet(['generic', 'none', 'paragraph', 'strong', 'emphasis', 'code', 'deletion', 'insertion', 'subscript', 'superscript', 'mark']);
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
  if ((FROM_CONTENT.has(role) || (role === 'row' && isGridRow(element))) && !isEditingHost(element)) {
    const text = contentText(element, trail);
    if (nonBlank(text)) return text;
  }
  const title = getAttribute(element, 'title');
  if (nonBlank(title) && isNamedByTooltip(element, role)) return title;
  return fallbackName(element);
}

function isNamedByTooltip(element, role) {
  if (hasOwnEmptyAlt(element)) return false;
  // Chromium takes whatever is laid out as a table for a layout table, which a tooltip does name.
  return !NAMELESS.has(role) || isFocusable(element) || styleOf(element).display === 'table';
}

/** `alt=""` says that an image has nothing to say, a tooltip does not change that. */
function hasOwnEmptyAlt(element) {
  return tagOf(element) === 'img' && getAttribute(element, 'alt') === '';
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
  const tag = tagOf(element);
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
    case 'file': return hasAttribute(element, 'multiple') ? 'Choose Files' : 'Choose File';
    default: return null;
  }
}

function fallbackName(element) {
  const tag = tagOf(element);
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
    if ((trail.seen && trail.seen.has(label)) || !isExposed(label)) continue;
    const own = getAttribute(label, 'aria-label');
    const seen = new NativeSet(trail.seen || []);
    seen.add(element);
    const text = labelledByText(label) || (nonBlank(own) ? own : contentText(label, { top: label, labelledby: false, seen, hidden: false }));
    const said = nonBlank(text) ? text : getAttribute(label, 'title');
    if (nonBlank(said)) parts[parts.length] = clean(said);
  }
  return parts.join(' ');
}

function childText(element, tag, trail) {
  for (let child = firstElementChild(element); child; child = nextElementSibling(child)) {
    if (tagOf(child) === tag) {
      const own = getAttribute(child, 'aria-label');
      const text = nonBlank(own) ? own : contentText(child, { top: child, labelledby: false, seen: trail.seen, hidden: false });
      return nonBlankOrNull(text);
    }
  }
  return null;
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
