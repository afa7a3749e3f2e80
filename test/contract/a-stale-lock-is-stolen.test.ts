import { existsSync } from 'node:fs';
import { expect } from 'vitest';
import { contract } from '../rig/contract.ts';
import { create, update } from './support/tasks-call-tools.ts';
import { holdLock, startCall } from './support/tasks-locks.ts';

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
      const { ms, isError } = await answered;
      expect(isError).toBe(false);
      expect(ms).toBeLessThan(2_500);
      await ended;
      expect(existsSync(lock.path)).toBe(false);
    }
    expect(stage.readTask('a').status).toBe('in_progress');
    expect(stage.readTask('1').subject).toBe('N');
  },
);
