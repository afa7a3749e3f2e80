import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { create, update } from '../support/tasks-call-tools.ts';
import { callWhileHeld } from '../support/tasks-locks.ts';

contract(
  'TaskUpdate waits for a lock that is held for 500 ms',
  { since: '2.1.88' },
  async (stage) => {
    stage.writeTask('a');
    const call = update('a', { status: 'in_progress' });
    const answer = await callWhileHeld(stage, 'a.json', call, () =>
      expect(stage.readTask('a').status).toBe('pending'),
    );
    expect(answer).toEqual({ text: 'Updated task #a status', isError: false, code: 0 });
    expect(stage.readTask('a').status).toBe('in_progress');
  },
);

contract('TaskCreate waits for .lock.lock to go', { since: '2.1.86' }, async (stage) => {
  const answer = await callWhileHeld(stage, '.lock', create('N'), () =>
    expect(stage.taskFiles()).toEqual(['.lock', '.lock.lock']),
  );
  expect(answer).toEqual({ text: 'Task #1 created successfully: N', isError: false, code: 0 });
});
