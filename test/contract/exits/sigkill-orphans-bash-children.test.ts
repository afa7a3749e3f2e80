import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { groupOf, isAlive, signalDuringBash } from '../support/signal-during-bash.ts';

contract(
  'SIGKILL leaves Bash children running, in a group of their own, and no word of the end',
  {},
  async (stage) => {
    using signalled = await signalDuringBash(stage, 'SIGKILL');
    const { run, client, sleeper, sessionEnd } = signalled;
    expect({ code: run.code, signal: run.signal }).toEqual({ code: null, signal: 'SIGKILL' });
    expect(run.result).toBeUndefined();
    expect(sessionEnd()).toBeUndefined();
    expect(isAlive(sleeper)).toBe(true);
    // So killing the client's group does not reach them.
    expect(groupOf(sleeper)).toBe(sleeper);
    expect(groupOf(sleeper)).not.toBe(client);
  },
);
