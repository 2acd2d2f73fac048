// What CSS says about a node: is it drawn, does CSS generate text for it, which block is it laid out in.
//
// A computed style costs about as much as everything else asked of an element, so each question first looks for an answer
// that needs none.

const CHECK_VISIBLE = { visibilityProperty: true };
const CHECK_BOX = {};

/** Has a box and is not `visibility: hidden`; opacity is not asked. */
function isDrawn(element) {
  if (nativeCheckVisibility) {
    if (nativeCheckVisibility(element, CHECK_VISIBLE)) return true;
    return hasContentsDisplay(element) && isBoxTreeMember(element) && styleOf(element).visibility === 'visible';
  }
  const style = styleOf(element);
  return style.visibility === 'visible' && isBoxTreeMember(element);
}

/** Neither it nor an ancestor is `display: none` or skipped by `content-visibility: hidden`. */
function isBoxTreeMember(element) {
  if (nativeCheckVisibility) {
    if (nativeCheckVisibility(element, CHECK_BOX)) return true;
    if (!hasContentsDisplay(element)) return false;
    const parent = composedParent(element);
    return !parent || isBoxTreeMember(parent);
  }
  for (let current = element; current; current = composedParent(current)) {
    if (styleOf(current).display === 'none') return false;
  }
  return true;
}

function hasContentsDisplay(element) {
  return styleOf(element).display === 'contents';
}

// --- what the style sheets do at all ----------------------------------------------------------------------------------

let sheetFacts = null;
const factsBySheet = new NativeWeakMap();

/** Forgets what the style sheets said. Called at the start of each operation. */
function resetStyles() {
  sheetFacts = null;
}

/** More generating rules than this cost more to match than to ask each element for its style. */
const MANY_RULES = 40;
/** Reading a rule costs about as much as asking one element (2 us), so large sheets are not read. */
const MANY_RULES_TO_READ = 1500;

/**
 * What the rules of the page can do to texts: `generates`: 'none', 'some' (to elements matching `selector`) or 'any'; `transforms`: some
 * rule changes the case of letters. Reading the rules once spares several computed styles per element on pages that do
 * neither.
 */
function stylesInUse() {
  if (sheetFacts) return sheetFacts;
  sheetFacts = { generates: 'any', selector: '', transforms: true };
  const sheets = readableSheets();
  if (!sheets) return sheetFacts;
  const selectors = [];
  let transforms = false;
  for (const sheet of sheets) {
    const facts = factsOfSheet(sheet);
    if (!facts) return sheetFacts;
    transforms = transforms || facts.transforms;
    for (const selector of facts.selectors) selectors[selectors.length] = selector;
  }
  for (const doc of reachableDocuments()) transforms = transforms || documentQueryAll(doc, '[style*="text-transform"]').length > 0;
  sheetFacts.generates = selectors.length > MANY_RULES ? 'any' : selectors.length === 0 ? 'none' : 'some';
  sheetFacts.selector = sheetFacts.generates === 'some' ? selectors.join(',') : '';
  sheetFacts.transforms = transforms;
  return sheetFacts;
}

/** The style sheets of the page; null when one of them may not be read or they are too large to be worth it. */
function readableSheets() {
  const sheets = [];
  let rules = 0;
  for (const doc of reachableDocuments()) {
    for (const root of rootsOf(doc)) {
      for (const sheet of [...(root.styleSheets || []), ...(root.adoptedStyleSheets || [])]) {
        try {
          rules += sheet.cssRules.length;
        } catch (refused) {
          return null;
        }
        if (rules > MANY_RULES_TO_READ) return null;
        sheets[sheets.length] = sheet;
      }
    }
  }
  return sheets;
}

/** Facts of one sheet, kept while its number of rules stays; null when it may not be read. */
function factsOfSheet(sheet) {
  let rules;
  try {
    rules = sheet.cssRules;
  } catch (refused) {
    return null;
  }
  const known = factsBySheet.get(sheet);
  if (known && known.length === rules.length) return known;
  const facts = { length: rules.length, selectors: [], transforms: false };
  collectFacts(rules, facts);
  factsBySheet.set(sheet, facts);
  return facts;
}

const PSEUDO = /::?(?:before|after)\s*$/;

