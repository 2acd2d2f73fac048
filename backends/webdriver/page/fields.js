// Focus, read, set and clear a field.

/** What kind of field an element is: see `focusForFill` in README.md. */
function fieldKind(element) {
  const tag = tagOf(element);
  if (tag === 'textarea') return 'text';
  if (tag === 'select') return 'select';
  if (tag === 'input') {
    const type = inputType(element);
    if (TEXT_INPUTS.has(type)) return 'text';
    if (DATE_INPUTS.has(type)) return 'date';
    if (type === 'color' || type === 'range' || type === 'file') return type;
    return type === 'checkbox' || type === 'radio' ? 'checkbox' : 'none';
  }
  return isContentEditable(element) ? 'contenteditable' : 'none';
}

/** The field that a node stands for: itself, the control of a label, or the only field inside it (custom elements, wrappers). */
function fieldOf(element) {
  if (fieldKind(element) !== 'none') return element;
  if (tagOf(element) === 'label' && labelControl(element)) return labelControl(element);
  const inside = [];
  const look = (node) => eachChild(node, (child) => {
    if (nodeType(child) !== ELEMENT) return false;
    if (fieldKind(child) !== 'none' && isDrawn(child)) inside[inside.length] = child;
    else look(child);
    return inside.length > 1;
  });
  look(element);
  return inside.length === 1 ? inside[0] : element;
}

function requireElement(id) {
  const element = liveElement(id);
  if (!element) throw failure('gone', 'the node is no longer in the document');
  return element;
}

function focusForFill(options) {
  disarm();
  const element = fieldOf(requireElement(options.id));
  const tag = tagOf(element);
  const role = roleOf(element);
  const kind = fieldKind(element);
  const disabled = (nodeFlags(element, role, tag) & FLAG.DISABLED) !== 0;
  const readonly = isReadonly(element, tag);
  const answer = {
    ok: false, kind, id: idOf(element), editable: kind !== 'none' && !disabled && !readonly, readonly, disabled, role, tag,
    maxLength: lengthLimit(element, tag), value: readValue({ id: idOf(element) }).value, focused: false,
  };
  if (disabled) return { ...answer, reason: 'disabled' };
  if (readonly) return { ...answer, reason: 'readonly' };
  if (kind === 'none' || kind === 'checkbox' || kind === 'file') return { ...answer, editable: false, reason: 'not_editable' };
  giveFocus(element);
  const active = deepActive();
  answer.focused = active !== null && (active === element || isWithin(element, active) || isWithin(active, element));
  if (!answer.focused) return { ...answer, reason: 'not_focusable' };
  selectAll(element, tag, kind);
  return { ...answer, ok: true };
}

function giveFocus(element) {
  const options = { preventScroll: true };
  const host = isContentEditable(element) ? editingHostOf(element) : element;
  if (namespaceURI(host) === SVG) focusSvg(host, options);
  else focusElement(host, options);
}

function editingHostOf(element) {
  return composedClosest(element, isEditingHost) || element;
}

function selectAll(element, tag, kind) {
  if (kind === 'contenteditable') {
    const doc = ownerDocument(element);
    const range = createRange(doc);
    rangeSelect(range, element);
    const selection = defaultView(doc).getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
  } else if (tag === 'textarea') areaSelect(element);
  else if (kind === 'text') inputSelect(element);
}

function lengthLimit(element, tag) {
  if (tag !== 'input' && tag !== 'textarea') return null;
  const limit = numberAttribute(element, 'maxlength');
  return limit !== null && limit >= 0 ? limit : null;
}

// --- reading --------------------------------------------------------------------------------------------------------

/** The text a field holds, undisguised; null for what is no field. */
function rawValue(element) {
  const tag = tagOf(element);
  if (tag === 'input') {
    const type = inputType(element);
    if (type === 'checkbox' || type === 'radio') return inputChecked(element) ? 'true' : 'false';
    return type === 'file' ? valueOf(element, 'button', tag) : inputValue(element);
  }
  if (tag === 'textarea') return areaValue(element);
  if (tag === 'select') return selectedLabels(element).join(', ');
  if (isContentEditable(element)) return editedText(element);
  return valueOf(element, roleOf(element), tag);
}

function isMasked(element) {
  return tagOf(element) === 'input' && inputType(element) === 'password';
}

function readValue(options) {
  const element = fieldOf(requireElement(options.id));
  const masked = isMasked(element);
  const value = rawValue(element);
  const validity = element.validity;
  return {
    value: masked ? mask(value) : value, kind: fieldKind(element), tag: tagOf(element), valid: !validity || typeof validity.valid !== 'boolean' || validity.valid,
    masked, length: value === null ? 0 : value.length,
    validationMessage: typeof element.validationMessage === 'string' ? element.validationMessage : '',
  };
}

