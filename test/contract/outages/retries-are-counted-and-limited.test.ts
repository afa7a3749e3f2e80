import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { retriesOf, turnsOf } from '../support/outcome-of-run.ts';

const overloaded = { turns: [{ fault: { status: 529, times: 'always' as const } }] };

contract('CLAUDE_CODE_MAX_RETRIES limits how often the API is asked', {}, async (stage) => {
  const run = await stage.run({ ...overloaded, env: { CLAUDE_CODE_MAX_RETRIES: '2' } });
  expect(turnsOf(run.model)).toHaveLength(3);
});

contract(
  'every retry is announced with its number and the limit',
  { since: '2.1.200' },
  async (it) => {
    const run = await it.run({ ...overloaded, env: { CLAUDE_CODE_MAX_RETRIES: '2' } });
    expect(retriesOf(run)).toEqual([
      { attempt: 1, max_retries: 2, error_status: 529, error: 'overloaded' },
      { attempt: 2, max_retries: 2, error_status: 529, error: 'overloaded' },
    ]);
    const [first, second] = run.events.filter((event) => event.subtype === 'api_retry');
    expect(second?.retry_delay_ms).toBeGreaterThan(first?.retry_delay_ms);
  },
);

contract('the client retries ten times of its own accord', { since: '2.1.200' }, async (stage) => {
  const { child, seen } = await stage.start(overloaded);
  const first = await seen((event) => event.subtype === 'api_retry');
  child.kill('SIGTERM');
  expect(first).toMatchObject({ attempt: 1, max_retries: 10 });
});
