import type { Task } from '@saga-ai/types/plan/task';
import { expect, test } from 'vitest';
import { viewTasks } from './task-rows.ts';

const task = (id: string, status: Task['status'], blockedBy: string[] = []): Task => ({
  id,
  subject: id,
  description: '',
  status,
  blockedBy,
});

test('a task waits only for what is not completed', () => {
  const views = viewTasks([
    task('model', 'completed'),
    task('api', 'pending', ['model']),
    task('page', 'pending', ['model', 'api']),
    task('docs', 'in_progress', ['page']),
  ]);
  expect(views.map(({ task: { id }, unmet, state }) => [id, state.word, unmet])).toEqual([
    ['model', 'done', []],
    ['api', 'pending', []],
    ['page', 'waiting', ['api']],
    ['docs', 'started', []],
  ]);
});
