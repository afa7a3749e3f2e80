import { type Stats, statSync } from 'node:fs';

/**
 * Identifies a folder, so that another folder that was made later at the same path is recognised. Returns undefined if
 * the folder does not exist or cannot be examined. A copy of a folder is another folder; a renamed one is the same.
 */
export function identifyFolder(path: string): string | undefined {
  const found = examine(path);
  // A new folder may get the number of a deleted one, so the time is needed, too.
  return found?.isDirectory() ? `${found.ino} ${found.birthtimeMs}` : undefined;
}

function examine(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    // The path is missing, is a link to itself, or lies in a folder that may not be read.
    return undefined;
  }
}
