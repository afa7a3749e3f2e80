import { formatStoryBranch } from '@saga-ai/types/words/names';
import { SagaError } from '../../errors.ts';
import type { Git } from '../../git/git.ts';
import { describeFailure } from '../../processes/describe-failure.ts';
import { quote } from '../../processes/quote.ts';
import type { ProgramResult } from '../../processes/run.ts';
import { buildPaths } from '../../project/paths.ts';
import type { Worker } from '../context.ts';
import { findPlace } from './find-place.ts';
import { requireFree } from './find-worktree.ts';

/**
 * A rehearsal has a branch and a folder of its own. Whether the run could have the names it needs is
 * tried here; nothing is made and nothing is changed.
 */
export async function requireRunNames(worker: Worker, git: Git, start: string): Promise<void> {
  const paths = buildPaths(worker.paths.root);
  const branch = formatStoryBranch(worker.storyId);
  await requireFree(git, findPlace({ ...worker, paths }).folder, branch);
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
  const [above = ''] = branch.split('/');
  const isAbove = (await git.resolve(`refs/heads/${above}`)) !== undefined;
  return new SagaError(
    'worktree-taken',
    isAbove
      ? `There is a branch called ${above}, so git cannot have one called ${branch}.`
      : `git cannot make the branch ${branch}: ${describeFailure(refused)}.`,
    isAbove
      ? `Rename it: git branch -m ${above} ${above}-old`
      : `See for yourself: git -C ${quote(git.folder)} branch ${branch} ${start}`,
  );
}
