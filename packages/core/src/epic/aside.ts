/** Work beside the scheduler's own, one piece after the other. What is added twice while it waits is done once. */
export class Aside {
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;

  /** The work must not fail for good: an error is dropped. */
  add(work: () => Promise<void>): void {
    // What waits already sees the newest state when it begins, or the next round does.
    if (this.#waiting >= MOST) return;
    this.#waiting += 1;
    this.#last = this.#last
      .then(() => {
        this.#waiting -= 1;
        return work();
      })
      .catch(() => {});
  }

  async settled(): Promise<void> {
    await this.#last;
  }
}

/** One of each kind. */
const MOST = 2;