function collectFacts(rules, facts) {
  const { selectors } = facts;
  for (let i = 0; i < rules.length; i += 1) {
    // Nothing more to learn: every element is asked for its own style from here on.
    if (facts.transforms && selectors.length > MANY_RULES) return;
    const rule = rules[i];
    const style = rule.style;
    if (style) {
      if (style.textTransform && style.textTransform !== 'none') facts.transforms = true;
      const content = style.content;
      if (content && content !== 'none' && content !== 'normal' && !/^(["'])\s*\1$/.test(content) && selectors.length <= MANY_RULES) {
        for (const part of splitSelectorList(rule.selectorText || '')) {
          if (PSEUDO.test(part)) selectors[selectors.length] = part.replace(PSEUDO, '').trim().replace(/(^|[\s>+~])$/, '$1*');
        }
      }
    }
    if (rule.styleSheet) {
      const inner = factsOfSheet(rule.styleSheet);
      facts.transforms = facts.transforms || !inner || inner.transforms;
      for (const selector of inner ? inner.selectors : ['*']) selectors[selectors.length] = selector;
    } else if (rule.cssRules && rule.cssRules.length > 0) {
      // A nested rule's selector is relative to its parent: match any element instead of resolving it.
      const before = selectors.length;
      collectFacts(rule.cssRules, facts);
      if (rule.selectorText) for (let k = before; k < selectors.length; k += 1) selectors[k] = '*';
    }
  }
}

function splitSelectorList(text) {
  const parts = [];
  let depth = 0;
  let from = 0;
  for (let i = 0; i < text.length; i += 1) {
    const c = text[i];
    if (c === '(' || c === '[') depth += 1;
    else if (c === ')' || c === ']') depth -= 1;
    else if (c === ',' && depth === 0) {
      parts[parts.length] = text.slice(from, i);
      from = i + 1;
    }
  }
  parts[parts.length] = text.slice(from);
  return parts;
}

/** Text that CSS generates before or after an element's content, "" for none. `side`: "::before" or "::after". */
function generated(element, side) {
  if (tagOf(element) === 'q') return side === '::before' ? '\u201c' : '\u201d';
  const facts = stylesInUse();
  if (facts.generates === 'none') return '';
  if (facts.generates === 'some') {
    try {
      if (!matches(element, facts.selector)) return '';
    } catch (unsupported) {
      facts.generates = 'any';
    }
  }
  const style = styleOf(element, side);
  const content = style.content;
  if (!content || content === 'none' || content === 'normal' || style.display === 'none' || style.visibility !== 'visible') return '';
  return generatedContent(element, content, style.display);
}

/** Evaluates a `content` value: strings, attr(), and the alternative text after a slash, which replaces everything before it. */
function generatedContent(element, content, display) {
  // A function is one token: the quoted address in url("data:...") is no text.
  const tokens =
    content.match(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[\w-]+\((?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\([^()]*\)|[^()"'])*\)|\/|[^\s"'/]+/g) || [];
  const slash = tokens.indexOf('/');
  let text = '';
  for (let i = slash + 1; i < tokens.length; i += 1) {
    const token = tokens[i];
    if (token[0] === '"' || token[0] === "'") text += token.slice(1, -1).replace(/\\([0-9a-f]{1,6}) ?|\\(.)/gi, unescapeCss);
    else if (token.startsWith('attr(')) text += getAttribute(element, token.slice(5, -1).trim()) || '';
  }
  // Alternative text and a box of its own stand apart from the text beside them.
  return text && (slash >= 0 || (display !== 'inline' && display !== 'contents')) ? ' ' + text + ' ' : text;
}

function unescapeCss(whole, hex, literal) {
  return hex ? String.fromCodePoint(min(parseInt(hex, 16), 0x10ffff)) : literal;
}

/** A text as CSS shows it: the case of its letters may be changed. `parent`: the element it is drawn in. */
function shownText(text, parent) {
  if (!stylesInUse().transforms || !parent) return text;
  switch (styleOf(parent).textTransform) {
    case 'uppercase': return text.toUpperCase();
    case 'lowercase': return text.toLowerCase();
    case 'capitalize': return text.replace(/(^|[^\p{L}\p{N}'\u2019_])(\p{L})/gu, (whole, before, letter) => before + letter.toUpperCase());
    default: return text;
  }
}

// --- blocks ---------------------------------------------------------------------------------------------------------

const TRANSPARENT_DISPLAY = new NativeSet(['inline', 'contents', 'table-row', 'table-row-group', 'table-header-group', 'table-footer-group', 'ruby',
  'ruby-text', 'none']);
const ITEM_DISPLAY = /^(inline-)?(flex|grid)$/;

/**
 * The block that a node's text is laid out in, at most `root`. Two texts of one block run together; between two blocks there is a
 * gap. A text directly in a flex or grid container is a block of its own.
 */
function flowOf(node, root) {
  let current = node;
  if (nodeType(node) === TEXT) {
    current = composedParent(node);
    if (current && ITEM_DISPLAY.test(styleOf(current).display)) return node;
  }
  for (; current && current !== root; current = composedParent(current)) {
    if (!TRANSPARENT_DISPLAY.has(styleOf(current).display)) return current;
  }
  return root;
}
