import type { ReviewFile } from '@saga-ai/types/screens/review/review';
import { expect, test } from 'vitest';
import type { Draft } from '../drafts.ts';
import { estimateHeight, listItems } from './diff-items.ts';
import { listSplit, listUnified, placeOf } from './diff-rows.ts';

const HUNK = {
  oldStart: 4,
  newStart: 5,
  heading: '',
  lines: [' a', '-b', '-c', '+B', ' d', '+e', '\\ No newline at end of file'],
};

const places = (rows: ReturnType<typeof listSplit>) =>
  rows.map(({ left, right }) => [left?.line ?? null, right?.line ?? null]);

test('one below the other, each line has its number before and after', () => {
  expect(places(listUnified(HUNK))).toEqual([
    [4, 5],
    [5, null],
    [6, null],
    [null, 6],
    [7, 7],
    [null, 8],
    [null, null],
  ]);
  expect(listUnified(HUNK).at(-1)?.remark).toBe('No newline at end of file');
});

test('side by side, removed lines stand beside those that came for them', () => {
  const rows = listSplit(HUNK);
  expect(places(rows)).toEqual([
    [4, 5],
    [5, 6],
    [6, null],
    [7, 7],
    [null, 8],
  ]);
  expect(rows.map(placeOf).map((it) => `${it?.side} ${it?.line}`)).toEqual([
    'new 5',
    'new 6',
    'old 6',
    'new 7',
    'new 8',
  ]);
});

const file = (path: string, more: Partial<ReviewFile> = {}): ReviewFile => ({
  ...{ path, change: 'changed', added: 1, removed: 1, content: 'c' },
  ...more,
});

const draft = (path: string, side: Draft['side'], line: number): Draft => ({
  ...{ key: `${path} ${side} ${line}`, path, side, line, text: 'no', content: 'c' },
  ...{ from: 'f', to: 't', file: 0 },
});

test('a remark stands below its line, and is not lost if the line is gone or the file is folded', () => {
  const files = [file('a'), file('b', { fold: 'generated' }), file('c')];
  const drafts = [draft('a', 'old', 5), draft('a', 'new', 99), draft('b', 'new', 1)];
  const items = listItems({
    ...{ files, drafts, view: 'unified', isFolded: (at) => at === 1 },
    diffs: new Map([[0, { hunks: [HUNK], omitted: 3 }]]),
  });
  expect(items.map(({ kind }) => kind)).toEqual([
    ...['file', 'hunk', 'rows', 'draft', 'rows', 'draft', 'note'],
    ...['file', 'note', 'draft'],
    ...['file', 'unloaded'],
  ]);
  expect(items[2]).toMatchObject({ rows: { length: 2 } });
  expect(items[6]).toMatchObject({ text: '3 more lines are not shown.', offers: 'whole' });
  expect(new Set(items.map(({ key }) => key)).size).toBe(items.length);
});

test('a long line is as high as the lines that it is wrapped into', () => {
  const hunk = { ...HUNK, lines: [`+${'x'.repeat(95)}`, ' y'] };
  const [item] = listItems({
    ...{ files: [file('a')], drafts: [], view: 'unified', isFolded: () => false },
    diffs: new Map([[0, { hunks: [hunk], omitted: 0 }]]),
  }).filter(({ kind }) => kind === 'rows');
  expect(estimateHeight(item, 10)).toBe(11 * 20);
});
