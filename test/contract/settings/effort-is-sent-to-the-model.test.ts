import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { outcomeOf, SUCCESS, turnsOf } from '../support/outcome-of-run.ts';

contract('--effort is sent with every request', { since: '2.1.325' }, async (stage) => {
  const run = await stage.run({
    args: ['--model', 'claude-opus-4-8', '--effort', 'low'],
    turns: [{ text: 'Done.' }],
  });
  expect(outcomeOf(run)).toEqual(SUCCESS);
  const efforts = turnsOf(run.model).map(
    ({ body }) => (body as { output_config?: { effort?: string } }).output_config?.effort,
  );
  expect(new Set(efforts)).toEqual(new Set(['low']));
});
