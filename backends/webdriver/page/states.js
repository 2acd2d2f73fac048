// Is it disabled, checked, editable, interactive; what is its value?

const FLAG = {
  DISABLED: 1, SELECTED: 2, FOCUSED: 4, EDITABLE: 8, SCROLLABLE: 16, CHECKED: 32, MIXED: 64, CHECKABLE: 128, EXPANDED: 256, EXPANDABLE: 512,
  PASSWORD: 1024, VISIBLE: 2048, RENDERED: 4096, INTERACTIVE: 8192, REQUIRED: 16384, READONLY: 32768, INVALID: 65536, MULTILINE: 131072,
  CUT: 262144, INERT: 524288, NO_POINTER: 1048576, MODAL: 2097152, PRESSED: 4194304, HITTABLE: 8388608, COVERED: 16777216, HAS_POPUP: 33554432,
  FILE: 67108864, ARIA_HIDDEN: 134217728, CLICKABLE: 268435456,
};

const WIDGETS = new NativeSet(['button', 'checkbox', 'combobox', 'gridcell', 'link', 'listbox', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'option',
  'radio', 'scrollbar', 'searchbox', 'slider', 'spinbutton', 'switch', 'tab', 'textbox', 'treeitem', 'date', 'datetime', 'color']);

const TEXT_INPUTS = new NativeSet(['text', 'search', 'tel', 'url', 'email', 'password', 'number']);
const DATE_INPUTS = new NativeSet(['date', 'time', 'month', 'week', 'datetime-local']);
const CHECKABLE_ROLES = new NativeSet(['checkbox', 'radio', 'switch', 'menuitemcheckbox', 'menuitemradio']);
const FORM_TAGS = new NativeSet(['input', 'select', 'textarea', 'button', 'option', 'optgroup', 'fieldset']);

/** A widget role, or something the keyboard can reach. Grid cells only when they take the focus. */
function isInteractive(element, role, tag) {
  if (role === 'gridcell') return hasAttribute(element, 'tabindex') || hasAttribute(element, 'onclick');
  if (WIDGETS.has(role)) return true;
  if (tag === 'input' && role !== 'none') return true;
  if (tag === 'iframe' || tag === 'frame' || tag === 'body' || tag === 'html') return false;
  if (hasAttribute(element, 'tabindex')) return parseInt(getAttribute(element, 'tabindex'), 10) >= 0;
  if ((tag === 'audio' || tag === 'video') && hasAttribute(element, 'controls')) return true;
  return isEditingHost(element);
}

/** The element that carries `contenteditable` (its content is edited as a whole). */
function isEditingHost(element) {
  const value = getAttribute(element, 'contenteditable');
  return value !== null && value.toLowerCase() !== 'false' && isContentEditable(element);
}

/** Takes pointer presses though it has no widget role. */
function hasClickHandler(element) {
  if (hasAttribute(element, 'onclick') || isScriptLink(element)) return true;
  const handler = namespaceURI(element) === HTML ? htmlClick(element) : null;
  return typeof handler === 'function';
}

/**
 * A link without an address that is no anchor either: made for a script that listens to it, which cannot be seen from here. Chromium calls
 * it a link when one does and nothing otherwise, so it keeps the role `generic`.
 */
function isScriptLink(element) {
  return tagOf(element) === 'a' && !hasAttribute(element, 'href') && !hasAttribute(element, 'name') && !hasAttribute(element, 'id') &&
    (nonBlank(textContent(element)) || firstElementChild(element) !== null);
}

const HOLDS_INTERACTIVE = 'a[href],button,input,select,textarea,summary,label,iframe,[tabindex],[onclick],[contenteditable],[role=button],[role=link],' +
  '[role=checkbox],[role=tab],[role=menuitem],[role=option],[role=switch],[role=radio],[role=textbox],[role=combobox]';

