import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JournalEntry } from '@saga-ai/types/plan/journal';
import { parseJournal } from '@saga-ai/types/plan/journal';
import { expect, test } from 'vitest';
import { createPlan } from '../../../../test/rig/project/plan.ts';
import { appendJournal } from './journal.ts';
import { loadStory } from './stories.ts';

const entry = (title: string): JournalEntry => ({ kind: 'Note', title, body: `Body of ${title}.` });

test('entries are added at the end, a blank line apart, whatever stood there', async () => {
  using plan = createPlan();
  plan.story('api');
  const file = join(plan.paths.stories, 'api/journal.md');
  await appendJournal(plan.paths, 'api', entry('one'));
  await appendJournal(plan.paths, 'api', entry('two'));
  expect(readFileSync(file, 'utf8')).toBe(
    '## Note: one\n\nBody of one.\n\n## Note: two\n\nBody of two.\n',
  );
  writeFileSync(file, 'No newline at the end');
  await appendJournal(plan.paths, 'api', entry('three'));
  const journal = parseJournal(readFileSync(file, 'utf8'));
  expect(journal.preamble).toBe('No newline at the end');
  expect(journal.entries).toMatchObject([entry('three')]);
});

test('a pipe in the place of the journal stops nobody who reads it', async () => {
  using plan = createPlan();
  plan.story('api');
  const file = join(plan.paths.stories, 'api/journal.md');
  execFileSync('mkfifo', [file]);
  expect(loadStory(plan.paths, 'api').journal).toBe('');
  await appendJournal(plan.paths, 'api', entry('one'));
  expect(readFileSync(file, 'utf8')).toBe('## Note: one\n\nBody of one.\n');
});

test('many at once, all kept', async () => {
  using plan = createPlan();
  plan.story('api');
  const titles = Array.from({ length: 30 }, (_, i) => `n${i}`);
  await Promise.all(titles.map((title) => appendJournal(plan.paths, 'api', entry(title))));
  const text = readFileSync(join(plan.paths.stories, 'api/journal.md'), 'utf8');
  expect(
    parseJournal(text)
      .entries.map(({ title }) => title)
      .toSorted(),
  ).toEqual(titles.toSorted());
});
