import type { Task, TaskStatus } from '@saga-ai/types/plan/task';
import { expect, test } from 'vitest';
import type { ClaudeTask } from './claude-task.ts';
import { toClaudeTasks } from './claude-task.ts';
import { decideSync, type SyncPlan } from './task-sync.ts';

const task = (id: string, status: TaskStatus, more: Partial<Task> = {}): Task => ({
  id,
  subject: id,
  description: '',
  status,
  blockedBy: [],
  ...more,
});
const native = (id: string, status: TaskStatus, metadata = {}): ClaudeTask => ({
  ...(toClaudeTasks([task(id, status)])[0] as ClaudeTask),
  metadata,
});

test.each<[string, Task[], ClaudeTask[], string[], boolean, SyncPlan]>([
  [
    'equal lists change nothing',
    [task('a', 'pending')],
    [native('a', 'pending')],
    [],
    true,
    { changes: [], notes: [] },
  ],
  [
    'a completed task is taken over',
    [task('a', 'pending')],
    [native('a', 'completed')],
    [],
    true,
    {
      changes: [
        { taskId: 'a', from: 'pending', to: 'completed', why: 'the list says so', putBack: false },
      ],
      notes: [],
    },
  ],
  [
    'one in progress stays so while the run is at work',
    [task('a', 'pending')],
    [native('a', 'in_progress')],
    [],
    false,
    {
      changes: [
        {
          taskId: 'a',
          from: 'pending',
          to: 'in_progress',
          why: 'the list says so',
          putBack: false,
        },
      ],
      notes: [],
    },
  ],
  [
    'one left in progress goes back, and the attempt counts',
    [task('a', 'in_progress', { attempts: 1 })],
    [native('a', 'in_progress')],
    [],
    true,
    {
      changes: [
        {
          taskId: 'a',
          from: 'in_progress',
          to: 'pending',
          why: 'the run ended before it was completed',
          attempt: { attempts: 2, lastOutcome: 'failed' },
          putBack: true,
        },
      ],
      notes: [],
    },
  ],
  [
    'cut off after the list was put back, the count is taken over and not raised again',
    [task('a', 'in_progress', { attempts: 1 })],
    [native('a', 'pending', { attempt_count: 2, last_outcome: 'failed' })],
    [],
    true,
    {
      changes: [
        {
          taskId: 'a',
          from: 'in_progress',
          to: 'pending',
          why: 'the list says so',
          attempt: { attempts: 2, lastOutcome: 'failed' },
          putBack: false,
        },
      ],
      notes: [],
    },
  ],
  [
    'deleted, unreadable and new tasks change nothing',
    [task('gone', 'completed'), task('bad', 'pending')],
    [native('7', 'in_progress')],
    ['bad'],
    true,
    {
      changes: [],
      notes: [
        { taskId: 'gone', kind: 'vanished' },
        { taskId: 'bad', kind: 'invalid' },
        { taskId: '7', kind: 'created-by-run' },
      ],
    },
  ],
  [
    'metadata a model made up is not believed',
    [task('a', 'pending')],
    [native('a', 'pending', { attempt_count: 'many', last_outcome: 'great' })],
    [],
    true,
    { changes: [], notes: [] },
  ],
])('%s', (_, story, list, invalid, ended, expected) => {
  const source = { story, native: list, invalid };
  const plan = decideSync(ended ? { ...source, ended: { outcome: 'failed' } } : source);
  expect(plan).toEqual(expected);
});

test('a run changes only the statuses of its own tasks', () => {
  const story = [
    task('a', 'in_progress'),
    task('b', 'pending'),
    task('c', 'in_progress'),
    task('d', 'completed'),
    task('e', 'completed'),
  ];
  const list = [
    native('a', 'completed'),
    native('b', 'completed'),
    native('c', 'in_progress'),
    native('d', 'in_progress'),
    native('e', 'pending'),
  ];
  const ended = { own: ['a'], outcome: 'failed' as const };
  const { changes, notes } = decideSync({ story, native: list, invalid: [], ended });
  expect(changes.map(({ taskId, to, attempt }) => [taskId, to, attempt])).toEqual([
    ['a', 'completed', undefined],
    // No attempt at a task of others.
    ['c', 'pending', undefined],
  ]);
  expect(notes).toEqual(['b', 'd', 'e'].map((taskId) => ({ taskId, kind: 'not-its-task' })));
});
