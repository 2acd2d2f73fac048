// The screen as a list of nodes in pre-order, in one walk over the composed tree.

const MAX_TEXT = 400;

/** Roles that say how a text reads, not what one can do: their text is listed, they are not. */
const TEXT_LEVEL = new NativeSet(['paragraph', 'strong', 'emphasis', 'code', 'deletion', 'insertion', 'subscript', 'superscript', 'mark', 'time',
  'caption', 'sectionheader', 'sectionfooter', 'rowgroup', 'blockquote', 'suggestion']);
const FOCUS_ONLY = new NativeSet(['heading', 'dialog', 'alertdialog', 'alert', 'status', 'banner', 'complementary', 'contentinfo', 'form', 'main',
  'navigation', 'region', 'search', 'iframe', 'menu', 'tablist', 'toolbar', 'listbox', 'tree', 'grid', 'radiogroup', 'log', 'progressbar']);
const INLINE_TAGS = new NativeSet(['span', 'b', 'i', 'em', 'strong', 'a', 'code', 'small', 'sub', 'sup', 'abbr', 'mark', 'kbd', 'font', 'u', 's', 'del', 'ins', 'time',
  'bdi', 'bdo', 'cite', 'q', 'var', 'samp', 'label', 'dfn', 'data', 'tt', 'big', 'acronym', 'slot', 'wbr', 'nobr', 'ruby', 'strike']);
const TEST_IDS = ['data-testid', 'data-test-id', 'data-test', 'data-cy', 'data-qa'];
const NEVER_WALKED = new NativeSet(['script', 'style', 'noscript', 'template', 'head', 'meta', 'link', 'datalist', 'title', 'base', 'param', 'source', 'track', 'col',
  'colgroup', 'defs', 'desc', 'metadata', 'noembed', 'noframes', 'area', 'map']);
const VALUE_IS_CONTENT = new NativeSet(['textbox', 'searchbox']);

function testIdOf(element) {
  for (const name of TEST_IDS) {
    const value = getAttribute(element, name);
    if (value) return value;
  }
  return '';
}

function identifierOf(element) {
  return testIdOf(element) || getAttribute(element, 'id') || getAttribute(element, 'name') || '';
}

/** One capture: see README.md for what it answers. */
function capture(options) {
  const walk = {
    nodes: [], elements: [], boxes: [], frames: [], limit: options.maxNodes > 0 ? options.maxNodes : 5000,
    deadline: now() + (options.budgetMs > 0 ? options.budgetMs : 2000), interactiveOnly: options.interactiveOnly === true,
    visited: 0, spotTests: 200, stopped: false, run: null, sequence: 0, faults: 0, fault: '', active: deepActive(), modal: openModal(), indexOf: new NativeMap(),
  };
  const startedAt = now();
  const root = documentElementOf(document);
  if (root) {
    visitElement(walk, root, {
      parent: -1, ariaHidden: false, inert: walk.modal.native !== null, ariaDisabled: false, inWidget: false, name: '', nameRole: '', muted: false,
      place: placement(document), clip: placement(document).clip,
    });
    flushRun(walk, null);
  }
  if (options.hitTest !== false) hitTestAll(walk);
  for (let i = 0; i < walk.nodes.length; i += 1) trimNode(walk.nodes[i]);
  const scroller = document.scrollingElement || root;
  const box = viewportBox(window);
  return {
    doc: DOC_TOKEN, url: location.href, title: document.title, lang: (root && getAttribute(root, 'lang')) || '', ready: document.readyState,
    viewport: [box[2], box[3]], dpr: window.devicePixelRatio, scroll: scroller ? offsetsOf(scroller) : [0, 0, 0, 0],
    focus: walk.active ? idOf(walk.active) : 0, truncated: walk.stopped, total: walk.nodes.length, elements: walk.visited, faults: walk.faults, fault: walk.fault,
    mutations: mutationCount(), tookMs: tenth(now() - startedAt), modal: walk.modal.top ? idOf(walk.modal.top) : 0,
    nodes: walk.nodes, frames: walk.frames,
  };
}

function offsetsOf(element) {
  return [tenth(scrollLeft(element)), tenth(scrollTop(element)), max(0, scrollWidth(element) - clientWidth(element)),
    max(0, scrollHeight(element) - clientHeight(element))];
}

/** `native`: the last modal dialog element, which makes the rest inert. `top`: it, or the last drawn `aria-modal` one. */
function openModal() {
  let native = null;
  let top = null;
  for (const doc of reachableDocuments()) {
    for (const root of rootsOf(doc)) {
      const query = nodeType(root) === DOCUMENT ? documentQueryAll : fragmentQueryAll;
      const found = query(root, 'dialog[open],[aria-modal=true]');
      for (let i = 0; i < found.length; i += 1) {
        if (tagOf(found[i]) === 'dialog' && matches(found[i], ':modal')) native = top = found[i];
        else if (getAttribute(found[i], 'aria-modal') === 'true' && !native && isDrawn(found[i])) top = found[i];
      }
    }
  }
  return { native, top };
}

