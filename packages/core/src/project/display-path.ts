import { relative, sep } from 'node:path';

/**
 * Formats a path for people: relative if it is inside or beside the project, with forward slashes;
 * else absolute.
 */
export function displayPath(root: string, path: string): string {
  const below = relative(root, path);
  const isFar = below === '..' || below.startsWith(`..${sep}..`);
  return isFar ? path : below.split(sep).join('/');
}
