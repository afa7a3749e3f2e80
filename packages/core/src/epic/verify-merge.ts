import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { VerifyRun } from '@saga-ai/types/run/evidence';
import { openGit } from '../git/git.ts';
import { withRepositoryLock } from '../git/repository-lock.ts';
import type { Worktree } from '../git/worktree.ts';
import { chooseWorktreesFolder } from '../project/worktrees-folder.ts';
import { runVerify } from '../worker/gate/run-verify.ts';
import { runSetup } from '../worker/prepare/run-setup.ts';
import type { EpicRun } from './context.ts';

/**
 * Runs the verify command on a merged commit, in a worktree of the epic without a branch. The worktree is used
 * for all merges of the epic, so that setup runs once.
 */
export async function verifyMerge(
  run: EpicRun,
  commit: string,
  command: string,
): Promise<VerifyRun> {
  const worktree = await openMergeWorktree(run, commit);
  await runSetup(run.worker, worktree);
  return runVerify(run.worker, worktree, command);
}

/** An id contains no dot, so this is never the folder of a story. */
const nameOf = (epicId: string) => `${epicId}.epic`;

async function openMergeWorktree(
  { worker, epicId, git, base }: EpicRun,
  commit: string,
): Promise<Worktree> {
  const { paths, config, env, network } = worker;
  const { folder: below } = chooseWorktreesFolder(paths, config.worktree.folder, env.HOME);
  const folder = join(below, nameOf(epicId));
  if (!existsSync(join(folder, '.git'))) {
    await withRepositoryLock(git, async () => {
      await git.attempt(['worktree', 'prune']);
      await git.run(['worktree', 'add', '-q', '--force', '--detach', folder, commit]);
    });
  }
  const inside = openGit(folder, env, network);
  await inside.run(['-c', 'core.hooksPath=/dev/null', 'reset', '-q', '--hard', commit]);
  await inside.run(['clean', '-fdq']);
  const gitFolder = await inside.run(['rev-parse', '--absolute-git-dir']);
  return { folder, branch: commit, base, git: inside, gitFolder };
}
