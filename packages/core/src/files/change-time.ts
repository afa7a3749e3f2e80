import { statSync } from 'node:fs';

const STAT = { throwIfNoEntry: false } as const;

/** Returns undefined if the path does not exist or this process may not look at it. */
export function timeOf(path: string): number | undefined {
  try {
    return statSync(path, STAT)?.ctimeMs;
  } catch {
    // This process may not look at the path. The scan reports that, and the index does not remember the path.
    return undefined;
  }
}

/** Returns when a file was last written; undefined if it is missing, is no file, or this process may not look at it. */
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
 * Returns for how many milliseconds after a change another change may have the same time: two changes within one tick
 * of the file system's clock do. A file that changed so recently is not remembered. Most file systems tick in
 * milliseconds, some only in seconds.
 */
export function tickOf(time: number): number {
  return time % 1000 === 0 ? 2500 : 50;
}
