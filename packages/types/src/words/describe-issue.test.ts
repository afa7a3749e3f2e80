import { expect, test } from 'vitest';
import { Config } from '../config.ts';
import { Task } from '../plan/task.ts';
import type { Schema } from '../schema.ts';
import { describeIssues } from './describe-issue.ts';

const task = { id: 'a', subject: 's', description: 'd', status: 'pending', blockedBy: [] };

test.each<[string, Schema<unknown>, unknown, string]>([
  ['missing', Task, { ...task, subject: undefined }, 'subject is missing'],
  ['type', Task, { ...task, description: 3 }, 'description must be a string (found 3)'],
  [
    'choice',
    Task,
    { ...task, status: 'done' },
    'status must be one of pending, in_progress, completed (found "done")',
  ],
  ['empty', Task, { ...task, subject: '' }, 'subject must not be empty (found "")'],
  ['list', Task, { ...task, blockedBy: ['a', 7] }, 'blockedBy[1] must be a string (found 7)'],
  ['not an object', Task, [], ' must be an object (found [])'],
  ['unknown key', Config, { worker: { maxCylces: 1 } }, 'worker.maxCylces is not a known key'],
  ['number', Config, { worker: { maxCycles: 0 } }, 'worker.maxCycles must be at least 1 (found 0)'],
])('%s', (_, schema, input, expected) => {
  const result = schema.safeParse(input);
  if (result.success) throw new Error('should not fit');
  const [issue] = describeIssues(result.error, input);
  expect(`${issue?.field} ${issue?.message}`).toBe(expected);
});

test('an id is described by its rule', () => {
  const input = { ...task, id: 'Cart' };
  const result = Task.safeParse(input);
  if (result.success) throw new Error('should not fit');
  expect(describeIssues(result.error, input)[0]?.message).toMatch(/lower-case letters, digits/);
});
