import { expect, test } from 'vitest';
import { MOST_PROPOSED, splitFollowUps } from './split-follow-ups.ts';

test('each heading is a story of its own, without what a run may not say', () => {
  const text = `## Rounding is wrong {#rounding}

src/money.js rounds half down.

**Done when:** node --test passes
after: second

- [x] Fix round()

## Second

Text.
`;
  const [first, second, ...more] = splitFollowUps(text);
  expect(more).toEqual([]);
  expect(first).toMatchObject({ title: 'Rounding is wrong', faults: [] });
  expect(first?.text).toContain('## Rounding is wrong {#rounding}');
  expect(first?.text).toContain('Fix round()');
  expect(first?.text).not.toMatch(/after:|\[x\]|completed/);
  expect(second).toMatchObject({ title: 'Second', faults: [] });
  // What is kept can be read again, and says the same.
  expect(splitFollowUps(first?.text ?? '')).toEqual([first]);
});

test('an epic around the stories is accepted, and left out', () => {
  const [only] = splitFollowUps('# Later\n\nThings.\n\n## One\n\nText.\n');
  expect(only).toMatchObject({ title: 'One', faults: [] });
  expect(only?.text).not.toContain('Later');
});

test.each([
  ['Just words.', 'line 1: text stands above the first heading'],
  ['### A task\n', 'line 1: this task has no story'],
  ['## A\n\n**Verfy:** `x`\n', 'line 3: '],
  [
    Array.from({ length: MOST_PROPOSED + 1 }, (_, i) => `## S ${i}\n`).join('\n'),
    'it has 11 stories',
  ],
])('what cannot be read is kept as it is, with its faults: %#', (text, fault) => {
  const [only, ...more] = splitFollowUps(text);
  expect(more).toEqual([]);
  expect(only?.text).toBe(text);
  expect(only?.faults[0]).toContain(fault);
  expect(only?.title).not.toBe('');
});

test('a shell comment in a block of code is no heading, and words above the stories are not lost', () => {
  const code = '## One\n\n```sh\n# run it\nnpm test\n```\n\n## Two\n\nText.\n';
  expect(splitFollowUps(code).map(({ title, faults }) => [title, faults])).toEqual([
    ['One', []],
    ['Two', []],
  ]);
  const [only] = splitFollowUps(`Please note.\n\n${code}`);
  expect(only?.faults[0]).toBe('line 1: text stands above the first heading');
});

test('an empty file proposes nothing', () => {
  expect(splitFollowUps(' \n\n')).toEqual([]);
  expect(splitFollowUps('<!-- none -->\n')).toEqual([]);
});
