import { existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';

/** With less than this, a story may fail for want of room: each has a checkout of its own. */
export const LITTLE_SPACE = 1e9;
/** With less than this, no story should begin. */
export const TOO_LITTLE_SPACE = 100e6;

export interface FreeSpace {
  bytes: number;
  /** The free space in words, for people. */
  told: string;
}

/** Says how much may still be written on the disk of a folder, which need not exist yet. */
export function measureFreeSpace(folder: string): FreeSpace {
  let there = folder;
  while (!existsSync(there) && dirname(there) !== there) there = dirname(there);
  const { bavail, bsize } = statfsSync(there);
  const bytes = bavail * bsize;
  const isLittle = bytes < LITTLE_SPACE;
  return {
    bytes,
    told: isLittle ? `${Math.round(bytes / 1e6)} MB` : `${Math.round(bytes / 1e9)} GB`,
  };
}
