import { storyPath } from '@saga-ai/types/plan/plan-paths';
import type { Worktree } from '../../git/worktree.ts';
import { digestPlan, type PlanTexts, readPlanTexts } from '../../plan/plan-digest.ts';
import { mainStoryFolder, storyFolderIn } from '../../project/paths.ts';
import type { Worker } from '../context.ts';
import { readPlanAt } from '../settle/read-plan-at.ts';

/**
 * Reports which files of the plan differ from the base and from the main checkout. A person may have edited them in the
 * worktree, or a run may have changed them and killed its worker before they were put back.
 */
export async function comparePlan(
  { paths, storyId, emit }: Worker,
  { git, folder, base }: Worktree,
): Promise<void> {
  const now = readPlanTexts(storyFolderIn(folder, storyId));
  const digest = digestPlan(now);
  const main = readPlanTexts(mainStoryFolder(paths, storyId));
  if (digestPlan(main) === digest) return;
  const inBase = await readPlanAt(git, base.commit, storyId);
  const known = main.size > 0 ? main : inBase;
  if (known.size === 0 || digestPlan(inBase) === digest) return;
  const names = new Set([...now.keys(), ...known.keys()]);
  const files = [...names].filter((name) => !isSame(name, now, known)).sort();
  emit('plan:differs', { files: files.map((name) => `${storyPath(storyId)}/${name}`) });
}

function isSame(name: string, a: PlanTexts, b: PlanTexts): boolean {
  const [one, other] = [a.get(name), b.get(name)];
  if (one === undefined || other === undefined) return one === other;
  return digestPlan(new Map([[name, one]])) === digestPlan(new Map([[name, other]]));
}
