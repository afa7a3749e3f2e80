import { expect } from 'vitest';
import { contract } from '../rig/client/contract.ts';
import { outcomeOf } from './support/outcome-of-run.ts';
import { isAlive, signalDuringBash } from './support/signal-during-bash.ts';

contract('SIGINT ends Bash children and writes a result', { since: '2.1.100' }, async (stage) => {
  using signalled = await signalDuringBash(stage, 'SIGINT');
  expect(signalled.run.result).toMatchObject({
    subtype: 'error_during_execution',
    is_error: true,
    terminal_reason: 'aborted_tools',
  });
  await expect.poll(() => isAlive(signalled.sleeper)).toBe(false);
});

contract('SIGINT exits 0 although the result is an error', { since: '2.1.233' }, async (stage) => {
  using signalled = await signalDuringBash(stage, 'SIGINT');
  expect(outcomeOf(signalled.run)).toEqual({
    code: 0,
    subtype: 'error_during_execution',
    isError: true,
  });
});
