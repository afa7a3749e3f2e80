import { storyPath } from '@saga-ai/types/plan/plan-paths';
import { toError } from '../../files/json-file.ts';
import { addAll } from '../../git/commit.ts';
import type { Git } from '../../git/git.ts';
import { mergeCommit } from '../../git/merge-commit.ts';
import type { Worktree } from '../../git/worktree.ts';
import { readPlanTexts } from '../../plan/plan-digest.ts';
import { type Paths, storyFolderIn } from '../../project/paths.ts';
import { readPlanAt } from '../settle/read-plan-at.ts';
import { type MergedPlan, mergePlans, type PlanChange } from './merge-plans.ts';
import { findCommonPlan } from './plan-versions.ts';
import { checkPlanTexts, writePlanFiles } from './write-plan-files.ts';

/** What happened with the base. Nothing was changed unless the base was merged. */
export type TakenBase =
  | { kind: 'current' }
  | { kind: 'merged'; commits: number; changes: PlanChange[]; disputed: string[] }
  | { kind: 'conflict'; commits: number; files: string[] }
  | { kind: 'refused'; commits: number; reason: string };

/**
 * Merges the base into the story's branch. In the story's own folder the live copy counts: changes of the base to the
 * plan are taken over, and statuses stay.
 */
export async function takeBase(
  paths: Paths,
  storyId: string,
  worktree: Worktree,
  git: Git,
): Promise<TakenBase> {
  const { base, folder, branch } = worktree;
  const commits = Number(await git.run(['rev-list', '--count', `HEAD..${base.commit}`]));
  if (commits === 0) return { kind: 'current' };
  const home = storyFolderIn(folder, storyId);
  const plan = await mergeBasePlan(git, storyId, base.commit, home);
  const problems = plan ? checkPlanTexts(paths, storyId, plan.merged) : [];
  if (problems.length > 0) throw toError(problems);
  const below = storyPath(storyId);
  const message = `Merge ${base.branch ?? base.commit} into ${branch}`;
  const merge = await mergeCommit(worktree, git, base.commit, message, async () => {
    const own = `:(glob)${below}/*.json`;
    await git.run(['restore', '--source=HEAD', '--staged', '--worktree', '--', own]);
    if (plan) writePlanFiles(home, plan.merged);
    await addAll(git, { paths: [own] });
  });
  if (merge.kind !== 'merged') return { ...merge, commits };
  const { changes = [], disputed = [] } = plan ?? {};
  return { kind: 'merged', commits, changes, disputed };
}

async function mergeBasePlan(
  git: Git,
  storyId: string,
  base: string,
  home: string,
): Promise<MergedPlan | undefined> {
  const edited = await readPlanAt(git, base, storyId);
  if (edited.size === 0) return undefined;
  const parted = (await git.attempt(['merge-base', base, 'HEAD'])).stdout.trim();
  const before = parted === '' ? new Map() : await readPlanAt(git, parted, storyId);
  const origin = before.size > 0 ? before : await findCommonPlan(git, storyId, base);
  return mergePlans({ origin, live: readPlanTexts(home), edited }, 'live');
}
