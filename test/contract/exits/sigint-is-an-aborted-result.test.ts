import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import type { Stage } from '../../rig/client/stage.ts';
import { outcomeOf } from '../support/outcome-of-run.ts';
import { isAlive, type Signalled, signalDuringBash } from '../support/signal-during-bash.ts';

/** On a busy machine the client may be gone before it has written its result. That it writes one is looked at. */
async function interrupt(stage: Stage): Promise<Signalled> {
  for (let tries = 0; tries < 10; tries++) {
    const signalled = await signalDuringBash(stage, 'SIGINT');
    if (signalled.run.result !== undefined) return signalled;
    signalled[Symbol.dispose]();
  }
  throw new Error('The client wrote no result, ten times.');
}

contract('SIGINT ends Bash children and writes a result', { since: '2.1.100' }, async (stage) => {
  using signalled = await interrupt(stage);
  expect(signalled.run.result).toMatchObject({
    subtype: 'error_during_execution',
    is_error: true,
    terminal_reason: 'aborted_tools',
  });
  await expect.poll(() => isAlive(signalled.sleeper)).toBe(false);
});

contract('SIGINT exits 0 although the result is an error', { since: '2.1.233' }, async (stage) => {
  using signalled = await interrupt(stage);
  expect(outcomeOf(signalled.run)).toEqual({
    code: 0,
    subtype: 'error_during_execution',
    isError: true,
  });
});