function matchesValue(options) {
  const value = rawValue(fieldOf(requireElement(options.id)));
  const plain = (text) => text.replace(/\r\n?/g, '\n');
  return { equal: value !== null && plain(value) === plain(String(options.text)), length: value === null ? 0 : value.length };
}

function activeElement() {
  const active = deepActive();
  if (!active) return { id: 0, role: '', name: '', tag: '', editable: false, kind: 'none' };
  const tag = tagOf(active);
  const role = roleOf(active);
  return { id: idOf(active), role, name: nameOf(active, role), tag, editable: (nodeFlags(active, role, tag) & FLAG.EDITABLE) !== 0, kind: fieldKind(active) };
}

// --- writing --------------------------------------------------------------------------------------------------------

function announce(element, inputKind) {
  const options = { bubbles: true, composed: true };
  dispatch(element, inputKind ? new NativeInputEvent('input', { ...options, inputType: inputKind }) : new NativeEvent('input', options));
  dispatch(element, new NativeEvent('change', { bubbles: true }));
}

function refusal(element, kind) {
  const tag = tagOf(element);
  if ((nodeFlags(element, roleOf(element), tag) & FLAG.DISABLED) !== 0) return 'disabled';
  if (isReadonly(element, tag)) return 'readonly';
  return kind === 'none' || kind === 'file' || kind === 'checkbox' ? 'not_settable' : null;
}

function setValue(options) {
  disarm();
  const element = fieldOf(requireElement(options.id));
  const kind = fieldKind(element);
  const refused = refusal(element, kind);
  if (refused) return { ok: false, value: readValue(options).value, error: refused };
  if (kind === 'select') return choose(element, isArray(options.text) ? options.text : [options.text]);
  const text = String(options.text);
  const limit = lengthLimit(element, tagOf(element));
  if (kind === 'text' && limit !== null && text.length > limit) return { ok: false, value: readValue(options).value, error: 'too_long', limit };
  if (kind === 'contenteditable') return setEdited(element, text);
  giveFocus(element);
  if (tagOf(element) === 'textarea') setAreaValue(element, text);
  else setInputValue(element, kind === 'color' ? text.toLowerCase() : text);
  announce(element, kind === 'text' ? 'insertReplacementText' : '');
  const value = rawValue(element);
  const shown = isMasked(element) ? mask(value) : value;
  const same = kind === 'range' || kind === 'color' || kind === 'date' ? sameValue(kind, value, text) : value === text.replace(/\r\n?/g, '\n');
  return same ? { ok: true, value: shown } : { ok: false, value: shown, error: 'rejected' };
}

function sameValue(kind, value, text) {
  if (kind === 'range') return parseFloat(value) === parseFloat(text);
  if (kind === 'color') return value.toLowerCase() === text.toLowerCase();
  // "09:30" may read back as "09:30:00", and a date and time with a space as one with a "T".
  const plain = (t) => t.replace(' ', 'T').replace(/(:\d\d):00(\.0+)?$/, '$1');
  return plain(value) === plain(text);
}

function setEdited(element, text) {
  giveFocus(element);
  selectAll(element, tagOf(element), 'contenteditable');
  // The only way to edit that rich-text editors take for typing.
  const done = text === '' ? ownerDocument(element).execCommand('delete') : ownerDocument(element).execCommand('insertText', false, text);
  const value = rawValue(element);
  const plain = (t) => t.replace(/\s+/g, ' ').trim();
  return done && plain(value) === plain(text) ? { ok: true, value } : { ok: false, value, error: 'rejected' };
}

/** Chooses options by label, then by value, then by label without regard to case. */
function choose(select, wanted) {
  const options = selectOptions(select);
  const chosen = new NativeSet();
  for (const text of wanted) {
    const index = findOption(options, String(text));
    if (index < 0) return { ok: false, value: rawValue(select), error: 'no_such_option', options: optionList(select) };
    if (matches(options[index], ':disabled')) return { ok: false, value: rawValue(select), error: 'disabled', options: optionList(select) };
    chosen.add(index);
  }
  const multiple = selectMultiple(select);
  if (!multiple && chosen.size !== 1) return { ok: false, value: rawValue(select), error: 'no_such_option', options: optionList(select) };
  giveFocus(select);
  const before = [];
  for (let i = 0; i < options.length; i += 1) before[i] = optionSelected(options[i]);
  for (let i = 0; i < options.length; i += 1) if (chosen.has(i)) setOptionSelected(options[i], true);
  if (multiple) for (let i = 0; i < options.length; i += 1) if (!chosen.has(i)) setOptionSelected(options[i], false);
  let changed = false;
  for (let i = 0; i < options.length; i += 1) changed = changed || before[i] !== optionSelected(options[i]);
  const expected = [];
  for (const index of chosen) expected[expected.length] = options[index];
  if (changed) announce(select, '');
  const held = expected.every((option) => optionSelected(option));
  return held ? { ok: true, value: rawValue(select) } : { ok: false, value: rawValue(select), error: 'rejected' };
}

