import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { isAlive, signalDuringBash } from '../support/signal-during-bash.ts';

contract('SIGTERM exits 143 and never with a success', {}, async (stage) => {
  using signalled = await signalDuringBash(stage, 'SIGTERM');
  const { code, signal, result, init } = signalled.run;
  expect({ code, signal }).toEqual({ code: 143, signal: null });
  expect(init?.session_id).toEqual(expect.any(String));
  // 2.1.233 alone writes a result, of a run that was aborted.
  expect(result?.subtype ?? 'none').toMatch(/^(none|error_during_execution)$/);
});

contract(
  'SIGTERM ends Bash children, runs the SessionEnd hook and writes no result',
  { since: '2.1.325' },
  async (stage) => {
    using signalled = await signalDuringBash(stage, 'SIGTERM');
    const { run, sleeper, sessionEnd } = signalled;
    expect(run.result).toBeUndefined();
    await expect.poll(sessionEnd).toMatchObject({ hook_event_name: 'SessionEnd', reason: 'other' });
    await expect.poll(() => isAlive(sleeper)).toBe(false);
  },
);

contract('SIGTERM leaves Bash children running', { until: '2.1.201' }, async (stage) => {
  using signalled = await signalDuringBash(stage, 'SIGTERM');
  expect(isAlive(signalled.sleeper)).toBe(true);
});
