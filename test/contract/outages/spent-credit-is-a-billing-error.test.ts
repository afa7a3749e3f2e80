import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import {
  API_FAILURE,
  failureOf,
  outcomeOf,
  retriesOf,
  turnsOf,
} from '../support/outcome-of-run.ts';

contract('spent credit ends the run as a billing error, without a retry', {}, async (stage) => {
  const message = 'Your credit balance is too low to access the Anthropic API.';
  const run = await stage.run({ turns: [{ fault: { status: 400, message, times: 'always' } }] });
  expect(outcomeOf(run)).toEqual(API_FAILURE);
  expect(run.result?.result).toBe('Credit balance is too low');
  expect(failureOf(run)?.error).toBe('billing_error');
  expect(retriesOf(run)).toEqual([]);
  // 2.1.233 asks once more, with fewer features.
  expect(turnsOf(run.model).length).toBeLessThanOrEqual(2);
});
