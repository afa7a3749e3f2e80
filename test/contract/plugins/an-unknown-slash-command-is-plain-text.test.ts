import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { outcomeOf, SUCCESS, turnsOf } from '../support/outcome-of-run.ts';

const PROMPT = '/nobody-knows this command';

contract('an unknown slash command reaches the model as text', { since: '2.1.325' }, async (it) => {
  const run = await it.run({ prompt: PROMPT, turns: [{ text: 'Done.' }] });
  expect(outcomeOf(run)).toEqual(SUCCESS);
  expect(turnsOf(run.model)[0]?.conversation.prompt).toBe(PROMPT);
});

contract(
  'an unknown slash command ends the run as a success that did nothing',
  { until: '2.1.234' },
  async (stage) => {
    const run = await stage.run({ prompt: PROMPT, turns: [] });
    expect(outcomeOf(run)).toEqual(SUCCESS);
    expect(run.result?.result).toMatch(/^Unknown (skill|command): \/?nobody-knows/);
    expect(turnsOf(run.model)).toEqual([]);
  },
);
