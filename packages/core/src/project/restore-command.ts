import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { displayPath } from './display-path.ts';
import { quote } from './quote.ts';

/**
 * Formats the command that restores a file from git. If the file is in another checkout than the project's root, such as
 * a story's worktree, the command names that checkout: git restores only files of the checkout that it runs in.
 */
export function formatRestore(root: string, path: string): string {
  const top = findTop(path);
  const isHere = top === undefined || top === findTop(root);
  if (isHere) return `git checkout -- ${quote(displayPath(root, path))}`;
  return `git -C ${quote(top)} checkout -- ${quote(relative(top, path))}`;
}

/** Finds the nearest folder with a `.git`. The path itself may be missing. */
function findTop(path: string): string | undefined {
  for (let folder = path; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}
