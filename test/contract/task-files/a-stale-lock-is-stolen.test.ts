import { existsSync } from 'node:fs';
import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { create, update } from '../support/tasks-call-tools.ts';
import { holdLock, startCall } from '../support/tasks-locks.ts';

contract(
  'a lock that nobody has touched for more than ten seconds is stolen at once',
  { since: '2.1.88' },
  async (stage) => {
    stage.writeTask('a');
    for (const [name, call] of [
      ['a.json', update('a', { status: 'in_progress' })],
      ['.lock', create('N')],
    ] as const) {
      using lock = holdLock(stage, name, { ageMs: 11_000 });
      const { answered, ended } = await startCall(stage, call);
      // One that were waited for would be an error after some 2.7 seconds.
      expect(await answered).toMatchObject({ isError: false });
      await ended;
      expect(existsSync(lock.path)).toBe(false);
    }
    expect(stage.readTask('a').status).toBe('in_progress');
    expect(stage.readTask('1').subject).toBe('N');
  },
);
