import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { outcomeOf, turnsOf } from '../support/outcome-of-run.ts';

const overspent = {
  args: ['--max-budget-usd', '0.5'],
  turns: [
    { calls: [{ tool: 'Bash', input: { command: 'touch ran' } }], usage: { costUsd: 0.82 } },
    { text: 'Done.' },
  ],
};

contract('the budget is checked after an answer and before its tools', {}, async (stage) => {
  const run = await stage.run(overspent);
  expect(run.result?.subtype).toBe('error_max_budget_usd');
  // More than allowed: what an answer costs is known only when it is there.
  expect(run.result?.total_cost_usd).toBeGreaterThan(0.5);
  expect(turnsOf(run.model)).toHaveLength(1);
  expect(existsSync(join(stage.repo, 'ran'))).toBe(false);
});

contract('a spent budget exits 1 and says so', { since: '2.1.100' }, async (stage) => {
  const run = await stage.run(overspent);
  expect(outcomeOf(run)).toEqual({ code: 1, subtype: 'error_max_budget_usd', isError: true });
  expect(run.result?.errors).toEqual(['Reached maximum budget ($0.5)']);
});

contract('a spent budget is "budget_exhausted"', { since: '2.1.233' }, async (stage) => {
  const { result } = await stage.run(overspent);
  expect(result?.terminal_reason).toBe('budget_exhausted');
});
