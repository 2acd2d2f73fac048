// Scroll containers: which are there, how far do they go, move one.

function scrollRoot(doc) {
  return doc.scrollingElement || documentElementOf(doc);
}

function canScrollNow(element) {
  if (element === scrollRoot(ownerDocument(element))) {
    const doc = ownerDocument(element);
    const rootStyle = styleOf(documentElementOf(doc));
    const bodyStyle = bodyOf(doc) ? styleOf(bodyOf(doc)) : rootStyle;
    const overflow = rootStyle.overflowY === 'visible' ? bodyStyle.overflowY : rootStyle.overflowY;
    if (overflow === 'hidden' || overflow === 'clip') return false;
    return scrollHeight(element) > clientHeight(element) + 1 || scrollWidth(element) > clientWidth(element) + 1;
  }
  const style = styleOf(element);
  const allows = (overflow) => overflow === 'auto' || overflow === 'scroll' || overflow === 'overlay';
  return (allows(style.overflowY) && scrollHeight(element) > clientHeight(element) + 1) ||
    (allows(style.overflowX) && scrollWidth(element) > clientWidth(element) + 1);
}

/** Everything that can scroll and is visible, largest visible area first. The document counts with the viewport's area. */
function scrollables() {
  const found = [];
  for (const doc of reachableDocuments()) {
    const top = scrollRoot(doc);
    if (top && canScrollNow(top) && !isEmpty(placement(doc).clip)) found[found.length] = { element: top, area: areaOf(placement(doc).clip) + 1 };
    for (const root of rootsOf(doc)) {
      const all = nodeType(root) === DOCUMENT ? documentQueryAll(root, '*') : fragmentQueryAll(root, '*');
      for (let i = 0; i < all.length; i += 1) {
        const element = all[i];
        if (element === top || clientHeight(element) === 0) continue;
        if (scrollHeight(element) <= clientHeight(element) + 1 && scrollWidth(element) <= clientWidth(element) + 1) continue;
        if (tagOf(element) === 'html' || tagOf(element) === 'body' || tagOf(element) === 'textarea') continue;
        if (!canScrollNow(element) || !isDrawn(element)) continue;
        const seen = visibleBox(element, toTop(boxOf(element), placement(doc)));
        if (seen) found[found.length] = { element, area: areaOf(seen) };
      }
    }
  }
  return found.sort((a, b) => b.area - a.area);
}

function scrollTargets() {
  return scrollables().map(({ element }) => {
    const [x, y, maxX, maxY] = offsetsOf(element);
    const role = roleOf(element);
    const isDocument = element === scrollRoot(document);
    return {
      id: isDocument ? 0 : idOf(element), role: isDocument ? 'document' : role, name: nameOf(element, role), rect: scrollerRect(element),
      offset: [x, y], max: [maxX, maxY],
    };
  });
}

function scrollerRect(element) {
  const doc = ownerDocument(element);
  if (element === scrollRoot(doc)) return rectOf(placement(doc).clip);
  return rectOf(toTop(boxOf(element), placement(doc)));
}

/** The scroller meant by an id: the node, its nearest ancestor that can scroll, or the page's main one for 0. */
function scrollerFor(id) {
  const own = scrollRoot(document);
  if (!id) {
    if (own && canScrollNow(own)) return own;
    const first = scrollables()[0];
    return first ? first.element : own;
  }
  const start = requireElement(id);
  const found = composedClosest(start, (e) => tagOf(e) !== 'body' && canScrollNow(e));
  return found || own;
}

function scroll(options) {
  disarm();
  const element = scrollerFor(options.id);
  const [x, y, maxX, maxY] = offsetsOf(element);
  const target = { left: x, top: y };
  switch (options.to) {
    case 'top': target.top = 0; break;
    case 'bottom': target.top = maxY; break;
    case 'left': target.left = x < 0 ? -maxX : 0; break;
    case 'right': target.left = x < 0 ? 0 : maxX; break;
    default:
      target.left += options.dx || 0;
      target.top += options.dy || 0;
  }
  scrollTo(element, { ...target, behavior: 'instant' });
  const after = offsetsOf(element);
  return {
    id: element === scrollRoot(document) ? 0 : idOf(element), before: [x, y], after: [after[0], after[1]], max: [after[2], after[3]],
    moved: after[0] !== x || after[1] !== y, rect: scrollerRect(element),
  };
}