/** Where one interactive node fills this share of a pointer area, the area is that node's own. */
const OWN_AREA = 0.5;

/** The outermost element of a `cursor: pointer` area that is more than the frame of one interactive node. */
function isPointerRoot(element) {
  if (styleOf(element).cursor !== 'pointer') return false;
  const parent = composedParent(element);
  if (parent && styleOf(parent).cursor === 'pointer') return false;
  if (namespaceURI(element) === HTML && tagOf(element) === 'label') return false;
  const first = querySelector(element, HOLDS_INTERACTIVE);
  return first === null || areaOf(boxOf(first)) < areaOf(boxOf(element)) * OWN_AREA;
}

/** Disabled by itself, its form ancestors or ARIA. `inherited`: an ancestor is `aria-disabled`. */
function isDisabled(element, tag, inherited) {
  if ((FORM_TAGS.has(tag) || tag.includes('-')) && matches(element, ':disabled')) return true;
  const own = getAttribute(element, 'aria-disabled');
  return own === 'true' || (own === null && inherited);
}

function isReadonly(element, tag) {
  if (getAttribute(element, 'aria-readonly') === 'true') return true;
  return (tag === 'input' || tag === 'textarea') && hasAttribute(element, 'readonly');
}

/** Takes typed text when it is neither disabled nor read-only. */
function isTextField(element, role, tag) {
  if (tag === 'textarea') return true;
  if (tag === 'input') return TEXT_INPUTS.has(inputType(element)) || DATE_INPUTS.has(inputType(element));
  return isEditingHost(element) || ((role === 'textbox' || role === 'searchbox') && isContentEditable(element));
}

/** Flags that attributes and properties tell; those of geometry and hit testing are added elsewhere. */
function stateFlags(element, role, tag, context) {
  let flags = 0;
  const disabled = isDisabled(element, tag, context.ariaDisabled);
  if (disabled) flags |= FLAG.DISABLED;
  const readonly = isReadonly(element, tag);
  if (readonly) flags |= FLAG.READONLY;
  if (element === context.active) flags |= FLAG.FOCUSED;
  if (isTextField(element, role, tag)) {
    if (!disabled && !readonly) flags |= FLAG.EDITABLE;
    if (tag === 'textarea' || getAttribute(element, 'aria-multiline') === 'true' || (tag !== 'input' && role !== 'searchbox')) flags |= FLAG.MULTILINE;
  }
  if (tag === 'input') flags |= inputFlags(element);
  else if (tag === 'option') flags |= optionSelected(element) ? FLAG.SELECTED : 0;
  if (tag === 'dialog' && matches(element, ':modal')) flags |= FLAG.MODAL;
  if (tag === 'details') flags |= FLAG.EXPANDABLE | (hasAttribute(element, 'open') ? FLAG.EXPANDED : 0);
  if (tag === 'summary' && role === 'button') flags |= FLAG.EXPANDABLE | (hasAttribute(parentNode(element), 'open') ? FLAG.EXPANDED : 0);
  if (tag === 'select' && role === 'combobox') flags |= FLAG.HAS_POPUP;
  if ((tag === 'input' || tag === 'select' || tag === 'textarea') && hasAttribute(element, 'required')) flags |= FLAG.REQUIRED;
  return flags | ariaFlags(element, role, tag);
}

function inputFlags(element) {
  switch (inputType(element)) {
    case 'checkbox':
      return FLAG.CHECKABLE | (inputIndeterminate(element) ? FLAG.MIXED : inputChecked(element) ? FLAG.CHECKED : 0);
    case 'radio': return FLAG.CHECKABLE | (inputChecked(element) ? FLAG.CHECKED : 0);
    case 'password': return FLAG.PASSWORD;
    case 'file': return FLAG.FILE;
    default: return 0;
  }
}

