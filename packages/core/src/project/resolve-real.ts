import { readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

const MAX_LINKS = 40;

/**
 * Where a write to a path would end. Of what is not there yet: its deepest folder that is, and the
 * rest. A link that leads to nothing is followed all the same, for a write would make its target.
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

function findLinkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    // No link.
    return undefined;
  }
}
