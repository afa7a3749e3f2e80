import { relative, sep } from 'node:path';

/** A path as people read it: below the project or beside it, with forward slashes; else whole. */
export function displayPath(root: string, path: string): string {
  const below = relative(root, path);
  const isFar = below === '..' || below.startsWith(`..${sep}..`);
  return isFar ? path : below.split(sep).join('/');
}
