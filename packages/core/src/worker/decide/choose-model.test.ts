import { expect, test } from 'vitest';
import { chooseModel } from './choose-model.ts';

type Tasks = Parameters<typeof chooseModel>[1];
const SET = { model: 'sonnet', lastAttemptModel: 'opus', maxAttempts: 3 };
const task = (id: string, attempts: number, more: object = {}) => ({
  ...{ id, attempts, status: 'pending' as const },
  ...more,
});
const work = (taskId: string) => ({ taskId, subject: 's', role: 'work' as const });

test.each<
  [string, Partial<typeof SET> | { lastAttemptModel: null }, Tasks, string | undefined, string]
>([
  ['nothing was tried', {}, [task('a', 0)], undefined, 'sonnet'],
  ['the second attempt', {}, [task('a', 1)], undefined, 'sonnet'],
  ['the last attempt', {}, [task('a', 2)], undefined, 'opus'],
  ['the last attempt of one of several', {}, [task('a', 0), task('b', 2)], undefined, 'opus'],
  ['it is completed', {}, [task('a', 2, { status: 'completed' })], undefined, 'sonnet'],
  ['it waits for a person', {}, [task('a', 3, { escalated: true })], undefined, 'sonnet'],
  ['only the task of the run counts', {}, [task('a', 0), task('b', 2)], 'a', 'sonnet'],
  ['the task of the run', {}, [task('a', 0), task('b', 2)], 'b', 'opus'],
  ['no model is set', { lastAttemptModel: null }, [task('a', 2)], undefined, 'sonnet'],
  ['the only attempt is the last', { maxAttempts: 1 }, [task('a', 0)], undefined, 'opus'],
])('the model of a run: %s', (_, more, tasks, focus, model) => {
  const settings = { ...SET, ...more };
  expect(chooseModel(settings, tasks, focus === undefined ? undefined : work(focus))).toBe(model);
});

test('a run that only writes tests is no attempt', () => {
  expect(chooseModel(SET, [task('a', 2)], { ...work('a'), role: 'tests' })).toBe('sonnet');
});
