import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { outcomeOf, turnsOf } from '../support/outcome-of-run.ts';

contract('--resume of an unknown id gives a result, but no init', {}, async (stage) => {
  const id = '7e57ab1e-0000-4000-8000-000000000000';
  const run = await stage.run({ args: ['--resume', id], turns: [] });
  expect(outcomeOf(run)).toEqual({ code: 1, subtype: 'error_during_execution', isError: true });
  expect(run.init).toBeUndefined();
  expect(run.result?.errors).toEqual([`No conversation found with session ID: ${id}`]);
  expect(turnsOf(run.model)).toEqual([]);
});
