/** So many at a time; the others wait in order. */

/** Turns to be taken. */
export class Turns {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  /** Waits for a turn; gives what ends it, or nothing where the signal came first. */
  take(signal: AbortSignal | undefined): Promise<(() => void) | undefined> {
    const end = () => this.#end();
    if (this.#free > 0) {
      this.#free--;
      return Promise.resolve(end);
    }
    return new Promise((resolve) => {
      const aborted = () => {
        this.#waiting.splice(this.#waiting.indexOf(turn), 1);
        resolve(undefined);
      };
      const turn = () => {
        signal?.removeEventListener("abort", aborted);
        resolve(end);
      };
      if (signal?.aborted) return resolve(undefined);
      signal?.addEventListener("abort", aborted, { once: true });
      this.#waiting.push(turn);
    });
  }

  #end(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }
}
