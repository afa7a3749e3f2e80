import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addToJournal,
  buildFeedback,
  buildResolution,
  findOpenBlockers,
  findOpenFeedback,
  formatJournalEntry,
  formatTitle,
  idOf,
  JOURNAL_KINDS,
  type JournalEntry,
  parseJournal,
} from './journal.ts';
import { buildToldNote, findAnswers, findUntold } from './worker-notes.ts';

const line = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => text.replace(/[\r\n]/g, '')),
  fc.constantFrom(
    '## Decision: x',
    '\\## Note: y',
    '## 2026-01-02T03:04:05Z Blocker: z',
    '```',
    '# h',
  ),
);
/** A body as it comes back: without blank lines around it. */
const body = fc
  .array(line, { maxLength: 5 })
  .map((lines) => lines.join('\n').replace(/^(?:[^\S\n]*\n)+|(?:\n[^\S\n]*)+$/g, ''))
  .filter((text) => text.trim() !== '' || text === '');
const entry: fc.Arbitrary<JournalEntry> = fc
  .record({
    kind: fc.constantFrom(...JOURNAL_KINDS),
    title: fc.string({ unit: 'grapheme', maxLength: 30 }).map(formatTitle),
    body,
    time: fc.option(
      fc
        .date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })
        .map((it) => it.toISOString()),
      { nil: undefined },
    ),
  })
  .map(({ time, ...rest }) => (time === undefined ? rest : { ...rest, time }));

test('what is formatted is parsed back, whatever the texts say', () => {
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 6 }), (entries) => {
      const read = parseJournal(entries.map(formatJournalEntry).join('\n'));
      expect(read.preamble).toBe('');
      expect(read.entries.map(({ id: _, ...entry }) => entry)).toEqual(entries);
      const ids = read.entries.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.map((id) => id.replace(/-\d{1,2}$/, ''))).toEqual(entries.map(idOf));
    }),
  );
});

test('a journal reads as people write it', () => {
  const text = `# Journal of cart-api

Some words first.

## 2026-11-15T08:41:07.000Z Decision: Use SQLite

Because it is **there**.

### A heading that is only text
## Another one: not a kind

## Blocker: Which provider?
We need a key.\r
## Resolution: which  Provider?
Stripe.
`;
  const journal = parseJournal(text);
  expect(journal.preamble).toBe('# Journal of cart-api\n\nSome words first.');
  expect(journal.entries).toMatchObject([
    {
      kind: 'Decision',
      title: 'Use SQLite',
      time: '2026-11-15T08:41:07.000Z',
      body: 'Because it is **there**.\n\n### A heading that is only text\n## Another one: not a kind',
    },
    { kind: 'Blocker', title: 'Which provider?', body: 'We need a key.' },
    { kind: 'Resolution', title: 'which  Provider?', body: 'Stripe.' },
  ]);
  expect(findOpenBlockers(journal.entries)).toEqual([]);
});

test('an entry is a heading and its text', () => {
  const written = formatJournalEntry({
    kind: 'Note',
    title: 'Two\nlines',
    body: '\n## Decision: mine\n\n',
    time: '2026-01-01T00:00:00.000Z',
  });
  expect(written).toBe('## 2026-01-01T00:00:00.000Z Note: Two lines\n\n\\## Decision: mine\n');
});

const AT = '2026-01-01T00:00:00.000Z';
const read = (...entries: JournalEntry[]) => parseJournal(entries.reduce(addToJournal, '')).entries;
/** An entry as it stands in a journal of its own. */
function readOne(entry: JournalEntry) {
  const [found] = read(entry);
  if (!found) throw new Error('The entry was not read.');
  return found;
}
const bodies = (entries: readonly JournalEntry[]) => entries.map(({ body }) => body);

test('a blocker is open until a Resolution names it, or a later one has its title', () => {
  const blocker: JournalEntry = { kind: 'Blocker', title: 'Key?', body: '' };
  const other: JournalEntry = { kind: 'Blocker', title: 'Colour?', body: '' };
  const byHand: JournalEntry = { kind: 'Resolution', title: 'key?', body: 'Here.' };
  const asked = readOne(blocker);
  const named = buildResolution(asked, 'Here.', AT);
  const open = (...entries: JournalEntry[]) =>
    findOpenBlockers(read(...entries)).map(({ title }) => title);
  expect(open(blocker, other)).toEqual(['Key?', 'Colour?']);
  for (const resolution of [named, byHand]) {
    expect(open(blocker, other, resolution)).toEqual(['Colour?']);
  }
  expect(open(byHand, blocker)).toEqual(['Key?']);
  expect(open(blocker, byHand, { ...blocker, body: 'Again.' })).toEqual(['Key?']);
});

test('a question that was asked twice in the same words is answered once; in other words it stays open', () => {
  const ask = (body: string, time: string): JournalEntry => ({
    kind: 'Blocker',
    title: 'Key?',
    body,
    time,
  });
  const asked = read(
    ask('Which?', '2026-01-01T00:00:01Z'),
    ask('Which?', '2026-01-01T00:00:02Z'),
    ask('And whose?', '2026-01-01T00:00:03Z'),
  );
  expect(bodies(findOpenBlockers(asked))).toEqual(['Which?', 'And whose?']);
  const answered = read(
    ...asked,
    buildResolution(readOne(ask('Which?', '2026-01-01T00:00:01Z')), 'Mine.', AT),
  );
  expect(bodies(findOpenBlockers(answered))).toEqual(['And whose?']);
});

