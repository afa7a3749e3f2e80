import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { storyPath } from '@saga-ai/types/plan/plan-paths';
import { toWriteError } from '../../errors.ts';
import { commitPath } from '../../git/git.ts';
import type { Worktree } from '../../git/worktree.ts';
import { findIgnored } from '../../needs/git-needs.ts';
import { saveStoryFields } from '../../plan/stories.ts';
import { displayPath } from '../../project/display-path.ts';
import {
  mainStoryFolder,
  storyFile,
  worktreeFolder,
  worktreeStoryFolder,
} from '../../project/paths.ts';
import type { Worker } from '../context.ts';

/**
 * Brings the plan into the worktree, where it lives from now on, and commits it there: it may not be
 * committed anywhere yet, or have been edited since. Once work has begun on the branch, or somebody
 * edited the copy, that copy is the newer one and stays.
 */
export async function carryStory(
  worker: Worker,
  { git, branch }: Pick<Worktree, 'git' | 'branch'>,
  isBegun: boolean,
): Promise<void> {
  const { paths, storyId, emit } = worker;
  const below = storyPath(storyId);
  const from = mainStoryFolder(paths, storyId);
  const to = worktreeStoryFolder(paths, storyId);
  // What counts in here is the ignore file of the base, which may differ from the main checkout's.
  const [status, ignored] = await Promise.all([
    git.run(['status', '--porcelain', '--', below]),
    findIgnored(git, storyId),
  ]);
  if (ignored) throw ignored;
  const isMissing = !existsSync(storyFile(to));
  const isUntouched = !isBegun && status === '';
  const isCarried = existsSync(from) && (isMissing || isUntouched);
  if (isCarried) copyFolder(from, to);
  const place = { branch, worktree: displayPath(paths.root, worktreeFolder(paths, storyId)) };
  const isChanged = await saveStoryFields(paths, storyId, place);
  // What a run left in the folder of a story that has begun is looked at before it is committed.
  if (isBegun && !isCarried && !isChanged) return;
  if (await commitPath(git, below, `saga: begin story ${storyId}`)) {
    emit('story:committed', { path: below });
  }
}

/** Prepared beside its place, so that a kill leaves the old copy or the new one. */
function copyFolder(from: string, to: string): void {
  const prepared = join(dirname(to), `.${process.pid}.carry.tmp`);
  try {
    mkdirSync(dirname(to), { recursive: true });
    rmSync(prepared, { recursive: true, force: true });
    cpSync(from, prepared, {
      recursive: true,
      filter: (path) => !/(^|\/)\.[^/]*\.tmp$/.test(path.slice(from.length)),
    });
    rmSync(to, { recursive: true, force: true });
    renameSync(prepared, to);
  } catch (error) {
    throw toWriteError(error, to);
  }
}
