// What did the page ask of the network?
//
// Resource Timing, which every browser has without an option of its driver. A browser lists a request when it has ended, keeps
// the first 250 of a document, and lets the page empty the list: so from the first question on a listener of our own keeps what
// comes, in every window that can be reached. It is a listener that pages cannot see, and it ends with `networkEnd`.

/** The prototype behind a name; one without anything where the browser, or the page, has taken it away. */
function prototypeOf(name) {
  const made = window[name];
  return (typeof made === 'function' && made.prototype) || {};
}

const ownPerformance = window.performance;
const timingEntries = method(prototypeOf('Performance'), 'getEntriesByType');
const timingNow = method(prototypeOf('Performance'), 'now');
const NativePerformanceObserver = window.PerformanceObserver;
const observedEntries = method(prototypeOf('PerformanceObserverEntryList'), 'getEntries');
const takeObserved = method(prototypeOf('PerformanceObserver'), 'takeRecords');
const stopObserving = method(prototypeOf('PerformanceObserver'), 'disconnect');
const entryName = getter(prototypeOf('PerformanceEntry'), 'name');
const entryStart = getter(prototypeOf('PerformanceEntry'), 'startTime');
const entryDuration = getter(prototypeOf('PerformanceEntry'), 'duration');
const resourceKind = getter(prototypeOf('PerformanceResourceTiming'), 'initiatorType');
const resourceStatus = getter(prototypeOf('PerformanceResourceTiming'), 'responseStatus');
const resourceAnswered = getter(prototypeOf('PerformanceResourceTiming'), 'responseStart');
// Firefox puts a time into the one above also where no answer began.
const resourceHeaders = getter(prototypeOf('PerformanceResourceTiming'), 'finalResponseHeadersStart');
const resourceEnd = getter(prototypeOf('PerformanceResourceTiming'), 'responseEnd');
const resourceSent = getter(prototypeOf('PerformanceResourceTiming'), 'transferSize');
const resourceDecoded = getter(prototypeOf('PerformanceResourceTiming'), 'decodedBodySize');
const NativeURL = window.URL;

/** A window's clock and list: our own as it was when the agent came. */
function timingOf(view) {
  return view === window ? ownPerformance : view.performance;
}

/** As many requests of a document a browser keeps by itself. */
const BROWSER_KEEPS = 250;
/** As many wait here at most until they are asked for. */
const MAX_WAITING = 2000;
/** Longer addresses are cut, and say so. */
const MAX_ADDRESS = 8000;
const UNKNOWN = -1;

const timingListeners = new NativeMap();

/** What is kept of a window, from now on. */
function listenerOf(view) {
  const clock = timingOf(view);
  let kept = timingListeners.get(clock);
  if (kept) return kept;
  kept = { waiting: [], lost: 0, full: false, document: false, observer: null, view };
  const already = timingEntries(clock, 'resource');
  kept.full = already.length >= BROWSER_KEEPS;
  keepEntries(kept, already);
  // A listener hears of its own window only.
  const Observer = view === window ? NativePerformanceObserver : view.PerformanceObserver;
  if (typeof Observer === 'function') {
    const observer = new Observer((list) => keepEntries(kept, observedEntries(list)));
    observer.observe({ type: 'resource' });
    kept.observer = observer;
  }
  timingListeners.set(clock, kept);
  return kept;
}

function keepEntries(kept, entries) {
  for (let i = 0; i < entries.length; i += 1) {
    if (kept.waiting.length < MAX_WAITING) kept.waiting[kept.waiting.length] = entries[i];
    else kept.lost += 1;
  }
}

/** The origin of an address; "" for what has none. */
function originOf(address) {
  try {
    const { origin, protocol } = new NativeURL(address);
    return protocol === 'http:' || protocol === 'https:' ? origin : '';
  } catch (unreadable) {
    return '';
  }
}

/** 1: it failed, 0: it did not, -1: nobody can know. */
function hasFailed(kind, status, address, view, answered) {
  if (status > 0) return status >= 400 ? 1 : 0;
  // Without a status: an answer that is none of this page's business, or no answer at all. A script's request to the page's own
  // origin would have been shown.
  const asked = kind === 'fetch' || kind === 'xmlhttprequest';
  const own = originOf(address);
  return asked && status === 0 && answered === 0 && own !== '' && own === originOf(view.location.href) ? 1 : UNKNOWN;
}