test('feedback with the first line of older feedback is not lost when a run was told the older one', () => {
  const first = buildFeedback('Please fix the tests\n\ncart.test.ts fails', '2026-01-01T00:00:01Z');
  const second = buildFeedback(
    'Please fix the tests\n\norder.test.ts, too',
    '2026-01-01T00:00:02Z',
  );
  const told = readOne(first);
  const note = buildToldNote(told, { from: 'a', to: 'b' }, AT);
  expect(bodies(findOpenFeedback(read(first, second, note)))).toEqual([second.body]);
  // The same words again are said again: they are not what the run was told.
  expect(findOpenFeedback(read(first, first, note))).toHaveLength(1);
});

test('what a Resolution closes stays closed when somebody edits the entry, and nothing else is closed then', () => {
  const blocker: JournalEntry = { kind: 'Blocker', title: 'Key?', body: 'Wich?', time: AT };
  const other = { ...blocker, time: '2026-01-01T00:00:09Z' };
  const asked = readOne(blocker);
  const answer = buildResolution(asked, 'Mine.', '2026-01-02T00:00:00.000Z');
  const edited = { ...blocker, title: 'Which key?', body: 'Which?' };
  expect(findOpenBlockers(read(edited, answer))).toEqual([]);
  expect(findOpenBlockers(read(other, answer))).toHaveLength(1);
  const text = read(answer).reduce((it, entry) => addToJournal(it, entry), '');
  expect(text).toContain(`\n\nMine.\n\nResolves: ${asked.id}\n`);
  const moved = text.replace(/\n\nMine\.\n\n(Resolves: .*)\n/, '\n\n$1  \nMine, of course.\n');
  expect(parseJournal(moved).entries).toMatchObject([
    { body: 'Mine, of course.', resolves: asked.id },
  ]);
});

test('an id is the time of the entry and a digest of its words, also in a journal that people wrote', () => {
  const [dated, undated, again] = parseJournal(
    `## ${AT} Note: a\n\nText.  \n\n## Note: a\n## Note: a\n`,
  ).entries;
  expect(dated?.id).toMatch(/^2026-01-01T00:00:00\.000Z-[0-9a-f]{8}$/);
  expect(undated?.id).toMatch(/^undated-[0-9a-f]{8}$/);
  expect(again?.id).toBe(`${undated?.id}-2`);
});

test('an answer is work until a run was told it; what only closes feedback is no answer', () => {
  const blocker: JournalEntry = { kind: 'Blocker', title: 'Which port?', body: 'For tests.' };
  const feedback = buildFeedback('Round it', AT);
  const asked = readOne(blocker);
  const answer = buildResolution(asked, '8080.', AT);
  const asWritten = [blocker, feedback, answer];
  const untold = findUntold(read(...asWritten));
  expect([bodies(untold.answers), untold.feedback.length]).toEqual([['8080.'], 1]);
  expect(findAnswers(read(...asWritten))).toMatchObject([
    { resolution: { body: '8080.' }, question: { body: 'For tests.' }, isTold: false },
  ]);
  const commits = { from: 'a', to: 'b' };
  const told = [readOne(answer), readOne(feedback)].map((it) => buildToldNote(it, commits, AT));
  const after = read(...asWritten, ...told);
  expect(findUntold(after)).toEqual({ feedback: [], answers: [] });
  expect(findAnswers(after)).toMatchObject([{ resolution: { body: '8080.' }, isTold: true }]);
  // A person took the feedback back by hand, before or after a run was told.
  const dropped: JournalEntry = { kind: 'Resolution', title: 'Round it', body: 'Never mind.' };
  expect(findUntold(read(feedback, dropped))).toEqual({ feedback: [], answers: [] });
  expect(findUntold(read(...asWritten, ...told, dropped))).toEqual({ feedback: [], answers: [] });
});

test('an unclosed code fence hides no blocker', () => {
  const { entries } = parseJournal('## Note: a\n```\n## Blocker: b\n');
  expect(findOpenBlockers(entries)).toHaveLength(1);
});

test('without a name, a Resolution closes the feedback of its title; that is no answer to a question', () => {
  const { entries } = parseJournal(
    [
      '## Blocker: Which port?',
      '## Feedback: Round it',
      '## Resolution: Which port?',
      '## Feedback: Rename it',
      '## Resolution: round  IT',
      '## Feedback: Round it',
    ].join('\n'),
  );
  expect(findOpenFeedback(entries).map(({ title }) => title)).toEqual(['Rename it', 'Round it']);
  expect(findAnswers(entries).map(({ resolution }) => resolution.title)).toEqual(['Which port?']);
});

test('the title of feedback is its beginning, and nothing of the text is lost', () => {
  expect(buildFeedback(' Round it.\n', 't')).toEqual({
    kind: 'Feedback',
    title: 'Round it.',
    body: '',
    time: 't',
  });
  expect(buildFeedback('Round it.\n\nTo cents.', 't')).toMatchObject({
    title: 'Round it.',
    body: 'Round it.\n\nTo cents.',
  });
  const long = 'word '.repeat(40).trim();
  expect(buildFeedback(long, 't')).toMatchObject({ body: long });
  expect(buildFeedback(long, 't').title).toMatch(/^word [a-z ]+…$/);
  expect(buildFeedback(long, 't').title.length).toBeLessThanOrEqual(72);
});
