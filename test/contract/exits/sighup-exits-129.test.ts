import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { isAlive, signalDuringBash } from '../support/signal-during-bash.ts';

contract('SIGHUP exits 129 without a result and runs the SessionEnd hook', {}, async (stage) => {
  using signalled = await signalDuringBash(stage, 'SIGHUP');
  const { run, sessionEnd } = signalled;
  expect({ code: run.code, signal: run.signal }).toEqual({ code: 129, signal: null });
  expect(run.result).toBeUndefined();
  await expect.poll(sessionEnd).toMatchObject({ hook_event_name: 'SessionEnd', reason: 'other' });
});

contract('SIGHUP ends Bash children', { since: '2.1.325' }, async (stage) => {
  using signalled = await signalDuringBash(stage, 'SIGHUP');
  await expect.poll(() => isAlive(signalled.sleeper)).toBe(false);
});
