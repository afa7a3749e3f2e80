import { statSync } from 'node:fs';

const STAT = { throwIfNoEntry: false } as const;

/** Returns undefined if there is nothing, or we may not look at it. */
export function timeOf(path: string): number | undefined {
  try {
    return statSync(path, STAT)?.ctimeMs;
  } catch {
    // Not ours to look at: the scan says so, and nothing is remembered of it.
    return undefined;
  }
}

/** Returns when a file was last written; undefined if it is missing, no file, or we may not look at it. */
export function findLastWrite(file: string): number | undefined {
  try {
    const found = statSync(file, STAT);
    return found?.isFile() ? found.mtimeMs : undefined;
  } catch {
    // The file may not be read.
    return undefined;
  }
}

/**
 * Two changes within one tick of the file system's clock carry the same time, so what changed just
 * now is not remembered. Most file systems tick in milliseconds, some only in seconds.
 */
export function tickOf(time: number): number {
  return time % 1000 === 0 ? 2500 : 50;
}