function visitElement(walk, element, context) {
  if (walk.stopped) return;
  walk.visited += 1;
  if ((walk.visited & 127) === 0 && now() > walk.deadline) {
    walk.stopped = true;
    return;
  }
  const tag = tagOf(element);
  if (NEVER_WALKED.has(tag)) return;
  if (tag === 'br') {
    if (walk.run) {
      walk.run.text += ' ';
      walk.run.pieces[walk.run.pieces.length] = null;
    }
    return;
  }
  if (!isDrawn(element)) {
    // What is `visibility: hidden` may hold what is visible again, but its own text is not seen.
    if (isBoxTreeMember(element)) visitChildren(walk, element, context, true);
    return;
  }
  const role = roleOf(element);
  let inner = contextInside(walk, element, context);
  const isRoot = tag === 'html' || tag === 'body';
  const interactive = !isRoot && isInteractive(element, role, tag);
  const holdsElements = firstElementChild(element) !== null || openShadowRoot(element) !== null;
  const style = holdsElements || (!interactive && !context.inWidget) ? styleOf(element) : null;
  const clickable = !interactive && !isRoot && (hasClickHandler(element) || (!context.inWidget && isPointerArea(element, style)));
  const clips = holdsElements && !isRoot && style.overflowY !== 'visible' && style.display !== 'inline';
  const scrolls = clips && canScrollNow(element);
  const listed = interactive || clickable || scrolls || isListed(walk, element, tag, role, inner);
  if (clips || listed) {
    if (inner === context) inner = { ...context };
    if (clips) inner.clip = intersect(context.clip, toTop(paddingBox(element), context.place));
  }

  if (!listed) {
    visitCollapsed(walk, element, tag, inner, style);
    return;
  }
  flushRun(walk, null);
  walk.sequence += 1;
  const index = emit(walk, element, tag, role, inner, context.clip, { interactive, clickable, scrolls });
  if (index < 0) return;
  inner.parent = index;
  inner.inWidget = context.inWidget || interactive || clickable;
  if (tag === 'select' && role === 'combobox') return;
  if (tag === 'input' || tag === 'textarea') return;
  if (isFrame(element)) {
    visitFrame(walk, element, inner);
    return;
  }
  if (VALUE_IS_CONTENT.has(role) || (interactive && isEditingHost(element))) inner.muted = true;
  visitChildren(walk, element, inner);
  flushRun(walk, null);
}

/** A pointer area that starts here: see `isPointerRoot`; the style is at hand already. */
function isPointerArea(element, style) {
  return style !== null && style.cursor === 'pointer' && isPointerRoot(element);
}

/** What an element's attributes change for itself and what it holds; the same object when they change nothing. */
function contextInside(walk, element, context) {
  const inert = element === walk.modal.native ? false : context.inert || hasAttribute(element, 'inert');
  const ariaHidden = context.ariaHidden || getAttribute(element, 'aria-hidden') === 'true';
  const disabled = getAttribute(element, 'aria-disabled');
  const ariaDisabled = disabled === null ? context.ariaDisabled : disabled === 'true';
  if (inert === context.inert && ariaHidden === context.ariaHidden && ariaDisabled === context.ariaDisabled) return context;
  return { ...context, inert, ariaHidden, ariaDisabled };
}

function isListed(walk, element, tag, role, context) {
  if (context.ariaHidden) return false;
  if (walk.interactiveOnly) return FOCUS_ONLY.has(role);
  if (role !== 'generic' && role !== 'none' && !TEXT_LEVEL.has(role)) {
    if (role === 'group' && tag !== 'details' && tag !== 'fieldset' && !hasAttribute(element, 'role')) {
      return !!testIdOf(element) || nonBlank(getAttribute(element, 'aria-label')) || hasAttribute(element, 'aria-labelledby');
    }
    return true;
  }
  if (tag === 'html' || tag === 'body') return false;
  const hasInside = firstElementChild(element) !== null || openShadowRoot(element) !== null;
  if (testIdOf(element)) return hasInside || !nonBlank(textContent(element));
  return hasInside && !!getAttribute(element, 'id');
}

/** An element that is not listed itself: its text joins the run around it, or is a run of its own if it is a block or has an identifier. */
function visitCollapsed(walk, element, tag, context, style) {
  const named = !!identifierOf(element);
  let boundary = named || !INLINE_TAGS.has(tag);
  if (!boundary || tag.includes('-')) {
    const display = (style || styleOf(element)).display;
    boundary = named || (display !== 'inline' && display !== 'contents');
  }
  if (!boundary) {
    visitChildren(walk, element, context);
    return;
  }
  flushRun(walk, null);
  const sequence = walk.sequence;
  visitChildren(walk, element, context);
  flushRun(walk, walk.sequence === sequence ? element : null);
}

function visitChildren(walk, element, context, withoutText) {
  const shadow = openShadowRoot(element);
  if (shadow) meetShadowRoot(shadow);
  eachChild(element, (child) => {
    const type = nodeType(child);
    if (type === ELEMENT) visitGuarded(walk, child, context);
    else if (type === TEXT && !withoutText) visitText(walk, child, context);
    return walk.stopped;
  });
}

