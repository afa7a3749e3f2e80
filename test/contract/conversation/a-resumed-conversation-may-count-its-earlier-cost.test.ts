import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import type { Stage } from '../../rig/client/stage.ts';

const ID = '5c1d7a0e-2b44-4f0c-8a57-6e0d9b3f2a10';
const usage = { inputTokens: 1000, outputTokens: 100 };
const call = { tool: 'Bash', input: { command: 'true' } };

/** Runs the same two turns twice in one conversation. The second time, the budget covers them alone. */
async function runTwice(stage: Stage) {
  const turns = [{ calls: [call] }, { text: 'Done.' }];
  const first = await stage.run({ turns, usage, args: ['--session-id', ID] });
  const cost = first.result?.total_cost_usd;
  const args = ['--resume', ID, '--max-budget-usd', String(cost * 1.5)];
  const second = await stage.run({ turns, usage, args });
  return { cost, second };
}

contract('a resumed conversation says its own cost', { until: '2.1.277' }, async (stage) => {
  const { cost, second } = await runTwice(stage);
  expect(second.result?.total_cost_usd).toBeCloseTo(cost, 6);
});

contract(
  'a resumed conversation adds its cost to the earlier one',
  { since: '2.1.277' },
  async (stage) => {
    const { cost, second } = await runTwice(stage);
    expect(second.result?.total_cost_usd).toBeCloseTo(cost * 2, 6);
  },
);

contract('the budget of a resumed conversation is for itself alone', {}, async (stage) => {
  const { second } = await runTwice(stage);
  expect(second.result).toMatchObject({ subtype: 'success', result: 'Done.' });
});
