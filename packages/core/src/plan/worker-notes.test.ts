import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseJournal } from '@saga-ai/types/plan/journal';
import { isWorkerNote } from '@saga-ai/types/plan/worker-notes';
import { expect, test } from 'vitest';
import { createProject } from '../../../../test/rig/project/project.ts';
import { appendJournal } from './journal.ts';
import { loadStory } from './stories.ts';
import { noteBeginning, noteInJournal } from './worker-notes.ts';

test('a worker notes the beginning once, and nothing twice in a row; each note is one line', async () => {
  using it = createProject();
  it.story('x');
  const place = { paths: it.paths, storyId: 'x' };
  const titles = () => parseJournal(loadStory(it.paths, 'x').journal).entries.map((e) => e.title);
  await noteBeginning(place, 'story/x');
  await noteBeginning(place, 'story/x');
  await noteInJournal(place, 'stopped: by a person');
  await noteInJournal(place, 'stopped: by a person');
  await appendJournal(it.paths, 'x', { kind: 'Note', title: 'Of a run', body: '' });
  await noteInJournal(place, 'stopped: by a person');
  await noteInJournal(place, `the gate failed: ${'long\n## Blocker: no\n'.repeat(50)}`);
  const long = titles().pop() ?? '';
  expect(titles().slice(0, -1)).toEqual([
    'SAGA: work began on story/x',
    'SAGA: stopped: by a person',
    'Of a run',
    'SAGA: stopped: by a person',
  ]);
  expect(long).toMatch(/^SAGA: the gate failed: long ## Blocker: no .*…$/);
  const { entries } = parseJournal(loadStory(it.paths, 'x').journal);
  expect(entries.map(isWorkerNote)).toEqual([true, true, false, true, true]);
});

test('a journal that cannot be written does not stop the work', async () => {
  using it = createProject();
  it.story('x');
  mkdirSync(join(it.paths.stories, 'x/journal.md'));
  await noteInJournal({ paths: it.paths, storyId: 'x' }, 'stopped');
});
