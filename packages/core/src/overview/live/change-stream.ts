import type { ChangeEvent } from '@saga-ai/types/screens/live';

export interface NumberedChange {
  id: number;
  change: ChangeEvent;
}

const REMEMBERED = 1000;

/**
 * The latest changes by number, and whoever listens. Numbers begin with the time of the start, so
 * that a number of an earlier process is never taken for one of this.
 */
export class ChangeStream {
  readonly #changes: NumberedChange[] = [];
  readonly #listeners = new Set<(change: NumberedChange) => void>();
  readonly #remembered: number;
  readonly #onFault: (error: unknown) => void;
  #last: number;

  /** A listener that throws is handed to `onFault`; the others are told all the same. */
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

  /** Returns what came after a number, or undefined if that is not known any more, or never was. */
  since(id: number): readonly NumberedChange[] | undefined {
    if (id === this.#last) return [];
    const first = this.#changes[0]?.id;
    if (first === undefined || id < first - 1 || id > this.#last) return undefined;
    return this.#changes.slice(id + 1 - first);
  }

  /** Returns a function that ends it. */
  listen(listener: (change: NumberedChange) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
