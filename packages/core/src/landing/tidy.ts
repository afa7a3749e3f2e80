import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { formatStoryBranch } from '@saga-ai/types/words/names';
import { mergeFolderName } from '../epic/verify-merge.ts';
import { removeTree } from '../files/remove-tree.ts';
import { type Git, listUncommitted, listWorktrees } from '../git/git.ts';
import { keepFiles } from '../git/keep-files.ts';
import { openPlainGit } from '../git/plain-git.ts';
import { withRepositoryLock } from '../git/repository-lock.ts';
import { findLockOwner } from '../processes/lock.ts';
import { workerLock } from '../project/paths.ts';
import { findStoryWorktree } from '../project/story-worktrees.ts';
import { chooseWorktreesFolder } from '../project/worktrees-folder.ts';
import type { Landing } from './context.ts';
import { isStoryLanded } from './find-landed.ts';

export interface Tidied {
  /** Folders of worktrees that were removed. */
  worktrees: string[];
  /** Refs in the trash: branches as they were, and what nobody had committed. */
  kept: string[];
}

/** Removes worktrees and branches of what a commit of the base has. All of it stays under `refs/saga/trash/land/`. */
export async function tidy(landing: Landing, commit: string): Promise<Tidied> {
  const { worker, git, kind, id, stories, branch } = landing;
  const tidied: Tidied = { worktrees: [], kept: [] };
  for (const story of stories) {
    // The story that is landed is locked by this very process.
    const isBusy = story !== id && findLockOwner(workerLock(worker.paths, story)) !== undefined;
    // A story of the epic that somebody added or worked on since is not touched.
    if (isBusy || !(await isStoryLanded(git, worker.paths, story, commit))) continue;
    await removeWorktree(landing, story, tidied);
    await dropBranch(git, formatStoryBranch(story), story, tidied);
  }
  await removeMergeCheckout(landing);
  if (kind === 'epic') await dropBranch(git, branch, id, tidied);
  return tidied;
}

/** Removes the worktree in which a merge was verified. */
export async function removeMergeCheckout({ worker, git, kind, id }: Landing): Promise<void> {
  const { config, paths, env } = worker;
  const { folder } = chooseWorktreesFolder(paths, config.worktree.folder, env.HOME);
  await removeCheckout(git, join(folder, mergeFolderName(kind, id)));
}

async function removeWorktree(
  { worker, git }: Landing,
  story: string,
  tidied: Tidied,
): Promise<void> {
  const place = findStoryWorktree(worker.paths, story);
  // A checkout that a person made is the person's.
  if (!place?.isOwn || !existsSync(join(place.folder, '.git'))) return;
  const inside = openPlainGit(place.folder, worker.env);
  const paths = await listUncommitted(inside);
  if (paths.length > 0) {
    const ref = `refs/saga/trash/land/${story}/uncommitted-${Date.now()}`;
    await keepFiles(inside, { ref, message: `saga: not committed in ${story}`, paths });
    tidied.kept.push(ref);
  }
  await removeCheckout(git, place.folder);
  tidied.worktrees.push(place.folder);
}

async function removeCheckout(git: Git, folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  await withRepositoryLock(git, async () => {
    const removed = await git.attempt(['worktree', 'remove', '--force', folder]);
    if (removed.code === 0) return;
    // Folders that nobody may write stop git in the middle, such as caches of some programs.
    removeTree(folder);
    await git.attempt(['worktree', 'prune']);
  });
}

/** Deletes a branch that nobody has checked out, after its last commit got a name in the trash. */
async function dropBranch(git: Git, branch: string, id: string, tidied: Tidied): Promise<void> {
  const tip = await git.resolve(`refs/heads/${branch}`);
  if (tip === undefined) return;
  if ((await listWorktrees(git)).some((it) => it.branch === branch)) return;
  const ref = `refs/saga/trash/land/${id}/${tip.slice(0, 12)}`;
  await git.run(['update-ref', ref, tip]);
  const dropped = await git.attempt(['update-ref', '-d', `refs/heads/${branch}`, tip]);
  if (dropped.code !== 0) return;
  tidied.kept.push(ref);
  await withRepositoryLock(git, () =>
    git.attempt(['config', '--remove-section', `branch.${branch}`]),
  );
}
