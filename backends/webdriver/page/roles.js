// Which role has this element? ARIA in HTML, with the conflict rules of ARIA; where browsers differ, Chromium.

const HTML = 'http://www.w3.org/1999/xhtml';
const SVG = 'http://www.w3.org/2000/svg';
const MATHML = 'http://www.w3.org/1998/Math/MathML';

const KNOWN_ROLES = new NativeSet(('alert alertdialog application article banner blockquote button caption cell checkbox code columnheader ' +
  'combobox comment complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid gridcell ' +
  'group heading image img insertion link list listbox listitem log main mark marquee math menu menubar menuitem menuitemcheckbox ' +
  'menuitemradio meter navigation none note option paragraph presentation progressbar radio radiogroup region row rowgroup rowheader ' +
  'scrollbar search searchbox sectionfooter sectionheader separator slider spinbutton status strong subscript suggestion superscript switch ' +
  'tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem ' +
  'doc-abstract doc-acknowledgments doc-afterword doc-appendix doc-backlink doc-biblioentry doc-bibliography doc-biblioref doc-chapter ' +
  'doc-colophon doc-conclusion doc-cover doc-credit doc-credits doc-dedication doc-endnote doc-endnotes doc-epigraph doc-epilogue ' +
  'doc-errata doc-example doc-footnote doc-foreword doc-glossary doc-glossref doc-index doc-introduction doc-noteref doc-notice ' +
  'doc-pagebreak doc-pagefooter doc-pageheader doc-pagelist doc-part doc-preface doc-prologue doc-pullquote doc-qna doc-subtitle doc-tip ' +
  'doc-toc graphics-document graphics-object graphics-symbol').split(' '));

const SAME_ROLE = { img: 'image', presentation: 'none', directory: 'list' };

/** Roles that mean something only inside one of these. */
const NEEDS_AROUND = {
  listitem: ['list', 'group'], option: ['listbox', 'group', 'combobox'], treeitem: ['tree', 'treegrid', 'group', 'treeitem'],
};

const GLOBAL_ARIA = ['aria-atomic', 'aria-braillelabel', 'aria-brailleroledescription', 'aria-busy', 'aria-controls', 'aria-current',
  'aria-describedby', 'aria-description', 'aria-details', 'aria-dropeffect', 'aria-flowto', 'aria-grabbed', 'aria-keyshortcuts', 'aria-label',
  'aria-labelledby', 'aria-live', 'aria-owns', 'aria-relevant', 'aria-roledescription'];

let roleCache = new NativeMap();

function resetRoles() {
  roleCache = new NativeMap();
}

/** The role; "generic" or "none" when there is none to speak of. */
function roleOf(element) {
  let role = roleCache.get(element);
  if (role === undefined) {
    role = computeRole(element);
    roleCache.set(element, role);
  }
  return role;
}

function computeRole(element) {
  const attribute = getAttribute(element, 'role');
  if (attribute) {
    for (const token of attribute.toLowerCase().split(/\s+/)) {
      if (!KNOWN_ROLES.has(token)) continue;
      const role = SAME_ROLE[token] || token;
      if (role === 'none') {
        if (!isFocusable(element) && !hasGlobalAria(element)) return 'none';
        break;
      }
      if ((role === 'region' || role === 'form') && !hasNameAttribute(element)) continue;
      if (NEEDS_AROUND[role] && !isAround(element, NEEDS_AROUND[role])) break;
      if (role === 'image' || role === 'generic' || role === 'separator') return role;
      if (role === 'button' && hasAttribute(element, 'aria-pressed')) return 'button';
      return role;
    }
  }
  return implicitRole(element);
}

function hasGlobalAria(element) {
  for (const name of getAttributeNames(element)) if (name.startsWith('aria-') && GLOBAL_ARIA.includes(name)) return true;
  return false;
}

function hasNameAttribute(element) {
  return nonBlank(getAttribute(element, 'aria-label')) || referenced(element, 'aria-labelledby').length > 0 || nonBlank(getAttribute(element, 'title'));
}

function nonBlank(text) {
  return !!text && /\S/.test(text);
}

