/** Does work beside the scheduler's own. */
export class Aside {
  readonly #onFailure: () => void;
  /** The first error of what was begun. */
  failure: { error: unknown } | undefined;
  readonly #waiting = new Map<string, () => Promise<void>>();
  #running: Promise<void> | undefined;

  /** `onFailure` is called when work that was begun has failed. */
  constructor(onFailure: () => void = () => {}) {
    this.#onFailure = onFailure;
  }

  /**
   * Begins work that must not fail unnoticed. A promise that nobody waits for would end the process without a word, so
   * its error is kept in `failure`.
   */
  begin(work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      this.failure ??= { error };
      this.#onFailure();
    });
  }

  /**
   * Does pieces of work one after the other. Only the newest of each kind waits. An error is dropped: the next piece of
   * the same kind tries again.
   */
  set(kind: string, work: () => Promise<void>): void {
    this.#waiting.set(kind, work);
    this.#running ??= this.#runAll();
  }

  /** Waits until everything that was set is done. */
  async settled(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async #runAll(): Promise<void> {
    // The caller's own work comes first.
    await Promise.resolve();
    for (;;) {
      const [next] = this.#waiting;
      if (!next) break;
      const [kind, work] = next;
      this.#waiting.delete(kind);
      await work().catch(() => {});
    }
    this.#running = undefined;
  }
}
