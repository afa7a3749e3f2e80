import { existsSync, rmSync } from 'node:fs';
import { storyPath } from '@saga-ai/types/plan/plan-paths';
import { toError } from '../files/json-file.ts';
import { commitPath } from '../git/commit.ts';
import type { Git } from '../git/git.ts';
import type { Worktree } from '../git/worktree.ts';
import { hasHadPlan } from '../overview/facts/plan-history.ts';
import { digestPlan, type PlanTexts, readPlanTexts } from '../plan/plan-digest.ts';
import { scanStory } from '../plan/scan-story.ts';
import { evidenceFile, mainStoryFolder, type Paths, storyFolderIn } from '../project/paths.ts';
import { mergePlans, type PlanChange } from '../worker/base/merge-plans.ts';
import { findCommonPlan } from '../worker/base/plan-versions.ts';
import { checkPlanTexts, writePlanFiles } from '../worker/base/write-plan-files.ts';
import { formatTakeSubject } from '../worker/settle/plan-commits.ts';

/** What happened to a plan that was edited in the main checkout. */
export type TakenPlan =
  /** The main checkout has the same plan, an older one, or none. */
  | { kind: 'current' }
  | { kind: 'taken'; changes: PlanChange[]; disputed: string[]; droppedEvidence: boolean };

/** Takes the plan of the main checkout into the worktree and commits it on the story's branch. */
export async function takePlan(
  paths: Paths,
  storyId: string,
  { folder }: Pick<Worktree, 'folder'>,
  git: Git,
  inMain: Git,
): Promise<TakenPlan> {
  const main = mainStoryFolder(paths, storyId);
  const home = storyFolderIn(folder, storyId);
  const edited = readPlanTexts(main);
  const tip = await git.run(['rev-parse', 'HEAD']);
  if (edited.size === 0 || (await isKnown(inMain, storyId, tip, edited, home))) {
    return { kind: 'current' };
  }
  const { problems } = scanStory(paths.root, main, storyId);
  if (problems.length > 0) throw toError(problems);
  const below = storyPath(storyId);
  await commitPath(git, below, `saga: keep the plan of ${storyId} as it was here`);
  const live = readPlanTexts(home);
  const origin = await findCommonPlan(git, storyId, (await inMain.resolve('HEAD')) ?? tip);
  const plan = mergePlans({ origin, live, edited });
  for (const version of [plan.taken, plan.merged]) {
    const wrong = checkPlanTexts(paths, storyId, version);
    if (wrong.length > 0) throw toError(wrong);
  }
  const droppedEvidence = existsSync(evidenceFile(home));
  // The plan is first committed exactly as it was taken, so that the branch has this version from now on.
  writePlanFiles(home, plan.taken);
  rmSync(evidenceFile(home), { force: true });
  await commitPath(git, below, formatTakeSubject(storyId));
  writePlanFiles(home, plan.merged);
  await commitPath(git, below, `saga: keep what was changed in the plan of ${storyId} here`);
  const { changes, disputed } = plan;
  return { kind: 'taken', changes, disputed, droppedEvidence };
}

async function isKnown(
  inMain: Git,
  storyId: string,
  tip: string,
  edited: PlanTexts,
  home: string,
): Promise<boolean> {
  const digest = digestPlan(edited);
  if (digest === digestPlan(readPlanTexts(home))) return true;
  return hasHadPlan(inMain, storyId, tip, digest);
}