function findOption(options, text) {
  const wanted = clean(text);
  const tests = [(o) => clean(optionLabel(o)) === wanted, (o) => optionValue(o) === text, (o) => clean(optionLabel(o)).toLowerCase() === wanted.toLowerCase()];
  for (const test of tests) {
    for (let i = 0; i < options.length; i += 1) if (test(options[i])) return i;
  }
  return -1;
}

function clear(options) {
  const element = fieldOf(requireElement(options.id));
  const kind = fieldKind(element);
  if (kind === 'select') {
    if (!selectMultiple(element)) return { ok: false, value: rawValue(element), error: 'not_settable' };
    return choose(element, []);
  }
  if (kind === 'color' || kind === 'range') return { ok: false, value: rawValue(element), error: 'not_settable' };
  return setValue({ id: options.id, text: '' });
}

// --- files ----------------------------------------------------------------------------------------------------------

function isFileField(element) {
  return tagOf(element) === 'input' && inputType(element) === 'file';
}

/** The file field that a node stands for, as for other fields; `id` 0 where there is none. */
function fileField(options) {
  disarm();
  const named = requireElement(options.id);
  let element = tagOf(named) === 'label' && labelControl(named) ? labelControl(named) : named;
  if (!isFileField(element)) {
    const inside = elementQueryAll(element, 'input[type=file]');
    if (inside.length !== 1) return { id: 0, disabled: false, inert: false, multiple: false, names: [] };
    [element] = inside;
  }
  const flags = nodeFlags(element, roleOf(element), 'input');
  return {
    id: idOf(element), disabled: (flags & FLAG.DISABLED) !== 0, inert: (flags & FLAG.INERT) !== 0, multiple: hasAttribute(element, 'multiple'),
    names: fileNames(element),
  };
}

function fileNames(element) {
  const files = inputFiles(element);
  const names = [];
  for (let i = 0; files && i < files.length; i += 1) names[i] = files[i].name;
  return names;
}

/** Takes all files out of a file field, without an event: the choice that follows tells the page. */
function clearFiles(options) {
  const element = requireElement(options.id);
  setInputValue(element, '');
  return { names: fileNames(element) };
}

// --- describing -----------------------------------------------------------------------------------------------------

const MAX_DESCRIBED = 4000;

function describe(options) {
  const node = liveNode(options.id);
  if (!node) throw failure('gone', 'the node is no longer in the document');
  const element = nodeType(node) === ELEMENT ? node : composedParent(node);
  const facts = aimFacts(node, element);
  const attributes = {};
  for (const name of getAttributeNames(element)) {
    const value = getAttribute(element, name);
    attributes[name] = name === 'value' && facts.inputType === 'password' ? mask(value) : value;
  }
  const holdsValue = facts.tag === 'input' || facts.tag === 'textarea' || facts.tag === 'select';
  const shown = () => (holdsValue ? valueOf(element, facts.role, facts.tag) || '' : drawnText(element));
  const text = node === element ? shown() : runText(node);
  return {
    id: options.id, role: facts.role, name: facts.name, value: facts.value, description: node === element ? descriptionOf(element, facts.name) : '',
    identifier: facts.identifier, flags: facts.flags, rect: facts.rect, tag: facts.tag, text: text.slice(0, MAX_DESCRIBED),
    textCut: text.length > MAX_DESCRIBED, attributes, extra: extraOf(element, facts.tag, facts.role, facts.flags),
  };
}

/** Text as a person reads it: hidden parts left out, a line per block. */
function drawnText(element) {
  let text = '';
  const endLine = () => {
    text = text.replace(/ +$/, '');
    if (text !== '' && !text.endsWith('\n')) text += '\n';
  };
  const walk = (node) => eachChild(node, (child) => {
    if (text.length > MAX_DESCRIBED * 2) return true;
    if (nodeType(child) === TEXT) text += textData(child).replace(/\s+/g, ' ').replace(/^ /, text === '' || /\s$/.test(text) ? '' : ' ');
    if (nodeType(child) !== ELEMENT) return false;
    const tag = tagOf(child);
    if (tag === 'br') text += '\n';
    if (NEVER_WALKED.has(tag) || tag === 'br' || !isBoxTreeMember(child)) return false;
    const style = styleOf(child);
    const isBlock = !TRANSPARENT_DISPLAY.has(style.display) || style.display === 'table-row';
    if (isBlock) endLine();
    if (style.visibility === 'visible') walk(child);
    if (style.display === 'table-cell') text += '\t';
    else if (isBlock) endLine();
    return false;
  });
  walk(element);
  return text.replace(PRIVATE_USE, '').replace(/[ \t]+\n/g, '\n').trim();
}
