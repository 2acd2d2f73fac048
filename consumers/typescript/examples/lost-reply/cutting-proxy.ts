/** Stands between a client and a WebDriver server. The server gets every request; the reply to the next click can be lost on its way back. */

import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export class CuttingProxy implements AsyncDisposable {
  /** How many replies to clicks will be lost. */
  cuts = 0;
  readonly #server: Server;
  readonly #upstream: number;

  private constructor(server: Server, upstream: number) {
    this.#server = server;
    this.#upstream = upstream;
    server.on("request", (asked, answer) => this.#pass(asked, answer));
  }

  static async before(upstream: number): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(createServer(), upstream);
    await new Promise<void>((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  #pass(asked: IncomingMessage, answer: ServerResponse): void {
    // What clicks: an element's own route, or pointer actions.
    const clicks = asked.method === "POST" && /\/(click|actions)$/.test(asked.url ?? "");
    const up = request({ port: this.#upstream, host: "127.0.0.1", method: asked.method, path: asked.url, headers: asked.headers }, (reply) => {
      if (clicks && this.cuts > 0) {
        this.cuts--;
        // The server has done it, and has said so. Nobody hears it.
        reply.resume().on("end", () => answer.destroy());
        return;
      }
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(answer);
    });
    up.on("error", () => answer.destroy());
    asked.pipe(up);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
