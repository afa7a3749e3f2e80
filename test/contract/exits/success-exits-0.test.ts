import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { outcomeOf, SUCCESS } from '../support/outcome-of-run.ts';

contract('a run that ends well exits 0 with one result, its last event', {}, async (stage) => {
  const run = await stage.run({ turns: [{ text: 'All is done.' }] });
  expect(outcomeOf(run)).toEqual(SUCCESS);
  expect(run.events.filter((it) => it.type === 'result')).toHaveLength(1);
  expect(run.events.at(-1)).toBe(run.result);
  expect(run.result).toMatchObject({ result: 'All is done.', num_turns: 1, total_cost_usd: 0 });
  expect(run.result?.session_id).toBe(run.init?.session_id);
});

contract('a run that ends well is "completed"', { since: '2.1.100' }, async (stage) => {
  const { result } = await stage.run({ turns: [{ text: 'Done.' }] });
  expect(result?.terminal_reason).toBe('completed');
});
