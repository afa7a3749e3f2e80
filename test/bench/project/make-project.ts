import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildPaths, epicFile, storyFile, taskFile } from '@saga-ai/core/project/paths';
import type { Plan } from './plan.ts';

/** Writes a plan as a `.saga` folder below the root. */
export function makeProject(root: string, plan: Plan): void {
  const paths = buildPaths(root);
  mkdirSync(paths.epics, { recursive: true });
  for (const epic of plan.epics) writeJson(epicFile(paths, epic.id), epic);
  for (const { story, tasks } of plan.stories) {
    const home = join(paths.stories, story.id);
    mkdirSync(home, { recursive: true });
    writeJson(storyFile(home), story);
    for (const task of tasks) writeJson(taskFile(home, task.id), task);
  }
}

function writeJson(path: string, value: object): void {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}
