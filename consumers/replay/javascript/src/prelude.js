// What scripts find beside the language. Runs once, before any script, and keeps the functions that it needs: a script
// that changes JSON or String changes them for itself only.
(function (send, log) {
  'use strict';
  const { parse, stringify } = JSON;
  const { defineProperty, entries, freeze, fromEntries } = Object;
  const { deleteProperty } = Reflect;
  const text = String;
  const wellFormed = Function.prototype.call.bind(text.prototype.toWellFormed);
  const failure = (name, message) => defineProperty(new Error(message), 'name', { value: name, configurable: true });
  const define = (name, value) =>
    defineProperty(globalThis, name, { value, writable: true, enumerable: true, configurable: true });

  // JSON has no BigInt, and no half of a surrogate pair.
  const portable = (_, value) =>
    typeof value === 'bigint' ? text(value) : typeof value === 'string' ? wellFormed(value) : value;
  const shown = (value) => (typeof value === 'string' ? value : stringify(value, portable) ?? text(value));

  // A form of texts. Its parts are parted by a line that stands in none of them.
  const form = (fields) => {
    const values = entries(fields).map(([name, value]) => {
      if (value !== null && typeof value === 'object') {
        throw failure('Forbidden', `http: the field ${name} of multipartForm is a file, and scripts may not read files`);
      }
      return [name.replace(/["\r\n]/g, (letter) => ({ '"': '%22', '\r': '%0D', '\n': '%0A' })[letter]), text(value)];
    });
    let mark = 'agent-device-form';
    while (values.some(([, value]) => value.includes(mark))) {
      mark += '-';
    }
    const parts = values.map(
      ([name, value]) => `--${mark}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    return { type: `multipart/form-data; boundary=${mark}`, body: `${parts.join('')}--${mark}--\r\n` };
  };

  const request = (url, options, method) => {
    const { headers, body: given, multipartForm } = options ?? {};
    if (multipartForm !== undefined && given !== undefined) {
      throw new TypeError('http: give a body or a multipartForm, not both');
    }
    const multipart = multipartForm === undefined ? undefined : form(multipartForm);
    const body = multipart?.body ?? given;
    if (body !== undefined && body !== null && typeof body !== 'string') {
      throw new TypeError('http: the body must be a text; give JSON.stringify(...) of it');
    }
    const asked = {
      method: text(method).toUpperCase(),
      url: text(url),
      headers: entries(headers ?? {}).map(([name, value]) => [name, text(value)]),
      body: body ?? null,
    };
    if (multipart !== undefined) {
      asked.headers.push(['Content-Type', multipart.type]);
    }
    const reply = parse(send(stringify(asked, portable)));
    if (reply.failed !== undefined) {
      throw failure(reply.name, 'http: ' + reply.failed);
    }
    const found = {};
    for (const [name, value] of reply.headers) {
      found[name] = found[name] === undefined ? value : found[name] + ', ' + value;
    }
    return { ok: reply.status >= 200 && reply.status < 300, status: reply.status, body: reply.body, headers: found };
  };

  define('output', {});
  define('json', (value) => {
    try {
      return parse(value);
    } catch (why) {
      throw new SyntaxError('json: this is not JSON: ' + why.message);
    }
  });
  define('http', freeze({
    get: (url, options) => request(url, options, 'GET'),
    post: (url, options) => request(url, options, 'POST'),
    put: (url, options) => request(url, options, 'PUT'),
    delete: (url, options) => request(url, options, 'DELETE'),
    request: (url, options) => request(url, options, options?.method ?? 'GET'),
  }));
  const say = (...values) => log(wellFormed(values.map(shown).join(' ')));
  define('console', freeze(fromEntries(['log', 'info', 'warn', 'error', 'debug'].map((name) => [name, say]))));

  // For the host.
  return {
    json: (value) => stringify(value, portable) ?? 'null',
    text: (value) => stringify(wellFormed(text(value))),
    set: (name, value) => define(name, parse(value)),
    get: (name) => globalThis[name],
    remove: (name) => {
      if (!deleteProperty(globalThis, name)) {
        throw new TypeError(name + ' belongs to the language');
      }
    },
    describe: (thrown) => {
      const field = (name) => (typeof thrown[name] === 'string' ? thrown[name] : '');
      if (thrown instanceof Error) {
        return stringify({ name: field('name'), message: field('message'), stack: field('stack') }, portable);
      }
      return stringify({ name: '', message: shown(thrown), stack: '' }, portable);
    },
  };
})