/** `[address, kind, status, failed, ms since it began, ms it took, bytes, whether the address was cut]` */
function requestOf(entry, kind, view, at) {
  const address = entryName(entry);
  const told = resourceStatus(entry);
  const started = entryStart(entry);
  const answered = resourceHeaders(entry) === 0 ? 0 : resourceAnswered(entry) || 0;
  const sent = resourceSent(entry);
  // 0 bytes: from a cache, where the content is shown to us; else it is only not shown.
  const bytes = typeof sent !== 'number' || (sent === 0 && !(resourceDecoded(entry) > 0)) ? UNKNOWN : sent;
  // A document is still being worked on long after it has come.
  const took = kind === 'navigation' ? resourceEnd(entry) - started : entryDuration(entry);
  return [address.slice(0, MAX_ADDRESS), kind, told > 0 ? told : UNKNOWN, hasFailed(kind, told, address, view, answered),
    tenth(max(0, at - started)), tenth(max(0, took)), bytes, address.length > MAX_ADDRESS];
}

/** The request for a window's own document, once, when it has come. */
function documentRequest(kept, view, at) {
  if (kept.document) return null;
  const entry = timingEntries(timingOf(view), 'navigation')[0];
  if (!entry || !(resourceEnd(entry) > 0)) return null;
  kept.document = true;
  return /^https?:|^file:/.test(entryName(entry)) ? requestOf(entry, 'navigation', view, at) : null;
}

/**
 * What was answered since the last call, at most `sinceMs` ago: `{ requests, more, full, lost, unread }`. Of more than `most` requests those that failed
 * are listed first; `more` counts the rest. `full`: requests before the first call may be missing; `lost`: so many were not kept;
 * `unread`: so many windows could not be asked.
 */
function network({ sinceMs, most = 200 }) {
  const found = [];
  let lost = 0;
  let full = false;
  let unread = 0;
  const told = (kept, view) => {
    if (kept.observer) keepEntries(kept, takeObserved(kept.observer));
    const at = timingNow(timingOf(view));
    const own = documentRequest(kept, view, at);
    if (own) found[found.length] = own;
    for (let i = 0; i < kept.waiting.length; i += 1) {
      found[found.length] = requestOf(kept.waiting[i], resourceKind(kept.waiting[i]) || 'other', view, at);
    }
    lost += kept.lost;
    kept.waiting = [];
    kept.lost = 0;
  };
  const there = new NativeSet();
  for (const doc of reachableDocuments()) {
    const view = defaultView(doc);
    if (!view) continue;
    try {
      const met = !timingListeners.has(timingOf(view));
      const kept = listenerOf(view);
      there.add(timingOf(view));
      full = full || (met && kept.full);
      told(kept, view);
    } catch (refused) {
      // A frame may go away while it is asked, and a page may have put something else in the place of its own list.
      unread += 1;
    }
  }
  for (const [clock, kept] of timingListeners) {
    if (there.has(clock)) continue;
    // Its frame has gone. What it had asked for counts all the same.
    try {
      told(kept, kept.view);
    } catch (gone) {
      // Nothing of it can be read any more.
    }
    forget(clock, kept);
  }
  const documents = new NativeSet();
  for (const request of found) if (request[1] === 'navigation') documents.add(request[0]);
  const recent = found.filter((request) => request[4] - request[5] <= sinceMs)
    // A frame's document is told by the frame itself, which knows more of it.
    .filter((request) => request[1] !== 'iframe' && request[1] !== 'frame' || !documents.has(request[0]));
  const listed = recent.length <= most ? recent : [...recent.filter((one) => one[3] === 1), ...recent.filter((one) => one[3] !== 1)].slice(0, most);
  return { requests: listed, more: recent.length - listed.length, full, lost, unread };
}

function forget(clock, kept) {
  if (kept.observer) stopObserving(kept.observer);
  timingListeners.delete(clock);
}

/** Nobody asks any more. */
function networkEnd() {
  for (const [clock, kept] of timingListeners) forget(clock, kept);
  return {};
}
