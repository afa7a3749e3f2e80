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

for (const status of [500, 529]) {
  contract(`status ${status} is retried and then ends the run`, {}, async (stage) => {
    const run = await stage.run({
      turns: [{ fault: { status, times: 'always' } }],
      env: RETRY_ONCE,
    });
    expect(outcomeOf(run)).toEqual(API_FAILURE);
    expect(turnsOf(run.model)).toHaveLength(2);
  });
}

contract('server errors are announced by name, and survived', { since: '2.1.200' }, async (it) => {
  const run = await it.run({
    turns: [
      { fault: { status: 500 } },
      { calls: [{ tool: 'Bash', input: { command: 'echo on' } }] },
      { fault: { status: 529 } },
      { text: 'Done.' },
    ],
    env: RETRY_ONCE,
  });
  expect(outcomeOf(run)).toEqual(SUCCESS);
  expect(retriesOf(run)).toEqual([
    { attempt: 1, max_retries: 1, error_status: 500, error: 'server_error' },
    { attempt: 1, max_retries: 1, error_status: 529, error: 'overloaded' },
  ]);
});
