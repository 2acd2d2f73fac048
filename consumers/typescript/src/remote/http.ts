/** One HTTP request over a connection of its own. Says of what it wrote whether it was written whole, as the socket's side does. */

import { request as httpRequest, type ClientRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { pipeline } from "node:stream/promises";
import type { Readable } from "node:stream";

import { NoReply, NotWritten } from "../connection.js";

/** A reply of JSON is no longer than this, bytes. */
const BODY_LIMIT = 64 << 20;

/** Where requests go. */
export interface Endpoint {
  /** With a path in front, if the gateway wants one. */
  url: URL;
  token: string;
}

/** What is asked. */
export interface Asked {
  method: string;
  path: string;
  headers: Record<string, string>;
  limitMs: number;
}

/** A reply whose body is still to be read. */
export interface Answered {
  status: number;
  headers: IncomingMessage["headers"];
  body: IncomingMessage;
}

/**
 * Sends a request with a whole body; its last byte only when the system has taken all that stands before it. So whatever breaks
 * earlier, the body is not whole, and is never taken for a request.
 *
 * Rejects with `NotWritten` then, with `NoReply` where it was, or may have been, and no reply began.
 */
export function send(endpoint: Endpoint, asked: Asked, body: Buffer | undefined): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const request = begin(endpoint, asked, body?.length ?? 0);
    let whole = false;
    let broken: Error | undefined;
    const fail = (why: Error & { code?: string }) => {
      broken ??= why;
      clearTimeout(timer);
      reject(whole ? new NoReply(why.message, why.code) : new NotWritten(why.message));
    };
    const timer = setTimeout(() => {
      fail(new Error(`no reply within ${Math.round(asked.limitMs)} ms`));
      request.destroy();
    }, Math.min(asked.limitMs, 2 ** 31 - 1));
    request.on("error", fail);
    request.on("close", () => fail(new Error("the connection was closed")));
    request.on("response", (reply) => {
      clearTimeout(timer);
      resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body: reply });
    });
    const last = () => {
      if (broken ?? request.socket?.destroyed) return fail(broken ?? new Error("the connection was closed"));
      whole = true;
      if (body) request.end(body.subarray(-1));
      else request.end();
    };
    if (body && body.length > 1) request.write(body.subarray(0, -1), (why) => (why ? fail(why) : last()));
    else last();
  });
}

/** Sends a stream; everything that goes wrong is the same to whoever may send it again. */
export async function put(endpoint: Endpoint, asked: Asked, bytes: number, content: Readable): Promise<Answered> {
  const request = begin(endpoint, asked, bytes);
  const timer = setTimeout(() => request.destroy(new Error(`not taken within ${asked.limitMs} ms`)), asked.limitMs);
  try {
    const answered = new Promise<Answered>((resolve, reject) => {
      request.on("response", (reply) => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body: reply }));
      request.on("error", reject);
      request.on("close", () => reject(new Error("the connection was closed")));
    });
    // A server that refuses answers before it has everything.
    const [reply] = await Promise.all([answered, pipeline(content, request).catch((why: unknown) => answered.catch(() => Promise.reject(why)))]);
    return reply;
  } finally {
    clearTimeout(timer);
  }
}

/** The body of a reply as JSON; `NoReply` where it is cut off, too long or none. */
export async function json(reply: Answered, limitMs: number): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  const timer = setTimeout(() => reply.body.destroy(new Error("the reply stands still")), Math.min(limitMs, 2 ** 31 - 1));
  try {
    for await (const chunk of reply.body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > BODY_LIMIT) throw new Error("a reply that does not end");
      chunks.push(chunk);
    }
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch (why) {
    throw new NoReply(`no sound reply: ${(why as Error).message}`);
  } finally {
    clearTimeout(timer);
    reply.body.destroy();
  }
}

function begin(endpoint: Endpoint, asked: Asked, bytes: number): ClientRequest {
  const { url, token } = endpoint;
  const request = url.protocol === "https:" ? httpsRequest : httpRequest;
  return request({
    protocol: url.protocol,
    hostname: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port || undefined,
    method: asked.method,
    path: url.pathname.replace(/\/+$/, "") + asked.path,
    // No connection is used twice: of one that is closed meanwhile nobody could say what it took.
    agent: false,
    headers: {
      ...asked.headers,
      Authorization: `Bearer ${token}`,
      ...(bytes > 0 || asked.method === "PUT" || asked.method === "POST" ? { "Content-Length": String(bytes) } : {}),
    },
  });
}
