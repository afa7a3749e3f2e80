import type { ChangeEvent } from '@saga-ai/types/screens/live';

export interface NumberedChange {
  id: number;
  change: ChangeEvent;
}

const REMEMBERED = 1000;

/**
 * Keeps the latest changes by number, and their listeners. Numbers start with the start time, so that
 * a number of an earlier process is never mistaken for one of this process.
 */
export class ChangeStream {
  readonly #changes: NumberedChange[] = [];
  readonly #listeners = new Set<(change: NumberedChange) => void>();
  readonly #remembered: number;
  readonly #onFault: (error: unknown) => void;
  #last: number;

  /** If a listener throws, `onFault` gets the error, and the other listeners are still called. */
  constructor(
    start: number,
    onFault: (error: unknown) => void,
    { remembered = REMEMBERED }: { remembered?: number } = {},
  ) {
    this.#last = start;
    this.#onFault = onFault;
    this.#remembered = remembered;
  }

  get last(): number {
    return this.#last;
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  publish(change: ChangeEvent): void {
    const numbered = { id: ++this.#last, change };
    this.#changes.push(numbered);
    if (this.#changes.length > this.#remembered) this.#changes.shift();
    for (const listener of this.#listeners) {
      try {
        listener(numbered);
      } catch (error) {
        this.#onFault(error);
      }
    }
  }

  /** Returns the changes after a number, or undefined if the number is unknown or too old. */
  since(id: number): readonly NumberedChange[] | undefined {
    if (id === this.#last) return [];
    const first = this.#changes[0]?.id;
    if (first === undefined || id < first - 1 || id > this.#last) return undefined;
    return this.#changes.slice(id + 1 - first);
  }

  /** Returns a function that removes the listener. */
  listen(listener: (change: NumberedChange) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
