import { formatStoryBranch } from '@saga-ai/types/words/names';
import { SagaError } from '../../errors.ts';
import { findDiskFull, type Git } from '../../git/git.ts';
import { describeFailure } from '../../processes/describe-failure.ts';
import type { ProgramResult } from '../../processes/run.ts';
import { buildPaths } from '../../project/paths.ts';
import { quote } from '../../project/quote.ts';
import type { Worker } from '../context.ts';
import { requireFree } from './find-worktree.ts';
import { findWorktreePlace } from './find-worktree-place.ts';

/**
 * Checks, during a rehearsal, that a real run could use its own branch and folder: the rehearsal uses
 * others. Creates nothing.
 */
export async function requireRunNames(worker: Worker, git: Git, start: string): Promise<void> {
  const paths = buildPaths(worker.paths.root);
  const branch = formatStoryBranch(worker.storyId);
  await requireFree(git, findWorktreePlace({ ...worker, paths }).folder, branch);
  if (await git.resolve(`refs/heads/${branch}`)) return;
  const tried = await git.attempt(['update-ref', '--stdin'], {
    input: `start\ncreate refs/heads/${branch} ${start}\nprepare\nabort\n`,
  });
  if (tried.code !== 0) throw await describeRefusedBranch(git, branch, start, tried);
}

export async function describeRefusedBranch(
  git: Git,
  branch: string,
  start: string,
  refused: ProgramResult,
): Promise<SagaError> {
  const full = findDiskFull(git.folder, refused);
  if (full) return full;
  const [above = ''] = branch.split('/');
  const isAbove = (await git.resolve(`refs/heads/${above}`)) !== undefined;
  return new SagaError(
    'worktree-taken',
    isAbove
      ? `A branch called ${above} exists, so git cannot create one called ${branch}.`
      : `git cannot create the branch ${branch}: ${describeFailure(refused)}.`,
    isAbove
      ? `Rename it: git branch -m ${above} ${above}-old`
      : `To see it yourself: git -C ${quote(git.folder)} branch ${branch} ${start}`,
  );
}
