/** How long to wait for further changes before all of them are handled together. */
const TOGETHER_MS = 50;

/** What wakes a scheduler. News that comes while nobody waits is kept for the next wait. */
export class News {
  /** How many workers and merges have ended. */
  ends = 0;
  #isThere = false;
  #wake: (() => void) | undefined;

  tell(): void {
    this.#isThere = true;
    this.#wake?.();
  }

  /** Tells that a worker or a merge has ended. */
  tellEnd(): void {
    this.ends++;
    this.tell();
  }

  /** Waits for news, but not longer than this. */
  async wait(longestMs: number): Promise<void> {
    if (!this.#isThere) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, longestMs);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#wake = undefined;
      await new Promise((resolve) => setTimeout(resolve, TOGETHER_MS));
    }
    this.#isThere = false;
  }
}
