import { existsSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

const MAX_LINKS = 40;

/**
 * Returns where a write to a path would go. If the path does not exist, its deepest existing folder is
 * resolved and the rest is appended. A link to a missing target is followed too, because a write would
 * create the target.
 */
export function resolveReal(path: string, links = 0): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (links > MAX_LINKS) throw error;
    const folder = dirname(path);
    if (folder === path) return path;
    const realFolder = resolveReal(folder, links);
    const target = findLinkTarget(join(realFolder, basename(path)));
    return target === undefined
      ? join(realFolder, basename(path))
      : resolveReal(resolve(realFolder, target), links + 1);
  }
}

/** Returns the real path if the path exists, else the path as it was given. */
export const toReal = (path: string): string => (existsSync(path) ? realpathSync(path) : path);

function findLinkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    // The path is not a link.
    return undefined;
  }
}
