// Text that no listed node is named by: neighbouring pieces of one block become one leaf.

/** By its first piece: the texts that a leaf of several consists of, null for a line break. */
const piecesOf = new NativeWeakMap();

function visitText(walk, node, context) {
  if (walk.interactiveOnly || context.muted || context.ariaHidden) return;
  const own = textData(node);
  const data = pieceText(node, own);
  const run = walk.run;
  if (run && run.context.parent === context.parent) {
    run.text += data;
    run.pieces[run.pieces.length] = node;
    if (nonBlank(data)) run.last = node;
  } else if (nonBlank(data)) {
    if (run) flushRun(walk, null);
    walk.run = { text: data, first: node, last: node, pieces: [node], context };
  }
}

function pieceText(node, own) {
  return nonBlank(own) ? shownText(own, isElement(parentNode(node)) ? parentNode(node) : null) : own;
}

/** What a text leaf says now, all of its pieces: those of the last capture that are still there. */
function runText(first) {
  let text = '';
  for (const piece of piecesOf.get(first) || [first]) {
    if (piece === null) text += ' ';
    else if (isAlive(piece)) text += pieceText(piece, textData(piece));
  }
  return clean(text);
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
  if (!useOwner) piecesOf.set(run.first, run.pieces);
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
