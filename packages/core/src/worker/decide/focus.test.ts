import { expect, test } from 'vitest';
import { decideFocus, listOwnTasks } from './focus.ts';

const task = (id: string, more: object = {}) => ({
  id,
  subject: `Do ${id}`,
  status: 'pending' as const,
  blockedBy: [] as string[],
  ...more,
});
const say = (tasks: ReturnType<typeof task>[], haveTests: string[] = []) => {
  const focus = decideFocus(tasks, new Set(haveTests), 'task');
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

test('in mode story the tasks without tests share a run, and the others come one by one after it', () => {
  const say = (tasks: ReturnType<typeof task>[], haveTests: string[] = []) => {
    const focus = decideFocus(tasks, new Set(haveTests), 'story');
    return focus && `${focus.role} ${focus.taskId}`;
  };
  const a = task('a', { needsTests: true });
  expect(say([a, task('b')])).toBeUndefined();
  expect(say([a, task('b', { blockedBy: ['a'] })])).toBe('tests a');
  expect(say([a, task('b', { blockedBy: ['a'] })], ['a'])).toBe('work a');
  expect(
    say([task('a', { status: 'completed' }), task('b', { blockedBy: ['a'] })]),
  ).toBeUndefined();
  expect(say([a, task('b', { escalated: true })])).toBe('tests a');
});

test('a run may change only the statuses of its own tasks', () => {
  const tasks = [task('a', { needsTests: true }), task('b'), task('c', { escalated: true })];
  const focus = (role: 'tests' | 'work') => ({ taskId: 'a', subject: '', role });
  expect(listOwnTasks(tasks, undefined)).toEqual(['b']);
  expect(listOwnTasks(tasks, focus('tests'))).toEqual([]);
  expect(listOwnTasks(tasks, focus('work'))).toEqual(['a']);
});
