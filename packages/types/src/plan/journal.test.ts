import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  buildFeedback,
  buildResolution,
  findAnswers,
  findOpenBlockers,
  findOpenFeedback,
  formatJournalEntry,
  formatTitle,
  JOURNAL_KINDS,
  type JournalEntry,
  parseJournal,
} from './journal.ts';

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
      expect(parseJournal(entries.map(formatJournalEntry).join('\n'))).toEqual({
        preamble: '',
        entries,
      });
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
  expect(journal.entries).toEqual([
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

test('a blocker is open until a later resolution of the same title', () => {
  const blocker: JournalEntry = { kind: 'Blocker', title: 'Key?', body: '' };
  const other: JournalEntry = { kind: 'Blocker', title: 'Colour?', body: '' };
  const resolution = buildResolution(blocker, 'Here.', '2026-01-01T00:00:00.000Z');
  expect(findOpenBlockers([blocker, other])).toEqual([blocker, other]);
  expect(findOpenBlockers([blocker, other, resolution])).toEqual([other]);
  expect(findOpenBlockers([resolution, blocker])).toEqual([blocker]);
  expect(findOpenBlockers([blocker, resolution, blocker])).toEqual([blocker]);
});

test('an unclosed code fence hides no blocker', () => {
  const { entries } = parseJournal('## Note: a\n```\n## Blocker: b\n');
  expect(findOpenBlockers(entries)).toHaveLength(1);
});

test('feedback is open until a later Resolution of its title; that is no answer to a question', () => {
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
  expect(findAnswers(entries).map(({ title }) => title)).toEqual(['Which port?']);
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
