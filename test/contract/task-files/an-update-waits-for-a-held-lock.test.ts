import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { create, update } from '../support/tasks-call-tools.ts';
import { holdLock, startCall } from '../support/tasks-locks.ts';

contract(
  'TaskUpdate waits for a lock that is held for 500 ms',
  { since: '2.1.88' },
  async (stage) => {
    stage.writeTask('a');
    using lock = holdLock(stage, 'a.json');
    const { answered, ended } = await startCall(stage, update('a', { status: 'in_progress' }));
    await sleep(500);
    expect(stage.readTask('a').status).toBe('pending');
    lock.release();
    const { ms, ...answer } = await answered;
    expect(answer).toEqual({ text: 'Updated task #a status', isError: false });
    expect(ms).toBeGreaterThan(490);
    expect((await ended).code).toBe(0);
    expect(stage.readTask('a').status).toBe('in_progress');
  },
);

contract('TaskCreate waits for .lock.lock to go', { since: '2.1.86' }, async (stage) => {
  using lock = holdLock(stage, '.lock');
  const { answered } = await startCall(stage, create('N'));
  await sleep(500);
  expect(stage.taskFiles()).toEqual(['.lock', '.lock.lock']);
  lock.release();
  const { ms, ...answer } = await answered;
  expect(answer).toEqual({ text: 'Task #1 created successfully: N', isError: false });
  expect(ms).toBeGreaterThan(490);
});
