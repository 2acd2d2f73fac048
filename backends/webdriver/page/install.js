// Puts the agent on `window`, once per document and version.

const AGENT_KEY = Symbol.for('agent-device');

const CALLS = {
  capture, aim, arm, verdict, describe, focusForFill, setValue, clear, readValue, matchesValue, activeElement, scroll, scrollTargets, digest, mutations, ready,
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

function installAgent() {
  const present = window[AGENT_KEY];
  if (present && present.version === VERSION) return;
  observeDocument(document);
  const agent = Object.freeze({ version: VERSION, call, element: liveElement, idOf });
  Object.defineProperty(window, AGENT_KEY, { value: agent, enumerable: false, configurable: true, writable: false });
}

installAgent();
