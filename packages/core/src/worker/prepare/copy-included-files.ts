import {
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { isInPlan } from '@saga-ai/types/plan/plan-paths';
import { messageOf } from '../../errors.ts';
import { openGit } from '../../git/git.ts';
import type { Worktree } from '../../git/worktree.ts';
import { INCLUDE_FILE } from '../../project/paths.ts';
import type { Worker } from '../context.ts';

/**
 * Copies files that git ignores but the work needs, such as `.env`: those that match a pattern in
 * `.worktreeinclude` (same syntax as .gitignore). Copies only ignored files, and never overwrites a
 * file. Returns the files that were copied.
 */
export async function copyIncludedFiles(
  { paths, env, emit }: Pick<Worker, 'paths' | 'env' | 'emit'>,
  { folder }: Pick<Worktree, 'folder'>,
): Promise<string[]> {
  if (!existsSync(join(paths.root, INCLUDE_FILE))) return [];
  const git = openGit(paths.root, env);
  const named = await git.paths(['ls-files', '-o', '-i', '-z', `--exclude-from=${INCLUDE_FILE}`]);
  const wanted = named.filter((path) => !isInPlan(path));
  if (wanted.length === 0) return [];
  // Ask git about these files only: a project may have a hundred thousand ignored files.
  const asked = await git.attempt(['check-ignore', '-z', '--stdin'], { input: wanted.join('\0') });
  const isIgnored = new Set(asked.stdout.split('\0'));
  const copied: string[] = [];
  for (const path of wanted) {
    if (!isIgnored.has(path)) continue;
    try {
      if (copyMissing(join(paths.root, path), folder, path)) copied.push(path);
    } catch (error) {
      // A file that cannot be copied is reported; the others are copied all the same.
      emit('worktree:not-included', { path, reason: messageOf(error) });
    }
  }
  if (copied.length > 0) emit('worktree:included', { files: copied });
  return copied;
}

function copyMissing(source: string, folder: string, path: string): boolean {
  const target = join(folder, path);
  requireInside(folder, dirname(target));
  if (lstatSync(target, { throwIfNoEntry: false })) return false;
  mkdirSync(dirname(target), { recursive: true });
  // Copy a link as a link, not the files it leads to.
  if (lstatSync(source).isSymbolicLink()) symlinkSync(readlinkSync(source), target);
  else copyFileSync(source, target, constants.COPYFILE_EXCL);
  return true;
}

/**
 * Throws if a parent folder leads out of the worktree: a folder of the main checkout may be a link in
 * the branch.
 */
function requireInside(folder: string, parent: string): void {
  let place = parent;
  while (!lstatSync(place, { throwIfNoEntry: false })) place = dirname(place);
  const real = realpathSync(place);
  if (real !== folder && !real.startsWith(`${folder}/`)) {
    throw new Error(`${place} leads out of the worktree`);
  }
}
