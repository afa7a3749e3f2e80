import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { API_FAILURE, outcomeOf, retriesOf, turnsOf } from '../support/outcome-of-run.ts';

contract('status 400 is tried at most a few times, at once and unannounced', {}, async (stage) => {
  // Ten retries are allowed here: they would take minutes.
  const run = await stage.run({ turns: [{ fault: { status: 400, times: 'always' } }] });
  expect(outcomeOf(run)).toEqual(API_FAILURE);
  expect(retriesOf(run)).toEqual([]);
  expect(turnsOf(run.model).length).toBeLessThanOrEqual(6);
});