function ariaFlags(element, role, tag) {
  let flags = 0;
  if (CHECKABLE_ROLES.has(role) && tag !== 'input') {
    const checked = getAttribute(element, 'aria-checked');
    flags |= FLAG.CHECKABLE | (checked === 'mixed' ? FLAG.MIXED : checked === 'true' ? FLAG.CHECKED : 0);
  } else if (role === 'option' && hasAttribute(element, 'aria-checked')) {
    flags |= FLAG.CHECKABLE | (getAttribute(element, 'aria-checked') === 'true' ? FLAG.CHECKED : 0);
  }
  const names = getAttributeNames(element);
  for (let i = 0; i < names.length; i += 1) {
    if (!names[i].startsWith('aria-')) continue;
    const value = getAttribute(element, names[i]);
    switch (names[i]) {
      case 'aria-expanded':
        if (value === 'true' || value === 'false') flags |= FLAG.EXPANDABLE | (value === 'true' ? FLAG.EXPANDED : 0);
        break;
      case 'aria-selected': if (value === 'true') flags |= FLAG.SELECTED; break;
      case 'aria-pressed': flags |= value === 'true' ? FLAG.PRESSED : value === 'mixed' ? FLAG.PRESSED | FLAG.MIXED : 0; break;
      case 'aria-required': if (value === 'true') flags |= FLAG.REQUIRED; break;
      case 'aria-invalid': if (value && value !== 'false') flags |= FLAG.INVALID; break;
      case 'aria-haspopup': if (value && value !== 'false') flags |= FLAG.HAS_POPUP; break;
      case 'aria-modal': if (value === 'true' && (role === 'dialog' || role === 'alertdialog')) flags |= FLAG.MODAL; break;
      default:
    }
  }
  if ((tag === 'input' || tag === 'select' || tag === 'textarea') && isUserInvalid(element)) flags |= FLAG.INVALID;
  return flags;
}

let userInvalidKnown = true;

function isUserInvalid(element) {
  if (!userInvalidKnown) return false;
  try {
    return matches(element, ':user-invalid');
  } catch (unsupported) {
    userInvalidKnown = false;
    return false;
  }
}

/** One bullet per character: how long a secret is, and nothing else of it. */
function mask(text) {
  return '•'.repeat(text.length);
}

/** Current value as text; null for what has none. Password fields answer one bullet per character. */
function valueOf(element, role, tag) {
  if (tag === 'input') {
    const type = inputType(element);
    if (type === 'password') return mask(inputValue(element));
    if (type === 'file') {
      const names = [];
      const files = inputFiles(element);
      for (let i = 0; files && i < files.length; i += 1) names[names.length] = files[i].name;
      return names.join(', ');
    }
    if (type === 'checkbox' || type === 'radio' || role === 'button') return null;
    return inputValue(element);
  }
  if (tag === 'textarea') return areaValue(element);
  if (tag === 'select') return selectedLabels(element).join(', ');
  if (tag === 'meter') return '' + meterValue(element);
  if (tag === 'progress') return hasAttribute(element, 'value') ? '' + progressValue(element) : null;
  if (role === 'textbox' || role === 'searchbox' || isEditingHost(element)) return editedText(element);
  if (role === 'combobox') return clean(textContent(element));
  return getAttribute(element, 'aria-valuetext') || getAttribute(element, 'aria-valuenow');
}

/** Text of an editing host, a line per block. */
function editedText(element) {
  let text = '';
  const walk = (node) => eachChild(node, (child) => {
    if (nodeType(child) === TEXT) text += textData(child);
    else if (nodeType(child) === ELEMENT) {
      const tag = tagOf(child);
      if (tag === 'br') text += '\n';
      else {
        const isBlock = !TRANSPARENT_DISPLAY.has(styleOf(child).display);
        if (isBlock && text !== '' && !text.endsWith('\n')) text += '\n';
        walk(child);
      }
    }
    return false;
  });
  walk(element);
  return text.replace(/\u00a0/g, ' ').replace(/\n$/, '');
}
