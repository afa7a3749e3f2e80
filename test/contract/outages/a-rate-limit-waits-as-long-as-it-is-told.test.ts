import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import {
  API_FAILURE,
  outcomeOf,
  RETRY_ONCE,
  retriesOf,
  SUCCESS,
  turnsOf,
} from '../support/outcome-of-run.ts';

contract('status 429 is retried and then ends the run', {}, async (stage) => {
  const run = await stage.run({
    turns: [{ fault: { status: 429, retryAfter: 1, times: 'always' } }],
    env: RETRY_ONCE,
  });
  expect(outcomeOf(run)).toEqual(API_FAILURE);
  expect(turnsOf(run.model)).toHaveLength(2);
});

contract('retry-after is honoured, and the run goes on', { since: '2.1.100' }, async (stage) => {
  const run = await stage.run({
    turns: [{ fault: { status: 429, retryAfter: 2 } }, { text: 'Done.' }],
    env: RETRY_ONCE,
  });
  expect(outcomeOf(run)).toEqual(SUCCESS);
  expect(retriesOf(run)).toEqual([
    { attempt: 1, max_retries: 1, error_status: 429, error: 'rate_limit' },
  ]);
  const announced = run.events.find((it) => it.subtype === 'api_retry');
  // From 2.1.327 on some milliseconds are added, so that many clients do not come back at once.
  expect(announced?.retry_delay_ms).toBeGreaterThanOrEqual(2000);
  expect(run.ms).toBeGreaterThan(announced?.retry_delay_ms);
});
