import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { outcomeOf, RETRY_ONCE, retriesOf, SUCCESS, turnsOf } from '../support/outcome-of-run.ts';

const cut = {
  turns: [
    { text: 'Half of this is lost.', fault: { kind: 'cut-stream' as const } },
    { text: 'Done.' },
  ],
  env: RETRY_ONCE,
};

contract('a stream cut in the middle is asked for again, and the run succeeds', {}, async (it) => {
  const run = await it.run(cut);
  expect(outcomeOf(run)).toEqual(SUCCESS);
  expect(run.result?.result).toBe('Done.');
  expect(turnsOf(run.model)).toHaveLength(2);
});

contract('a cut stream is announced as a retry', { since: '2.1.200' }, async (stage) => {
  expect(retriesOf(await stage.run(cut))).toEqual([
    { attempt: 1, max_retries: 1, error_status: null, error: 'unknown' },
  ]);
});
