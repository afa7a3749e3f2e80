import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import {
  API_FAILURE,
  failureOf,
  outcomeOf,
  RETRY_ONCE,
  retriesOf,
  turnsOf,
} from '../support/outcome-of-run.ts';

const refused = { turns: [{ fault: { status: 401, times: 'always' as const } }], env: RETRY_ONCE };

contract('status 401 is retried although it cannot help', {}, async (stage) => {
  const run = await stage.run(refused);
  expect(outcomeOf(run)).toEqual(API_FAILURE);
  expect(turnsOf(run.model)).toHaveLength(2);
  expect(failureOf(run)?.error).toBe('authentication_failed');
});

contract('the retry of a 401 is announced before it happens', { since: '2.1.100' }, async (it) => {
  expect(retriesOf(await it.run(refused))).toEqual([
    { attempt: 1, max_retries: 1, error_status: 401, error: 'authentication_failed' },
  ]);
});
