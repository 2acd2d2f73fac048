/** A chromedriver on a port of the system's choice, ended with its browsers. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

export class Chromedriver implements AsyncDisposable {
  readonly port: number;
  readonly #process: ChildProcess;

  private constructor(port: number, process: ChildProcess) {
    this.port = port;
    this.#process = process;
  }

  static async start(): Promise<Chromedriver> {
    const process = spawn("chromedriver", ["--port=0"], { stdio: ["ignore", "pipe", "ignore"] });
    const port = await new Promise<number>((resolve, reject) => {
      let said = "";
      process.stdout?.setEncoding("utf8").on("data", (text: string) => {
        said += text;
        const found = /successfully on port (\d+)/.exec(said);
        if (found) resolve(Number(found[1]));
      });
      process.on("error", reject);
      process.on("exit", () => reject(new Error(`chromedriver ended: ${said}`)));
    });
    return new Chromedriver(port, process);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const gone = once(this.#process, "exit");
    this.#process.kill();
    await gone;
  }
}
