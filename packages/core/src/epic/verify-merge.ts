import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { identifyFolder } from '../files/identify-folder.ts';
import { removeTree } from '../files/remove-tree.ts';
import { openGit } from '../git/git.ts';
import { withRepositoryLock } from '../git/repository-lock.ts';
import type { Worktree } from '../git/worktree.ts';
import { chooseWorktreesFolder } from '../project/worktrees-folder.ts';
import { type Verified, verifyCommit } from '../worker/gate/verify-commit.ts';
import { setUp } from '../worker/prepare/run-setup.ts';
import type { EpicRun } from './context.ts';

/**
 * Runs the verify command on a merged commit, as the gate of a story does: in a clean checkout, or with
 * `gate.clean` off in a worktree of its own without a branch. That worktree is no person's, so nothing in it outlives
 * a merge either.
 */
export async function verifyMerge(
  place: MergePlace,
  { command, commit }: { command: string; commit: string },
): Promise<Verified> {
  const { worker } = place;
  const worktree = await openMergeWorktree(place, commit);
  const {
    gate,
    worktree: { setup },
  } = worker.config;
  if (!gate.clean) {
    const { git, folder } = worktree;
    for (const name of readdirSync(folder)) if (name !== '.git') removeTree(join(folder, name));
    await git.run(['-c', 'core.hooksPath=/dev/null', 'reset', '-q', '--hard', commit]);
    if (setup !== null) await setUp(worker, worktree, setup);
  }
  return verifyCommit(worker, worktree, { command, head: commit });
}

/** Where merges are verified. */
export interface MergePlace extends Pick<EpicRun, 'worker' | 'git' | 'base'> {
  /** The name of the worktree. */
  folderName: string;
}

/** An id contains no dot, so this is never the folder of a story. */
export const mergeFolderName = (kind: 'story' | 'epic', id: string): string => `${id}.${kind}`;

/** Opens the worktree of merges. It has no files until they are needed. */
async function openMergeWorktree(
  { worker, folderName, git, base }: MergePlace,
  commit: string,
): Promise<Worktree> {
  const { paths, config, env, network } = worker;
  const { folder: below } = chooseWorktreesFolder(paths, config.worktree.folder, env.HOME);
  const folder = join(below, folderName);
  if (!existsSync(join(folder, '.git'))) {
    await withRepositoryLock(git, async () => {
      const lead = ['-c', 'core.hooksPath=/dev/null', 'worktree', 'add', '-q', '--force'];
      await git.run([...lead, '--detach', '--no-checkout', folder, commit]);
    });
  }
  const inside = openGit(folder, git.env, network);
  await inside.run(['update-ref', '--no-deref', 'HEAD', commit]);
  const gitFolder = await inside.run(['rev-parse', '--absolute-git-dir']);
  const identity = identifyFolder(folder);
  return { folder, identity, branch: commit, base, git: inside, gitFolder };
}
