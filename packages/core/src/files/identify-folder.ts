import { statSync } from 'node:fs';

/**
 * Identifies a folder, so that another folder that was made later at the same path is recognised. Returns undefined if
 * the folder does not exist. A copy of a folder is another folder; a renamed one is the same.
 */
export function identifyFolder(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  // A new folder may get the number of a deleted one, so the time is needed, too.
  return found?.isDirectory() ? `${found.ino} ${found.birthtimeMs}` : undefined;
}
