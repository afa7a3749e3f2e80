import { setImmediate as nextTurn } from 'node:timers/promises';

const SLICE_MS = 8;

/** Cuts long work into short slices, so that requests are answered in between. */
export class WorkSlices {
  #start = performance.now();

  async next(): Promise<void> {
    if (performance.now() - this.#start < SLICE_MS) return;
    await nextTurn();
    this.#start = performance.now();
  }
}
