import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { mergeFolderName } from '../epic/verify-merge.ts';
import { SagaError } from '../errors.ts';
import { removeTree } from '../files/remove-tree.ts';
import { withRepositoryLock } from '../git/repository-lock.ts';
import { findLockOwner } from '../processes/lock.ts';
import { workerLock } from '../project/paths.ts';
import { chooseWorktreesFolder } from '../project/worktrees-folder.ts';
import { discardWork } from '../recovery/discard.ts';
import type { Landing } from './context.ts';
import { isStoryLanded } from './find-landed.ts';

export interface Tidied {
  /** Folders of worktrees that were removed. */
  worktrees: string[];
  /** Refs in the trash: branches as they were, and what nobody had committed. */
  kept: string[];
  /** What could not be removed, in words. */
  left: string[];
}

/**
 * Puts the worktrees and branches of items that a commit of the base contains into the trash. The caller must not hold
 * the lock of the story or the epic any more.
 */
export async function tidy(landing: Landing, commit: string): Promise<Tidied> {
  const { worker, git, kind, id, stories } = landing;
  const { paths, env } = worker;
  const tidied: Tidied = { worktrees: [], kept: [], left: [] };
  const discard = async (item: string, isEpic: boolean) => {
    try {
      const { ref, folder } = await discardWork({ paths, env, id: item, isEpic, why: 'land' });
      if (ref !== undefined) tidied.kept.push(ref);
      if (folder !== undefined) tidied.worktrees.push(folder);
    } catch (error) {
      if (!(error instanceof SagaError)) throw error;
      tidied.left.push(`${error.message} ${error.hint}`);
    }
  };
  for (const story of stories) {
    const isBusy = findLockOwner(workerLock(paths, story)) !== undefined;
    // A story of the epic that somebody added or worked on since is not touched.
    if (isBusy || !(await isStoryLanded(git, paths, story, commit))) continue;
    await discard(story, false);
  }
  await removeMergeCheckout(landing);
  if (kind === 'epic') await discard(id, true);
  return tidied;
}

/** Removes the worktree in which a merge was verified. */
export async function removeMergeCheckout({ worker, git, kind, id }: Landing): Promise<void> {
  const { config, paths, env } = worker;
  const { folder: below } = chooseWorktreesFolder(paths, config.worktree.folder, env.HOME);
  const folder = join(below, mergeFolderName(kind, id));
  if (!existsSync(folder)) return;
  await withRepositoryLock(git, async () => {
    const removed = await git.attempt(['worktree', 'remove', '--force', folder]);
    if (removed.code === 0) return;
    // git stops in the middle at folders that are read-only, such as caches of some programs.
    removeTree(folder);
    // Only this entry is removed, because the entries of worktrees that moved with the project must stay.
    await git.attempt(['worktree', 'remove', '--force', '--force', folder]);
  });
}
