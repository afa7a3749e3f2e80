import type { Task } from '@saga-ai/types/plan/task';
import { expect, test } from 'vitest';
import { ClaudeTask, formatClaudeDescription, toClaudeTasks } from './claude-task.ts';

const tests: Task = {
  id: 'tests',
  subject: 'Write tests',
  description: 'Cover the cart.',
  status: 'completed',
  blockedBy: [],
};
const model: Task = {
  id: 'model',
  subject: 'Implement',
  description: 'The cart model.',
  status: 'pending',
  blockedBy: ['tests'],
  activeForm: 'Implementing',
  guidance: 'Keep it small.',
  doneWhen: 'npm test passes.',
  needsTests: true,
};

test('a native task shows all a model must know, and mirrors its dependencies', () => {
  expect(toClaudeTasks([tests, model])).toEqual([
    {
      id: 'tests',
      subject: 'Write tests',
      description: 'Cover the cart.',
      status: 'completed',
      blocks: ['model'],
      blockedBy: [],
      metadata: { semantic_id: 'tests' },
    },
    {
      id: 'model',
      subject: 'Implement',
      description:
        'The cart model.\n\nTests first: write the tests of this task, see them fail, and then write the code that makes them pass.\n\n## Guidance\nKeep it small.\n\n## Done when\nnpm test passes.',
      activeForm: 'Implementing',
      status: 'pending',
      blocks: [],
      blockedBy: ['tests'],
      metadata: {
        semantic_id: 'model',
        guidance: 'Keep it small.',
        doneWhen: 'npm test passes.',
        needs_tests: true,
      },
    },
  ]);
});

test('no optional key is written as null or undefined: the client would not read the file', () => {
  const [native] = toClaudeTasks([tests]);
  expect(Object.keys(native ?? {})).not.toContain('activeForm');
  expect(ClaudeTask.safeParse(JSON.parse(JSON.stringify(native))).success).toBe(true);
  expect(ClaudeTask.safeParse({ ...native, activeForm: null }).success).toBe(false);
});

test('a task without guidance reads as its description', () => {
  expect(formatClaudeDescription(tests)).toBe('Cover the cart.');
});
