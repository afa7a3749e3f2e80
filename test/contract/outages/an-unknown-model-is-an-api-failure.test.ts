import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { API_FAILURE, outcomeOf, retriesOf, turnsOf } from '../support/outcome-of-run.ts';

const request = {
  args: ['--model', 'nobody-1'],
  turns: [{ fault: { status: 404, times: 'always' as const } }],
};

contract('a model is sent as named; when the API has none such, the run fails', {}, async (it) => {
  const run = await it.run(request);
  expect(outcomeOf(run)).toEqual(API_FAILURE);
  expect(retriesOf(run)).toEqual([]);
  expect(new Set(turnsOf(run.model).map(({ conversation }) => conversation.model))).toEqual(
    new Set(['nobody-1']),
  );
});

contract('a model the client does not know is told on stderr', { since: '2.1.233' }, async (it) => {
  const { stderr } = await it.run(request);
  expect(stderr).toContain('[claude-code:unrecognized_model] {"model":"nobody-1"');
});
