import type { Task } from '@saga-ai/types/plan/task';
import { expect, test } from 'vitest';
import { findTooLarge, type TooLarge } from './find-too-large.ts';

const CEILING = { files: 5, lines: 200 };
const SMALL = { files: 1, lines: 10 };
const LARGE = { files: 2, lines: 201 };

const task = (id: string, more: Partial<Task> = {}) => ({
  id,
  status: 'pending' as const,
  ...more,
});
const failed = (attempts: number) => task('a', { attempts, lastOutcome: 'failed' });

test.each<[string, Partial<Task>[], typeof SMALL, TooLarge['why'] | undefined]>([
  ['one attempt', [failed(1)], SMALL, undefined],
  ['two attempts', [failed(2)], SMALL, 'tried'],
  ['a stall', [task('a', { attempts: 1, lastOutcome: 'stalled' })], SMALL, 'stalled'],
  ['too many lines', [failed(1)], LARGE, 'grown'],
  ['too many files', [failed(1)], { files: 6, lines: 6 }, 'grown'],
  ['as much as is allowed', [failed(1)], { files: 5, lines: 200 }, undefined],
  [
    'much, but something was completed',
    [failed(1), task('b', { status: 'completed' })],
    LARGE,
    undefined,
  ],
  ['a task that nobody tried', [task('a')], LARGE, undefined],
  ['a part of a task that was split', [{ ...failed(2), splitFrom: 'x' }], SMALL, undefined],
  ['a task that waits for a person', [{ ...failed(3), escalated: true }], SMALL, undefined],
])('%s', (_, after, grown, why) => {
  const before = [task('a'), task('b')];
  expect(findTooLarge(before, after as Task[], grown, CEILING)?.why).toBe(why);
});

test('only what the last run tried counts', () => {
  expect(findTooLarge([failed(2)], [failed(2)], LARGE, CEILING)).toBeUndefined();
});