/** One element that the agent cannot read (a page that rewires the DOM) must not hide all the others; it is counted. */
function visitGuarded(walk, element, context) {
  try {
    visitElement(walk, element, context);
  } catch (fault) {
    walk.faults += 1;
    if (!walk.fault) walk.fault = tagName(element) + ': ' + String((fault && fault.message) || fault);
  }
}

function tagName(element) {
  try {
    return tagOf(element);
  } catch (unreadable) {
    return '?';
  }
}

function visitFrame(walk, frame, context) {
  const inner = innerDocument(frame);
  const root = inner && documentElementOf(inner);
  if (!root) {
    const place = placement(ownerDocument(frame));
    const content = contentBox(frame);
    const box = toTop([content.left, content.top, content.left + content.width, content.top + content.height], place);
    walk.frames[walk.frames.length] = [idOf(frame), ...rectOf(box), content.sx * place.sx, content.sy * place.sy];
    return;
  }
  observeDocument(inner);
  const place = placement(inner);
  visitElement(walk, root, { ...context, name: '', nameRole: '', muted: false, place, clip: place.clip });
  flushRun(walk, null);
}

// --- nodes ----------------------------------------------------------------------------------------------------------

function push(walk, node, tuple, seen) {
  const index = walk.nodes.length;
  walk.nodes[index] = tuple;
  walk.elements[index] = node;
  walk.boxes[index] = seen;
  walk.indexOf.set(node, index);
  return index;
}

/** Flags of place; the cheap clip first, the exact one only where it says "not visible". */
function boxFlags(node, box, clip) {
  const width = box[2] - box[0];
  const height = box[3] - box[1];
  if (width <= 0 || height <= 0) return 0;
  if (width <= 1 && height <= 1) return FLAG.RENDERED;
  if (!isEmpty(intersect(box, clip)) || visibleBox(node, box)) return FLAG.RENDERED | FLAG.VISIBLE;
  return FLAG.RENDERED;
}

/** The box of the label in view that a page draws in place of a checkbox, radio button or file field; null where there is none. */
function drawnByLabel(element, place) {
  const type = inputType(element);
  if (type !== 'checkbox' && type !== 'radio' && type !== 'file') return null;
  const labels = labelsOf(element);
  for (let i = 0; i < labels.length; i += 1) {
    const box = isDrawn(labels[i]) ? toTop(boxOf(labels[i]), place) : null;
    if (box && boxFlags(labels[i], box, place.clip) & FLAG.VISIBLE) return box;
  }
  return null;
}

/** Lists an element; -1 when it is not listed after all. `context` becomes that of what it holds, `clip` is the one around it. */
function emit(walk, element, tag, role, context, clip, { interactive, clickable, scrolls }) {
  if (walk.nodes.length >= walk.limit) {
    walk.stopped = true;
    return -1;
  }
  let box = toTop(boxOf(element), context.place);
  let drawn = boxFlags(element, box, clip);
  const label = tag === 'input' && (drawn & FLAG.VISIBLE) === 0 ? drawnByLabel(element, context.place) : null;
  if (label) {
    box = label;
    drawn = FLAG.RENDERED | FLAG.VISIBLE;
  }
  let flags = drawn | stateFlags(element, role, tag, { ariaDisabled: context.ariaDisabled, active: walk.active });
  if (context.ariaHidden && (flags & FLAG.RENDERED) === 0) return -1;
  if (interactive || clickable) flags |= FLAG.INTERACTIVE;
  if (clickable) flags |= FLAG.CLICKABLE;
  if (scrolls) flags |= FLAG.SCROLLABLE;
  if (context.inert) flags |= FLAG.INERT;
  if (context.ariaHidden) flags |= FLAG.ARIA_HIDDEN;
  if ((interactive || clickable) && styleOf(element).pointerEvents === 'none') flags |= FLAG.NO_POINTER;
  const fullName = nameOf(element, role);
  const description = descriptionOf(element, fullName);
  let value = valueOf(element, role, tag);
  context.name = fullName;
  context.nameRole = role;
  const name = fullName.slice(0, MAX_TEXT);
  if (fullName.length > MAX_TEXT || (value && value.length > MAX_TEXT) || description.length > MAX_TEXT) {
    flags |= FLAG.CUT;
    value = value && value.slice(0, MAX_TEXT);
  }
  const shownRole = role === 'none' ? 'generic' : role;
  const tuple = [idOf(element), context.parent, shownRole, name, value, description.slice(0, MAX_TEXT), identifierOf(element),
    tenth(box[0]), tenth(box[1]), tenth(box[2] - box[0]), tenth(box[3] - box[1]), flags, 0, extraOf(element, tag, shownRole, flags)];
  return push(walk, element, tuple, (flags & FLAG.VISIBLE) && !label && !context.inert && (interactive || clickable) ? box : null);
}

/** Leaves out trailing empty entries. */
function trimNode(tuple) {
  let length = tuple.length;
  while (length > 3 && (tuple[length - 1] === null || tuple[length - 1] === 0 || (tuple[length - 1] === '' && length !== 5))) length -= 1;
  tuple.length = length;
}
