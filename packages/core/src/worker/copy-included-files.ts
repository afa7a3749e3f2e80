import { cpSync, existsSync, lstatSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf } from '../errors.ts';
import { openGit } from '../programs/git.ts';
import type { Worktree } from './ensure-worktree.ts';
import type { Worker } from './worker.ts';

const INCLUDE_FILE = '.worktreeinclude';

/**
 * Files git ignores but the work needs, such as `.env`: those that `.worktreeinclude` names, in the
 * way of .gitignore. Only ignored files are copied, and none that is there already.
 */
export async function copyIncludedFiles(
  { paths, env, emit }: Worker,
  { folder }: Pick<Worktree, 'folder'>,
): Promise<void> {
  if (!existsSync(join(paths.root, INCLUDE_FILE))) return;
  const git = openGit(paths.root, env);
  const others = ['ls-files', '-o', '-i', '-z'];
  const [named, ignored] = await Promise.all([
    git.paths([...others, `--exclude-from=${INCLUDE_FILE}`]),
    git.paths([...others, '--exclude-standard']),
  ]);
  const isIgnored = new Set(ignored);
  const copied: string[] = [];
  for (const path of named) {
    if (!isIgnored.has(path) || path.startsWith('.saga/')) continue;
    const target = join(folder, path);
    if (lstatSync(target, { throwIfNoEntry: false })) continue;
    try {
      mkdirSync(dirname(target), { recursive: true });
      // A link is copied as a link: what it leads to is not ours to double.
      cpSync(join(paths.root, path), target, { verbatimSymlinks: true });
      copied.push(path);
    } catch (error) {
      // One file that cannot be copied does not stop the others; it is said.
      emit('worktree:not-included', { path, reason: messageOf(error) });
    }
  }
  if (copied.length > 0) emit('worktree:included', { files: copied });
}
