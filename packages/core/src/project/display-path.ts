import { relative, sep } from 'node:path';

/** A path as people read it: below the project, with forward slashes. */
export function displayPath(root: string, path: string): string {
  const below = relative(root, path);
  return below.startsWith('..') ? path : below.split(sep).join('/');
}
