// Text that no listed node is named by: neighbouring pieces of one block become one leaf.

function visitText(walk, node, context) {
  if (walk.interactiveOnly || context.muted || context.ariaHidden) return;
  const own = textData(node);
  const data = nonBlank(own) ? shownText(own, isElement(parentNode(node)) ? parentNode(node) : null) : own;
  const run = walk.run;
  if (run && run.context.parent === context.parent) {
    run.text += data;
    if (nonBlank(data)) run.last = node;
  } else if (nonBlank(data)) {
    if (run) flushRun(walk, null);
    walk.run = { text: data, first: node, last: node, context };
  }
}

/** Ends the current run of text. `owner`: the element that holds it and nothing else, if there is one. */
function flushRun(walk, owner) {
  const run = walk.run;
  if (!run) return;
  walk.run = null;
  walk.sequence += 1;
  const text = clean(run.text);
  const { context } = run;
  if (!text || (FROM_CONTENT.has(context.nameRole) ? context.name.includes(text) : context.name === text)) return;
  if (walk.nodes.length >= walk.limit) {
    walk.stopped = true;
    return;
  }
  const tag = owner ? tagOf(owner) : '';
  const useOwner = owner && tag !== 'body' && tag !== 'html';
  const node = useOwner ? owner : run.first;
  const box = toTop(useOwner ? boxOf(owner) : run.first === run.last ? boxOf(run.first) : spanBox(run.first, run.last), context.place);
  let flags = boxFlags(node, box, context.clip);
  let name = text;
  if (text.length > MAX_TEXT) {
    name = text.slice(0, MAX_TEXT);
    flags |= FLAG.CUT;
  }
  if (context.inert) flags |= FLAG.INERT;
  push(walk, node, [idOf(node), context.parent, 'text', name, null, '', useOwner ? identifierOf(owner) : '', ...rectOf(box), flags, 0,
    useOwner && tag !== 'p' && tag !== 'span' && tag !== 'div' ? { tag } : null], null);
}
