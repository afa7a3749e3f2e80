import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { outcomeOf, SUCCESS, turnsOf } from '../support/outcome-of-run.ts';

contract(
  'with --fallback-model, another model answers when the model stays overloaded',
  { since: '2.1.325' },
  async (stage) => {
    const run = await stage.run({
      args: ['--model', 'claude-opus-4-8', '--fallback-model', 'claude-sonnet-5'],
      turns: [{ fault: { status: 529, times: 3 } }, { text: 'Done.' }],
    });
    expect(outcomeOf(run)).toEqual(SUCCESS);
    const models = turnsOf(run.model).map(({ conversation }) => conversation.model);
    expect([models[0], models.at(-1)]).toEqual(['claude-opus-4-8', 'claude-sonnet-5']);
  },
);
