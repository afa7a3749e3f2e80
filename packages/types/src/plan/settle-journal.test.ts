import { describe, expect, test } from 'vitest';
import { settleJournal } from './settle-journal.ts';

const BEFORE = '# Journal\n\n## Decision: SQLite\n\nSmall.\n\n## Blocker: Which port?\n';
const nobody = () => false;

describe('what a run adds', () => {
  test('stays as it wrote it', () => {
    const after = `${BEFORE}\n\n\n## Note: done   \nText\n`;
    expect(settleJournal(BEFORE, after, nobody)).toEqual({
      text: after,
      isRewritten: false,
      dropped: [],
    });
  });

  test('stays also if it rewrote the rest, which is put back', () => {
    const after = '## Note: mine\n\n## Decision: SQLite\n\nLarge.\n';
    expect(settleJournal(BEFORE, after, nobody)).toEqual({
      text: `${BEFORE}\n## Note: mine\n\n## Decision: SQLite\n\nLarge.\n`,
      isRewritten: true,
      dropped: [],
    });
  });
});

describe('an earlier entry is put back', () => {
  test.each([
    ['removed', ''],
    ['given another body', BEFORE.replace('Small.', 'Small. Or not.')],
    ['given more text at the end', `${BEFORE}More.\n`],
    ['moved', '# Journal\n\n## Blocker: Which port?\n\n## Decision: SQLite\n\nSmall.\n'],
  ])('%s', (_, after) => {
    const { text, isRewritten } = settleJournal(BEFORE, after, nobody);
    expect(isRewritten).toBe(true);
    expect(text.startsWith(BEFORE.trimEnd())).toBe(true);
  });

  test('also the text before the first entry', () => {
    const { text } = settleJournal(BEFORE, BEFORE.replace('# Journal', 'x'), nobody);
    expect(text).toBe(BEFORE);
  });
});

describe('an answer of the run does not count', () => {
  const answer = '\n## Resolution: Which port?\n\n80\n';
  const feedback = '\n## Feedback: Less tests\n';
  test('it is dropped, and the rest stays', () => {
    const after = `${BEFORE}${answer}\n## Note: x\n${feedback}`;
    const settled = settleJournal(BEFORE, after, nobody);
    expect(settled.text).toBe(`${BEFORE}\n## Note: x\n`);
    expect(settled.isRewritten).toBe(false);
    expect(settled.dropped.map(({ title }) => title)).toEqual(['Which port?', 'Less tests']);
  });

  test('a person answers while the run works', () => {
    const after = BEFORE + answer;
    const settled = settleJournal(BEFORE, after, ({ body }) => body === '80');
    expect(settled).toEqual({ text: after, isRewritten: false, dropped: [] });
  });
});

test('a journal that did not exist is the one that the run wrote', () => {
  expect(settleJournal('', '## Note: a\n', nobody).text).toBe('## Note: a\n');
  expect(settleJournal('', '## Resolution: a\n', nobody).text).toBe('');
});
