import { setImmediate as nextTurn } from 'node:timers/promises';

const TURN_MS = 8;

/** Cuts long work into short turns, so that requests are answered in between. */
export class Turns {
  #start = performance.now();

  async next(): Promise<void> {
    if (performance.now() - this.#start < TURN_MS) return;
    await nextTurn();
    this.#start = performance.now();
  }
}
