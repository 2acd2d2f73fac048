/** One connection to the daemon: JSON-RPC 2.0, one object a line. Says of what it wrote whether it was written whole. */

import { createConnection, type Socket } from "node:net";

import { isObject } from "./errors.js";

/** A reply line longer than this is no reply, bytes. */
const LINE_LIMIT = 64 << 20;

/** A reply line. */
export interface Reply {
  id: unknown;
  result?: unknown;
  error?: unknown;
  of?: string;
}

/** A line that was not written whole: what reads lines cannot have taken it for one. */
export class NotWritten extends Error {}

/** No reply, whatever became of the request. */
export class NoReply extends Error {
  /** The system's word for it, such as `ECONNRESET`; `EOF` where the other side closed. */
  readonly word: string | undefined;

  constructor(message: string, word?: string) {
    super(message);
    this.word = word;
  }
}

/** A connection. Everything it waits for has a limit. */
export class Connection {
  readonly #socket: Socket;
  #chunks: Buffer[] = [];
  #size = 0;
  #ended: NoReply | undefined;
  #wake: (() => void) | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (chunk: Buffer) => {
      this.#chunks.push(chunk);
      this.#size += chunk.length;
      if (this.#size > LINE_LIMIT) this.#end(new NoReply("a reply that does not end"));
      this.#wake?.();
    });
    socket.on("end", () => this.#end(new NoReply("the connection was closed", "EOF")));
    socket.on("error", (why: NodeJS.ErrnoException) => this.#end(new NoReply(why.message, why.code)));
    socket.on("close", () => this.#end(new NoReply("the connection was closed", "EOF")));
  }

  /** Connects; rejects with what the system says. */
  static open(path: string, limitMs: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      // Half open: the end of what is asked is not the end of what is answered.
      const socket = createConnection({ path, allowHalfOpen: true });
      const timer = setTimeout(() => {
        socket.destroy();
        reject(Object.assign(new Error(`no connection within ${limitMs} ms`), { code: "ETIMEDOUT" }));
      }, limitMs);
      const failed = (why: Error) => {
        clearTimeout(timer);
        reject(why);
      };
      socket.once("error", failed);
      socket.once("connect", () => {
        clearTimeout(timer);
        socket.off("error", failed);
        resolve(new Connection(socket));
      });
    });
  }

  /**
   * Writes one line; its end only when the system has taken all that stands before it. So whatever breaks earlier, for whatever
   * reason, the line has no end and cannot have been taken for one.
   *
   * Rejects with `NotWritten` then, and where the system refuses the end itself; with `NoReply` where nobody can say whether the
   * end was taken.
   */
  async write(id: number, method: string, params: unknown, limitMs: number): Promise<void> {
    const end = performance.now() + limitMs;
    try {
      await this.#hand(JSON.stringify({ jsonrpc: "2.0", id, method, params }), limitMs);
    } catch (why) {
      throw new NotWritten((why as Error).message);
    }
    try {
      await this.#hand("\n", Math.max(1, end - performance.now()));
    } catch (why) {
      const { syscall, message, code } = why as NodeJS.ErrnoException;
      // The reading side's errors end the writing as well, and say nothing of how far that was.
      throw syscall === "write" ? new NotWritten(message) : new NoReply(message, code);
    }
  }

  /** Hands bytes to the system; rejects with its word, or its silence. */
  #hand(text: string, limitMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(Object.assign(new Error(`it was not taken within ${Math.round(limitMs)} ms`), { code: "ETIMEDOUT" }));
        this.#socket.destroy();
      }, limitMs);
      this.#socket.write(text, (why) => {
        clearTimeout(timer);
        // A stream that is destroyed calls back without an error, however far it was.
        if (why ?? this.#socket.destroyed) reject(why ?? this.#ended ?? new NoReply("the connection was closed"));
        else resolve();
      });
    });
  }

  /** Says that nothing more will be asked: what runs on this connection is cancelled, and still answered. */
  shut(): void {
    this.#socket.end();
  }

  /**
   * The reply to a request. A reply without an id is about a line that could not be read, and there is only one that it can
   * be about; a reply to another request is passed over.
   */
  async reply(id: number, limitMs: number): Promise<Reply> {
    const end = performance.now() + limitMs;
    for (;;) {
      const line = await this.#line(end);
      let read: unknown;
      try {
        read = JSON.parse(line);
      } catch {
        throw new NoReply(`a reply that is no JSON: ${line.slice(0, 80)}`);
      }
      if (!isObject(read)) throw new NoReply("a reply that is no object");
      const about = read["id"] ?? null;
      if (about === null || about === id) return read as unknown as Reply;
    }
  }

  close(): void {
    this.#socket.destroy();
  }

  async #line(end: number): Promise<string> {
    let searched = 0;
    for (;;) {
      for (let at = searched; at < this.#chunks.length; at++) {
        const found = (this.#chunks[at] as Buffer).indexOf(10);
        if (found >= 0) return this.#take(at, found);
      }
      searched = this.#chunks.length;
      // What stands there without an end is no line: it was cut.
      if (this.#ended) throw this.#ended;
      const left = end - performance.now();
      if (left <= 0) throw new NoReply("no reply in time", "ETIMEDOUT");
      await this.#change(left);
    }
  }

  /** Takes the bytes up to a line's end off what was read. */
  #take(at: number, found: number): string {
    const last = this.#chunks[at] as Buffer;
    const line = Buffer.concat([...this.#chunks.slice(0, at), last.subarray(0, found)]);
    const rest = last.subarray(found + 1);
    this.#chunks = rest.length > 0 ? [rest, ...this.#chunks.slice(at + 1)] : this.#chunks.slice(at + 1);
    this.#size -= line.length + 1;
    return line.toString("utf8");
  }

  #change(limitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(done, Math.min(limitMs, 2 ** 31 - 1));
      const self = this;
      function done() {
        clearTimeout(timer);
        self.#wake = undefined;
        resolve();
      }
      this.#wake = done;
    });
  }

  #end(why: NoReply): void {
    this.#ended ??= why;
    this.#wake?.();
  }
}
