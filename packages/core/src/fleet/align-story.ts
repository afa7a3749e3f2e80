import { formatStoryBranch } from '@saga-ai/types/words/names';
import { type Git, isAncestor } from '../git/git.ts';
import { keepOut, openPlainGit } from '../git/plain-git.ts';
import { listUncommitted } from '../git/uncommitted.ts';
import { findUsableWorktree } from '../git/worktree.ts';
import { findLockOwner } from '../processes/lock.ts';
import type { Environment } from '../processes/run.ts';
import { type Paths, workerLock } from '../project/paths.ts';
import { discardWork } from '../recovery/discard.ts';
import { findUnfinishedRun } from '../worker/settle/unfinished-run.ts';
import { listDifferent } from './list-different.ts';

export type Aligned = 'same' | 'forwarded' | 'put-away' | 'differs';

interface Place {
  paths: Paths;
  git: Git;
  env: Environment;
  /** The name of the remote. */
  remote: string;
}

/**
 * Brings the branch and the worktree of a story on this machine to the state of the remote, after another machine
 * worked on the story. Moves forward if no local work is in the way. If some is, `mayPutAway` decides: true puts it
 * into the trash, as in the clone of an agent, where only the remote counts; false leaves everything as it is.
 */
export async function alignStory(
  { paths, git, env, remote }: Place,
  storyId: string,
  { mayPutAway }: { mayPutAway: boolean },
): Promise<Aligned> {
  const branch = formatStoryBranch(storyId);
  const [here, there] = await Promise.all([
    git.resolve(`refs/heads/${branch}`),
    git.resolve(`refs/remotes/${remote}/${branch}`),
  ]);
  if (here === undefined || there === undefined) return 'same';
  if (await isAncestor(git, there, here)) return 'same';
  if (findLockOwner(workerLock(paths, storyId))) return 'differs';
  const worktree = findUsableWorktree(paths, storyId);
  if (await isAncestor(git, here, there)) {
    if (!worktree) {
      await git.run(['update-ref', `refs/heads/${branch}`, there, here]);
      return 'forwarded';
    }
    if (await forward(worktree.folder, there, env)) return 'forwarded';
  }
  if (!mayPutAway) return 'differs';
  await discardWork({ paths, id: storyId, env, why: 'reset' });
  return 'put-away';
}

/**
 * Aligns every story whose branch in this clone of an agent differs from the remote: the states of all
 * stories decide what a story waits for. A story that is being worked on here is left alone, and so is one that
 * cannot be aligned: its own job says why. Returns the stories that were put into the trash.
 */
export async function alignStories(place: Place): Promise<string[]> {
  const putAway: string[] = [];
  for (const { id } of await listDifferent(place.git, place.remote, 'story')) {
    const aligned = await alignStory(place, id, { mayPutAway: true }).catch(() => 'differs');
    if (aligned === 'put-away') putAway.push(id);
  }
  return putAway;
}

async function forward(folder: string, to: string, env: Environment): Promise<boolean> {
  const git = openPlainGit(folder, env);
  const gitFolder = (await git.run(['rev-parse', '--absolute-git-dir'])).replace(/\n$/, '');
  if (findUnfinishedRun({ gitFolder })) return false;
  if ((await listUncommitted(git)).length > 0) return false;
  return (await (await keepOut(git)).attempt(['merge', '--ff-only', '-q', to])).code === 0;
}