/** The nearest ancestor with a role has one of `roles`. */
function isAround(element, roles) {
  for (let parent = composedParent(element); parent; parent = composedParent(parent)) {
    const role = roleOf(parent);
    if (role === 'generic' || role === 'none') continue;
    return roles.includes(role);
  }
  return false;
}

const FIXED = {
  address: 'group', article: 'article', blockquote: 'blockquote', button: 'button', caption: 'caption', code: 'code', datalist: 'listbox', dd: 'definition',
  del: 'deletion', details: 'group', dfn: 'term', dialog: 'dialog', dt: 'term', em: 'emphasis', fieldset: 'group', figure: 'figure', form: 'form',
  h1: 'heading', h2: 'heading', h3: 'heading', h4: 'heading', h5: 'heading', h6: 'heading', hgroup: 'group', hr: 'separator', ins: 'insertion',
  main: 'main', mark: 'mark', math: 'math', menu: 'list', meter: 'meter', nav: 'navigation', ol: 'list', optgroup: 'group', output: 'status',
  p: 'paragraph', progress: 'progressbar', s: 'deletion', search: 'search', strong: 'strong', sub: 'subscript', sup: 'superscript', table: 'table',
  textarea: 'textbox', time: 'time', ul: 'list', figcaption: 'caption', iframe: 'iframe', frame: 'iframe', audio: 'audio', video: 'video',
  canvas: 'canvas', embed: 'embed', object: 'embed',
};

const INPUT_ROLES = {
  button: 'button', checkbox: 'checkbox', color: 'color', date: 'date', 'datetime-local': 'datetime', email: 'textbox', file: 'button',
  hidden: 'none', image: 'button', month: 'datetime', number: 'spinbutton', password: 'textbox', radio: 'radio', range: 'slider',
  reset: 'button', search: 'searchbox', submit: 'button', tel: 'textbox', text: 'textbox', time: 'time', url: 'textbox', week: 'datetime',
};

const CONTEXTUAL = {
  a: (e) => (hasAttribute(e, 'href') || hasAttribute(e, 'onclick') || !!htmlClick(e) ? 'link' : 'generic'),
  area: (e) => (hasAttribute(e, 'href') ? 'link' : 'generic'),
  aside: (e) => (isInSection(e) && !hasNameAttribute(e) ? 'generic' : 'complementary'),
  footer: (e) => (isInSectionOrMain(e) ? 'sectionfooter' : 'contentinfo'),
  header: (e) => (isInSectionOrMain(e) ? 'sectionheader' : 'banner'),
  img: imageRole,
  input: inputRole,
  li: (e) => (isAround(e, ['list', 'group']) || isInPlainList(e) ? 'listitem' : isInBareList(e) ? 'none' : 'listitem'),
  option: () => 'option',
  section: (e) => (hasNameAttribute(e) ? 'region' : 'generic'),
  select: (e) => (selectMultiple(e) || selectSize(e) > 1 ? 'listbox' : 'combobox'),
  summary: (e) => (isSummary(e) ? 'button' : 'generic'),
  tbody: (e) => inTable(e, 'rowgroup'),
  td: (e) => inTable(e, 'cell'),
  tfoot: (e) => inTable(e, 'rowgroup'),
  th: (e) => inTable(e, 'header'),
  thead: (e) => inTable(e, 'rowgroup'),
  tr: (e) => inTable(e, 'row'),
};

function implicitRole(element) {
  const tag = tagOf(element);
  const space = namespaceURI(element);
  if (space === SVG) return svgRole(element, tag);
  if (space === MATHML) return tag === 'math' ? 'math' : 'none';
  if (hasOwn(FIXED, tag)) return FIXED[tag];
  if (hasOwn(CONTEXTUAL, tag)) return CONTEXTUAL[tag](element);
  return 'generic';
}

function inputRole(element) {
  const role = INPUT_ROLES[inputType(element)] || 'textbox';
  if ((role === 'textbox' || role === 'searchbox') && hasAttribute(element, 'list') && inputType(element) !== 'password') return 'combobox';
  if (role === 'checkbox' && hasAttribute(element, 'switch') && 'switch' in HTMLInputElement.prototype) return 'switch';
  return role;
}

