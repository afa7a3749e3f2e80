import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Problem } from '@saga-ai/types/words/problem';
import { writeFileAtomic } from '../../files/atomic-write.ts';
import { ensureFolder } from '../../files/ensure-folder.ts';
import { listPlanFiles, type PlanTexts } from '../../plan/plan-digest.ts';
import { scanStory } from '../../plan/scan-story.ts';
import { checkedPlanPrefix, type Paths } from '../../project/paths.ts';

/** Replaces the plan files in a story's folder by these. Other files of the folder stay. */
export function writePlanFiles(home: string, plan: PlanTexts): void {
  for (const [name, text] of plan) writeFileAtomic(join(home, name), text);
  for (const name of listPlanFiles(home)) if (!plan.has(name)) rmSync(join(home, name));
}

/** Finds what would be wrong with a plan, before it is written. */
export function checkPlanTexts(paths: Paths, storyId: string, plan: PlanTexts): Problem[] {
  ensureFolder(paths.runs);
  const folder = mkdtempSync(checkedPlanPrefix(paths, basename(storyId)));
  try {
    const home = join(folder, storyId);
    ensureFolder(home);
    for (const [name, text] of plan) writeFileSync(join(home, name), text);
    return scanStory(folder, home, storyId).problems;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
