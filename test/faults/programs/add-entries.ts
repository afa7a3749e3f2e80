import { writeSync } from 'node:fs';
import { appendJournal } from '@saga-ai/core/plan/journal';
import { buildPaths } from '@saga-ai/core/project/paths';

/** Adds journal entries without end, and prints every title once its entry is saved. */
const [root = '', storyId = '', lines = '10'] = process.argv.slice(2);
for (let n = 0; ; n++) {
  const title = `${process.pid}-${n}`;
  const body = `${'a line of text\n'.repeat(Number(lines))}end of ${title}`;
  await appendJournal(buildPaths(root), storyId, { kind: 'Note', title, body });
  writeSync(1, `${title}\n`);
}
