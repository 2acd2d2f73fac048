// The rarer facts of a node: heading level, link target, options, ranges, hidden parts of a scroll container.

const MAX_OPTIONS = 50;
const TELLING_TAGS = new NativeSet(['generic', 'image', 'group', 'text']);

function extraOf(element, tag, role, flags) {
  let extra = null;
  const put = (key, value) => {
    if (value === null || value === undefined || value === '') return;
    if (extra === null) extra = {};
    extra[key] = value;
  };
  if (TELLING_TAGS.has(role) || tag.includes('-')) put('tag', tag);
  switch (role) {
    case 'heading': put('level', headingLevel(element, tag)); break;
    case 'link': put('href', hrefOf(element, tag)); break;
    case 'treeitem': case 'row': case 'listitem': put('level', numberAttribute(element, 'aria-level')); break;
    case 'slider': case 'spinbutton': case 'progressbar': case 'meter': case 'scrollbar': case 'separator': rangeFacts(element, tag, put); break;
    default:
  }
  if (tag === 'input') put('inputType', inputType(element));
  if (tag === 'input' || tag === 'textarea') put('placeholder', cut(getAttribute(element, 'placeholder')));
  if (tag === 'select') selectFacts(element, put);
  const names = getAttributeNames(element);
  for (let i = 0; i < names.length; i += 1) {
    switch (names[i]) {
      case 'aria-placeholder': put('placeholder', cut(getAttribute(element, names[i]))); break;
      case 'aria-roledescription': put('roledescription', cut(getAttribute(element, names[i]))); break;
      case 'aria-keyshortcuts': case 'accesskey': put('shortcut', getAttribute(element, names[i])); break;
      case 'aria-current': if (getAttribute(element, names[i]) !== 'false') put('current', getAttribute(element, names[i])); break;
      default:
    }
  }
  if (flags & FLAG.SCROLLABLE) put('hidden', hiddenParts(element));
  if (flags & FLAG.INVALID) put('error', errorText(element));
  if (isFrame(element) && !innerDocument(element)) put('crossOrigin', 1);
  return extra;
}

function cut(text) {
  return text === null ? null : clean(text).slice(0, MAX_TEXT);
}

function numberAttribute(element, name) {
  const value = parseFloat(getAttribute(element, name));
  return value - value === 0 ? value : null;
}

function headingLevel(element, tag) {
  const level = numberAttribute(element, 'aria-level');
  if (level !== null) return level;
  return /^h[1-6]$/.test(tag) ? +tag[1] : 2;
}

function hrefOf(element, tag) {
  const href = tag === 'a' && namespaceURI(element) === HTML ? anchorHref(element) : getAttribute(element, 'href');
  return href && href.slice(0, MAX_TEXT);
}

function rangeFacts(element, tag, put) {
  put('valueText', getAttribute(element, 'aria-valuetext'));
  const isInput = tag === 'input';
  put('valueMin', numberAttribute(element, isInput || tag === 'meter' ? 'min' : 'aria-valuemin'));
  put('valueMax', numberAttribute(element, isInput || tag === 'meter' || tag === 'progress' ? 'max' : 'aria-valuemax'));
}

function selectFacts(select, put) {
  const options = selectOptions(select);
  put('optionCount', options.length);
  put('options', optionList(select));
}

/** Up to 50 `[label, value, selected, disabled]`. */
function optionList(select) {
  const options = selectOptions(select);
  const list = [];
  for (let i = 0; i < options.length && i < MAX_OPTIONS; i += 1) {
    const option = options[i];
    list[i] = [clean(optionLabel(option)).slice(0, MAX_TEXT), optionValue(option).slice(0, MAX_TEXT), optionSelected(option) ? 1 : 0,
      matches(option, ':disabled') ? 1 : 0];
  }
  return list;
}

/** Px scrolled out of sight: above, below, left, right. */
function hiddenParts(element) {
  const [x, y, maxX, maxY] = offsetsOf(element);
  return [max(0, round(y)), max(0, round(maxY - y)), max(0, round(x)), max(0, round(maxX - abs(x)))];
}

function errorText(element) {
  const texts = referenced(element, 'aria-errormessage').map((target) => clean(textContent(target) || '')).filter((text) => text);
  if (texts.length > 0) return texts.join(' ').slice(0, MAX_TEXT);
  const message = 'validationMessage' in element && typeof element.validationMessage === 'string' ? element.validationMessage : '';
  return message.slice(0, MAX_TEXT);
}
