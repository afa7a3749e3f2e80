import { existsSync } from 'node:fs';
import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { update } from '../support/tasks-call-tools.ts';
import { holdLock, startCall } from '../support/tasks-locks.ts';

contract(
  'TaskUpdate gives up a lock that stays held after some 2.7 seconds, with an error',
  { since: '2.1.88' },
  async (stage) => {
    stage.writeTask('a');
    using lock = holdLock(stage, 'a.json');
    const { answered, ended } = await startCall(stage, update('a', { status: 'in_progress' }));
    const { ms, ...answer } = await answered;
    expect(answer).toEqual({ text: 'Lock file is already being held', isError: true });
    expect(ms).toBeGreaterThan(2_000);
    expect((await ended).result).toMatchObject({ subtype: 'success', is_error: false });
    expect(stage.readTask('a').status).toBe('pending');
    expect(existsSync(lock.path)).toBe(true);
  },
);
