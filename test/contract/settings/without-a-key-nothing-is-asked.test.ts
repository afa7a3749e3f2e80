import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { API_FAILURE, failureOf, outcomeOf } from '../support/outcome-of-run.ts';

contract('without a key the run fails before a word leaves the machine', {}, async (stage) => {
  const run = await stage.run({ turns: [], env: { ANTHROPIC_API_KEY: '' } });
  expect(outcomeOf(run)).toEqual(API_FAILURE);
  expect(run.result?.result).toContain('Please run /login');
  expect(failureOf(run)?.error).toBe('authentication_failed');
  expect(run.model.requests.filter(({ path }) => path.startsWith('/v1/messages'))).toEqual([]);
});
