import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { outcomeOf, retriesOf, SUCCESS, turnsOf } from '../support/outcome-of-run.ts';

contract('a stream that trickles is waited for and not asked for again', {}, async (stage) => {
  const run = await stage.run({
    turns: [{ text: 'Done.', fault: { kind: 'slow-stream', pauseMs: 250 } }],
  });
  expect(outcomeOf(run)).toEqual(SUCCESS);
  expect(run.result?.result).toBe('Done.');
  expect(turnsOf(run.model)).toHaveLength(1);
  expect(retriesOf(run)).toEqual([]);
  expect(run.ms).toBeGreaterThan(7 * 250);
});
