import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { API_FAILURE, outcomeOf, SUCCESS, turnsOf } from '../support/outcome-of-run.ts';

const refusal = { kind: 'refusal' as const };

contract('a run goes on after one refusal, and notes it', { since: '2.1.325' }, async (stage) => {
  const run = await stage.run({ turns: [{ fault: refusal }, { text: 'Done.' }] });
  expect(outcomeOf(run)).toEqual(SUCCESS);
  expect(run.result).toMatchObject({ safety_stops: 1, terminal_reason: 'completed' });
  expect(run.events.filter((it) => it.subtype === 'informational')).toHaveLength(1);
});

contract('a model that refuses again ends the run', { since: '2.1.325' }, async (stage) => {
  const run = await stage.run({ turns: [{ fault: { ...refusal, times: 'always' } }] });
  expect(outcomeOf(run)).toEqual(API_FAILURE);
  expect(run.result).toMatchObject({ safety_stops: 2, stop_reason: 'refusal' });
  expect(turnsOf(run.model)).toHaveLength(2);
});

contract('the first refusal ends the run', { until: '2.1.234' }, async (stage) => {
  const run = await stage.run({ turns: [{ fault: refusal }] });
  expect(outcomeOf(run)).toEqual(API_FAILURE);
  expect(turnsOf(run.model)).toHaveLength(1);
});
