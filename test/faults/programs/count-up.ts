import { readFileSync, writeSync } from 'node:fs';
import { saveTaskFields } from '@saga-ai/core/plan/stories';
import { buildPaths, mainStoryFolder, taskFile } from '@saga-ai/core/project/paths';
import { TASK_STATUSES } from '@saga-ai/types/plan/status';

/** Counts a task's `x-counter` up without end, and prints every number once it is saved. */
const [root = '', storyId = '', taskId = ''] = process.argv.slice(2);
const paths = buildPaths(root);
const file = taskFile(mainStoryFolder(paths, storyId), taskId);
const start = JSON.parse(readFileSync(file, 'utf8')) as { 'x-counter': number };
for (let n = start['x-counter'] + 1; ; n++) {
  const status = TASK_STATUSES[n % TASK_STATUSES.length];
  await saveTaskFields(paths, storyId, taskId, { 'x-counter': n, status });
  writeSync(1, `${n}\n`);
}
