import { storyPath } from '@saga-ai/types/plan/plan-paths';
import { fetchBranch } from '../../git/find-base.ts';
import { openPlainGit } from '../../git/plain-git.ts';
import type { Worktree } from '../../git/worktree.ts';
import { tellConflict } from '../../messages/tell-conflict.ts';
import type { Worker } from '../context.ts';
import { takeBase } from './take-base.ts';

/**
 * Merges the base before the gate if it has moved on, so that the gate checks what will be merged. Returns false if the
 * gate must wait, because a run is told of a conflict. Does nothing unless `worktree.keepUpToDate` is on.
 */
export async function keepUpToDate(worker: Worker, worktree: Worktree): Promise<boolean> {
  const { config, paths, storyId, emit } = worker;
  if (!config.worktree.keepUpToDate || paths.isRehearsal) return true;
  const commit = await findNewest(worker, worktree);
  const git = openPlainGit(worktree.folder, worktree.git.env);
  const base = worktree.base.branch ?? 'the base';
  if (await changesPlan(worktree, commit, storyId)) {
    emit('base:skipped', { base, reason: `${base} changes the plan of this story: saga update` });
    return true;
  }
  const newest = { ...worktree, base: { ...worktree.base, commit } };
  const taken = await takeBase(paths, storyId, newest, git);
  if (taken.kind === 'current') return true;
  if (taken.kind === 'refused') {
    emit('base:skipped', { base, reason: taken.reason });
    return true;
  }
  if (taken.kind === 'merged') {
    // Changes that came from the base are not the story's own.
    worktree.base = newest.base;
    emit('base:merged', { base, commit, commits: taken.commits });
    return true;
  }
  const { files } = taken;
  emit('base:conflict', { base, commit, files });
  const tip = await git.run(['rev-parse', 'HEAD']);
  const conflict = { branch: worktree.branch, tip, base, commit, files };
  const told = await tellConflict(paths, storyId, conflict);
  // A person who goes on without an answer gets the gate as the branch is.
  return told === 'asked' && worker.anyway;
}

/** Asks the remote for the newest commit of the base. A remote that does not answer changes nothing. */
async function findNewest({ emit }: Worker, { git, base }: Worktree): Promise<string> {
  const { remote, branch, commit, isUnreachable, pinned } = base;
  if (branch === undefined) return commit;
  if (remote === undefined) return (await git.resolve(`refs/heads/${branch}`)) ?? commit;
  if (isUnreachable) return commit;
  await fetchBranch(git, remote, branch, { emit, pinned });
  return (await git.resolve(`refs/remotes/${remote}/${branch}`)) ?? commit;
}

/** A plan must not change while a worker works on it: the gate would refuse it. */
async function changesPlan({ git }: Worktree, commit: string, storyId: string): Promise<boolean> {
  const parted = (await git.attempt(['merge-base', commit, 'HEAD'])).stdout.trim();
  if (parted === '') return false;
  const args = ['diff', '--quiet', parted, commit, '--', `:(top)${storyPath(storyId)}`];
  return (await git.attempt(args)).code === 1;
}
