import type { Git } from '../../git/git.ts';
import type { PlanTexts } from '../../plan/plan-digest.ts';
import { formatBeginSubject, formatTakeSubject } from '../settle/plan-commits.ts';
import { readPlanAt } from '../settle/read-plan-at.ts';

/**
 * Finds the plan that the branch last had in common with the main checkout: what it began with, or
 * what it took over since.
 */
export async function findCommonPlan(git: Git, storyId: string, other: string): Promise<PlanTexts> {
  const parted = (await git.attempt(['merge-base', other, 'HEAD'])).stdout.trim();
  const since = parted === '' ? [] : [`^${parted}`];
  const subjects = `^(${formatTakeSubject(storyId)}|${formatBeginSubject(storyId)})$`;
  const grep = ['-E', `--grep=${subjects}`];
  const taken = await git.attempt(['log', '-1', '--format=%H', ...grep, 'HEAD', ...since]);
  const commit = taken.stdout.trim() || parted;
  return commit === '' ? new Map() : readPlanAt(git, commit, storyId);
}
