// Puts the agent on `window`, once per document and version.

const AGENT_KEY = Symbol.for('agent-device');

const CALLS = {
  capture, aim, arm, verdict, describe, focusForFill, setValue, clear, readValue, matchesValue, activeElement, fileField, clearFiles, scroll,
  scrollTargets, digest, mutations, ready, standDown, network, networkEnd,
};

/** A failure that the caller can tell apart by `kind`. */
function failure(kind, message) {
  return { agentFailure: kind, message };
}

/** Caches live for one call: between two calls the page may do anything. */
function resetCaches() {
  resetRoles();
  resetStyles();
  resetGeometry();
}

function call(name, args) {
  try {
    if (!hasOwn(CALLS, name)) throw failure('unknown_call', 'no call named ' + name);
    const options = args === null || args === undefined ? {} : args;
    if (typeof options !== 'object') throw failure('bad_argument', 'the arguments must be an object');
    resetCaches();
    return encode({ ok: CALLS[name](options) });
  } catch (error) {
    const known = error && error.agentFailure;
    const message = error && error.message ? String(error.message) : String(error);
    return encode({ error: { kind: known || 'script', message, stack: known ? undefined : String((error && error.stack) || '').slice(0, 600) } });
  }
}

const FRAME_LIMIT_MS = 250;

/**
 * Calls `done` with the milliseconds waited, once `count` frames were produced, so that what the browser process knows of the page (which frame a
 * press goes to) has caught up with a scroll. A window that draws nothing is waited for at most `FRAME_LIMIT_MS`.
 */
function afterFrames(count, done) {
  const startedAt = now();
  let left = count;
  let over = false;
  const finish = () => {
    if (over) return;
    over = true;
    cancelLater(limit);
    done(tenth(now() - startedAt));
  };
  const limit = later(finish, FRAME_LIMIT_MS);
  const step = () => {
    left -= 1;
    if (left < 0) finish();
    else nextFrame(step);
  };
  step();
}

function installAgent() {
  const present = window[AGENT_KEY];
  if (present && present.version === VERSION) return;
  observeDocument(document);
  const agent = Object.freeze({ version: VERSION, doc: DOC_TOKEN, call, element: liveElement, idOf, afterFrames });
  Object.defineProperty(window, AGENT_KEY, { value: agent, enumerable: false, configurable: true, writable: false });
}

installAgent();