function imageRole(element) {
  if (getAttribute(element, 'alt') !== '') return 'image';
  if (isFocusable(element) || hasGlobalAria(element) || nonBlank(getAttribute(element, 'title'))) return 'image';
  return 'none';
}

function svgRole(element, tag) {
  if (tag === 'a') return svgHref(element) ? 'link' : 'generic';
  const named = nonBlank(getAttribute(element, 'aria-label')) || referenced(element, 'aria-labelledby').length > 0 || svgTitle(element) !== null;
  if (tag === 'svg') return named ? 'image' : 'none';
  if (tag === 'foreignObject') return 'generic';
  if (!named) return tag === 'text' ? 'generic' : 'none';
  return tag === 'g' || tag === 'use' || tag === 'symbol' ? 'group' : 'graphics-symbol';
}

function svgHref(element) {
  return hasAttribute(element, 'href') || getAttribute(element, 'xlink:href') !== null;
}

/** The text of the first `title` child of an SVG element, or null. */
function svgTitle(element) {
  for (let child = firstElementChild(element); child; child = nextElementSibling(child)) {
    if (tagOf(child) === 'title' && namespaceURI(child) === SVG) return textContent(child);
  }
  return null;
}

function isSummary(element) {
  const parent = parentNode(element);
  return isElement(parent) && tagOf(parent) === 'details' && firstSummary(parent) === element;
}

const SECTIONS = new NativeSet(['article', 'aside', 'nav', 'section']);
const SECTION_ROLES = new NativeSet(['article', 'complementary', 'navigation', 'region']);

function isInSection(element) {
  return !!ancestor(element, (e) => SECTIONS.has(tagOf(e)) || SECTION_ROLES.has(getAttribute(e, 'role')));
}

function isInSectionOrMain(element) {
  return !!ancestor(element, (e) => SECTIONS.has(tagOf(e)) || tagOf(e) === 'main' ||
    SECTION_ROLES.has(getAttribute(e, 'role')) || getAttribute(e, 'role') === 'main');
}

function ancestor(element, test) {
  const parent = composedParent(element);
  return parent && !isFrame(parent) ? composedClosest(parent, (e) => test(e)) : null;
}

function isInPlainList(element) {
  const parent = parentNode(element);
  return isElement(parent) && roleOf(parent) === 'list';
}

/** In a ul or ol whose role was taken away. */
function isInBareList(element) {
  const parent = parentNode(element);
  return isElement(parent) && /^(ul|ol|menu)$/.test(tagOf(parent)) && hasAttribute(parent, 'role');
}

/** Role of a table part, from the role of its table. */
function inTable(element, part) {
  const table = composedClosest(element, (e) => tagOf(e) === 'table');
  const tableRole = table ? roleOf(table) : 'generic';
  const isGrid = tableRole === 'grid' || tableRole === 'treegrid';
  if (!isGrid && tableRole !== 'table') return 'generic';
  if (part === 'cell') return isGrid ? 'gridcell' : 'cell';
  return part === 'header' ? headerRole(element) : part;
}

function headerRole(cell) {
  const scope = (getAttribute(cell, 'scope') || '').toLowerCase();
  if (scope === 'row' || scope === 'rowgroup') return 'rowheader';
  if (scope === 'col' || scope === 'colgroup') return 'columnheader';
  const before = previousElementSibling(cell);
  const after = nextElementSibling(cell);
  const isHeader = (other) => !other || tagOf(other) === 'th';
  if (before || after) return isHeader(before) && isHeader(after) ? 'columnheader' : 'rowheader';
  return 'columnheader';
}

const NATIVELY_FOCUSABLE = 'a[href],area[href],button:enabled,input:enabled:not([type=hidden]),select:enabled,textarea:enabled,iframe,audio[controls],' +
  'video[controls],[tabindex],[contenteditable]:not([contenteditable=false]),summary';

/** Takes the focus by keyboard, script or press (also with a negative tabindex). */
function isFocusable(element) {
  if (!matches(element, NATIVELY_FOCUSABLE)) return false;
  if (tagOf(element) !== 'summary' || hasAttribute(element, 'tabindex')) return true;
  return isSummary(element);
}
