import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { storyPath } from '@saga-ai/types/plan/plan-paths';
import { toWriteError } from '../../errors.ts';
import { removeTree } from '../../files/remove-tree.ts';
import { commitPath } from '../../git/commit.ts';
import { STAY_OUT } from '../../git/git.ts';
import type { Worktree } from '../../git/worktree.ts';
import { findIgnored } from '../../needs/git-needs.ts';
import { saveStoryFields } from '../../plan/stories.ts';
import { noteBeginning } from '../../plan/worker-notes.ts';
import { mainStoryFolder, storyFile, storyFolderIn } from '../../project/paths.ts';
import type { Worker } from '../context.ts';
import { formatBeginSubject } from '../settle/plan-commits.ts';

/**
 * Copies the plan into the worktree, where it stays from now on, and commits it there, because the plan may be
 * uncommitted or edited since. If work on the branch has begun, or a person edited the worktree's copy, that copy is
 * newer and stays.
 */
export async function carryStory(
  worker: Worker,
  { git, branch, folder }: Pick<Worktree, 'git' | 'branch' | 'folder'>,
  isBegun: boolean,
): Promise<void> {
  const { paths, storyId, emit } = worker;
  const below = storyPath(storyId);
  const from = mainStoryFolder(paths, storyId);
  const to = storyFolderIn(folder, storyId);
  // In the worktree the base's ignore file applies; the main checkout may have another one.
  const [status, ignored] = await Promise.all([
    git.run(['status', '--porcelain', STAY_OUT, '--', below]),
    findIgnored(git, storyId),
  ]);
  if (ignored) throw ignored;
  sweepPrepared(dirname(to));
  const isMissing = !existsSync(storyFile(to));
  const isUntouched = !isBegun && status === '';
  const isCarried = existsSync(from) && (isMissing || isUntouched);
  if (isCarried) copyFolder(from, to);
  // The path is committed to the branch, so it must be relative: an absolute path would only be right on this
  // machine.
  const place = { branch, worktree: relative(paths.root, folder).split(sep).join('/') };
  const isChanged = await saveStoryFields(paths, storyId, place);
  if (!isBegun) await noteBeginning(worker, branch);
  // In a story that has begun, changes that a run left in the folder are checked before they are committed.
  if (isBegun && !isCarried && !isChanged) return;
  if (await commitPath(git, below, formatBeginSubject(storyId))) {
    emit('story:committed', { path: below });
  }
}

const PREPARED = /^\.\d+\.carry\.tmp$/;

/** Removes the copies of workers that were killed. The worktree has one worker at a time. */
function sweepPrepared(folder: string): void {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  for (const name of names.filter((it) => PREPARED.test(it))) removeTree(join(folder, name));
}

/** Prepares the copy beside its destination, so that a kill leaves either the old copy or the new one. */
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
