import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { API_FAILURE, outcomeOf, turnsOf } from '../support/outcome-of-run.ts';

const cutShort = {
  turns: [{ text: 'And then', fault: { kind: 'max-tokens' as const, times: 'always' as const } }],
};

contract('an answer cut short is continued three times, then the run fails', {}, async (stage) => {
  const run = await stage.run(cutShort);
  expect(outcomeOf(run)).toEqual(API_FAILURE);
  expect(turnsOf(run.model)).toHaveLength(4);
  expect(run.result?.result).toContain('output token maximum');
});

contract('an answer always cut short is "max_output_tokens"', { since: '2.1.325' }, async (it) => {
  const { result } = await it.run(cutShort);
  expect(result).toMatchObject({ terminal_reason: 'api_error', api_error: 'max_output_tokens' });
});
