import {
  addToJournal,
  buildResolution,
  findOpenBlockers,
  type JournalEntry,
  parseJournal,
} from '@saga-ai/types/plan/journal';
import { buildToldNote, findUntold } from '@saga-ai/types/plan/worker-notes';
import { expect, test } from 'vitest';
import { type RefusedMerge, tellRefusedMerge } from './tell-refused-merge.ts';

const commit = (letter: string) => letter.repeat(40);
const CONFLICT: RefusedMerge = {
  why: 'conflict',
  title: 'Does not merge into epic/shop',
  detail: 'story/x and epic/shop change the same places: a.txt',
  order: 'Merge epic/shop into your branch.',
  head: commit('a'),
  tip: commit('1'),
};

/** A story whose runs and whose person do what the test says. */
function createStory() {
  let text = '';
  let seconds = 0;
  const now = () => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds++)).toISOString();
  const entries = () => parseJournal(text).entries;
  const append = async (entry: JournalEntry) => {
    text = addToJournal(text, entry);
  };
  return {
    tell: (refused: Partial<RefusedMerge> = {}) =>
      tellRefusedMerge({ read: async () => text, append }, { ...CONFLICT, ...refused }),
    last: () => entries().at(-1),
    count: () => entries().length,
    async run() {
      const { feedback, answers } = findUntold(entries());
      for (const it of [...feedback, ...answers]) {
        await append(buildToldNote(it, { from: 'b', to: 'c' }, now()));
      }
    },
    async answer(words: string) {
      for (const it of findOpenBlockers(entries())) await append(buildResolution(it, words, now()));
    },
  };
}

test('the second conflict of a story, in another file, goes to a run, and no person reads that a run failed', async () => {
  const it = createStory();
  const second = { detail: 'story/x and epic/shop change the same places: b.txt' };
  expect(await it.tell()).toBe('told');
  await it.run();
  // The run mended it. Meanwhile another story was merged; or the branch is where it was, and somebody worked on.
  for (const head of [commit('b'), CONFLICT.head]) {
    expect(await it.tell({ ...second, head, tip: commit('2') })).toBe('told');
    expect(it.last()).toMatchObject({ kind: 'Feedback', body: expect.stringContaining('b.txt') });
    await it.run();
  }
});

test('an answer that no run was told is told before anybody is asked again; then the question names it', async () => {
  const it = createStory();
  expect(await it.tell()).toBe('told');
  // The scheduler was started anew before a run could begin: nothing is said twice.
  expect(await it.tell()).toBe('told');
  expect(it.count()).toBe(1);
  await it.run();
  expect(await it.tell({ tip: commit('2') })).toBe('asked');
  expect(it.last()).toMatchObject({
    kind: 'Blocker',
    body: expect.stringContaining('A run was told of it and could not mend it.'),
  });
  const asked = it.count();
  expect(await it.tell({ tip: commit('2') })).toBe('asked');
  expect(it.count()).toBe(asked);
  for (const words of ['Keep both, ZEBRA42 first.', 'Then only HERON5.']) {
    await it.answer(words);
    expect(await it.tell({ tip: commit('2') })).toBe('told');
    const answered = it.last();
    expect(answered).toMatchObject({ kind: 'Resolution', body: words });
    await it.run();
    expect(await it.tell({ tip: commit('3') })).toBe('asked');
    expect(it.last()).toMatchObject({
      kind: 'Blocker',
      body: expect.stringContaining(
        `A run was told your answer, and it did not help: "${words}" (${answered?.id})`,
      ),
    });
  }
});

test('what does not verify once merged is another matter than a conflict', async () => {
  const it = createStory();
  await it.tell();
  await it.run();
  const broken = { why: 'verify', detail: 'Merged, it does not verify: x\n\nTried: no' } as const;
  expect(await it.tell(broken)).toBe('told');
  await it.run();
  expect(await it.tell({ ...broken, detail: 'Merged, it does not verify: y' })).toBe('asked');
});
