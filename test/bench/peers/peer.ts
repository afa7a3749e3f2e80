import type { Item } from './items.ts';

/** Another tracker, run as its own documentation says, on items written in its own format. */
export interface Peer {
  name: string;
  /** How it is started: the program and its first arguments. */
  start: readonly string[];
  ready: readonly string[];
  list: readonly string[];
  /** Writes the items below a folder that has nothing else in it. */
  write(folder: string, items: readonly Item[]): void;
  /** Prints every item, for `count`. */
  countAll: readonly string[];
  countReady: readonly string[];
  count(output: string): number;
}

/** When all items were made; no peer orders by it. */
export const MADE_AT = new Date('2026-01-01T12:00:00Z').toISOString();
