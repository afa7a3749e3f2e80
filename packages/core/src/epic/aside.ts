/** Does work beside the scheduler's own, one piece after the other. Only the newest piece of each kind waits. */
export class Aside {
  readonly #waiting = new Map<string, () => Promise<void>>();
  #running: Promise<void> | undefined;

  /** An error of the work is dropped: the next piece of the same kind tries again. */
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
