import { expect, test } from 'vitest';
import { decideFocus } from './focus.ts';

const task = (id: string, more: object = {}) => ({
  id,
  subject: `Do ${id}`,
  status: 'pending' as const,
  blockedBy: [] as string[],
  ...more,
});
const say = (tasks: ReturnType<typeof task>[], haveTests: string[] = []) => {
  const focus = decideFocus(tasks, new Set(haveTests));
  return focus && `${focus.role} ${focus.taskId}`;
};

test.each<[string, ReturnType<typeof task>[], string[], string | undefined]>([
  ['the first that waits for nothing', [task('b', { blockedBy: ['a'] }), task('a')], [], 'work a'],
  [
    'the next when that is completed',
    [task('b', { blockedBy: ['a'] }), task('a', { status: 'completed' })],
    [],
    'work b',
  ],
  ['one that was left in progress', [task('a', { status: 'in_progress' })], [], 'work a'],
  ['not one that is for a person', [task('a', { escalated: true }), task('b')], [], 'work b'],
  ['none when all is completed', [task('a', { status: 'completed' })], [], undefined],
  [
    'none when all wait',
    [task('a', { escalated: true }), task('b', { blockedBy: ['a'] })],
    [],
    undefined,
  ],
  ['tests first', [task('a', { needsTests: true })], [], 'tests a'],
  ['then the work', [task('a', { needsTests: true })], ['a'], 'work a'],
])('%s', (_, tasks, haveTests, expected) => {
  expect(say(tasks, haveTests)).toBe(expected);
});
