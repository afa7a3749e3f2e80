import { rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Git } from '../git/git.ts';
import type { Paths } from '../project/paths.ts';
import { keepFiles } from '../trash/keep-files.ts';

/** Keeps the files of an older plan in git's trash, and removes them. Returns the ref that keeps them. */
export async function removeOriginals(
  paths: Paths,
  git: Git,
  format: string,
  files: readonly string[],
): Promise<string> {
  const kept = files.map((path) => ({ from: join(paths.root, path), path }));
  const ref = await keepFiles(
    git,
    { kind: 'migrate', name: format },
    kept,
    `Plans in ${format} before saga migrate`,
  );
  for (const { from } of kept) {
    rmSync(from, { force: true });
    removeEmpty(paths.root, dirname(from));
  }
  return ref;
}

/** Removes folders that have become empty. */
function removeEmpty(root: string, folder: string): void {
  for (let at = folder; at.length > root.length; at = dirname(at)) {
    try {
      rmdirSync(at);
    } catch {
      // Something else is in it.
      return;
    }
  }
}
