import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import {
  API_FAILURE,
  failureOf,
  outcomeOf,
  retriesOf,
  turnsOf,
} from '../support/outcome-of-run.ts';

contract('status 403 ends the run at the first attempt', {}, async (stage) => {
  const run = await stage.run({ turns: [{ fault: { status: 403, times: 'always' } }] });
  expect(outcomeOf(run)).toEqual(API_FAILURE);
  expect(turnsOf(run.model)).toHaveLength(1);
  expect(retriesOf(run)).toEqual([]);
  expect(failureOf(run)?.error).toBe('authentication_failed');
});
