import { readdirSync, realpathSync } from 'node:fs';
import { formatStoryBranch, formatWorktree } from '@saga-ai/types/names';
import { SagaError } from '../errors.ts';
import { describeFailure, type Git, listWorktrees, NETWORK_MS, openGit } from '../programs/git.ts';
import { isFolder } from '../project/find-project.ts';
import { worktreeFolder } from '../project/paths.ts';
import { carryStory } from './carry-story.ts';
import { copyIncludedFiles } from './copy-included-files.ts';
import { type Base, findBase } from './find-base.ts';
import { runSetup } from './run-setup.ts';
import type { Worker } from './worker.ts';

export interface Worktree {
  folder: string;
  branch: string;
  base: Base;
  git: Git;
  /** git's own folder for this worktree; what we keep there goes with it. */
  gitFolder: string;
}

/** The story's own checkout on its own branch: found, or made from whatever of it is there. */
export async function ensureWorktree(worker: Worker): Promise<Worktree> {
  const { paths, storyId, config, env, emit } = worker;
  const git = openGit(paths.root, env);
  const folder = worktreeFolder(paths, storyId);
  const branch = formatStoryBranch(storyId);
  emit('worktree:start', { path: formatWorktree(storyId), branch });
  const exists = await findWorktree(git, folder, branch);
  const base = await findBase(git, config, exists ? undefined : emit);
  if (!exists) await addWorktree(git, folder, branch, base);
  const inside = openGit(folder, env);
  const gitFolder = await inside.run(['rev-parse', '--absolute-git-dir']);
  const ahead = Number(await inside.run(['rev-list', '--count', `${base.commit}..HEAD`]));
  emit(exists ? 'worktree:found' : 'worktree:created', {
    path: formatWorktree(storyId),
    branch,
    base: base.branch ?? base.commit,
    ahead,
  });
  const worktree = { folder: realpathSync(folder), branch, base, git: inside, gitFolder };
  await carryStory(worker, worktree, ahead);
  await copyIncludedFiles(worker, worktree);
  await runSetup(worker, worktree);
  return worktree;
}

async function findWorktree(git: Git, folder: string, branch: string): Promise<boolean> {
  let entries = await listWorktrees(git);
  if (entries.some((it) => it.path === folder) && !isFolder(folder)) {
    // Deleted by hand: git still remembers it, and would refuse to add it again.
    await git.run(['worktree', 'prune']);
    entries = await listWorktrees(git);
  }
  const elsewhere = entries.find((it) => it.branch === branch && it.path !== folder);
  if (elsewhere) {
    throw new SagaError(
      'worktree-taken',
      `Branch ${branch} is checked out in ${elsewhere.path}.`,
      `Switch that checkout to another branch: git -C ${elsewhere.path} switch -`,
    );
  }
  if (!isFolder(folder)) return false;
  const entry = entries.find((it) => it.path === folder);
  if (entry?.branch === branch) return true;
  if (entry) throw wrongBranch(folder, branch, entry.branch);
  if (readdirSync(folder).length === 0) return false;
  // A moved repository leaves links that lead nowhere; git can mend those.
  await git.attempt(['worktree', 'repair', folder]);
  const repaired = (await listWorktrees(git)).find((it) => it.path === folder);
  if (repaired?.branch === branch) return true;
  throw new SagaError(
    'worktree-taken',
    `${folder} is there, but it is no worktree of this repository.`,
    `Look what is in it, then move it away: mv ${folder} ${folder}.old`,
  );
}

function wrongBranch(folder: string, branch: string, found: string | undefined): SagaError {
  return new SagaError(
    'worktree-taken',
    `${folder} is on ${found ?? 'no branch'}, but should be on ${branch}.`,
    `Commit what is there, then: git -C ${folder} switch ${branch}`,
  );
}

async function addWorktree(git: Git, folder: string, branch: string, base: Base): Promise<void> {
  if (!(await git.resolve(`refs/heads/${branch}`))) {
    const start = (await fetchStoryBranch(git, branch, base)) ?? base.commit;
    await git.run(['branch', '--no-track', branch, start]);
  }
  const added = await git.attempt(['worktree', 'add', '-q', folder, branch]);
  if (added.code === 0) return;
  throw new SagaError(
    'worktree-taken',
    `git cannot make the worktree ${folder}: ${describeFailure(added)}.`,
    'git worktree list shows what there is.',
  );
}

/** Another machine may have begun the story: then its branch is only on the remote. */
async function fetchStoryBranch(
  git: Git,
  branch: string,
  { remote }: Base,
): Promise<string | undefined> {
  if (remote === undefined) return undefined;
  const tracking = `refs/remotes/${remote}/${branch}`;
  await git.attempt(['fetch', '-q', '--no-tags', remote, `+refs/heads/${branch}:${tracking}`], {
    timeoutMs: NETWORK_MS,
  });
  return git.resolve(tracking);
}
