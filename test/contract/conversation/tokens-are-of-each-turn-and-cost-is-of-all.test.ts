import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { isResult, nthResult } from '../support/open-conversation.ts';

contract(
  'a result counts the tokens of its turn and the cost of all turns',
  { since: '2.1.100' },
  async (stage) => {
    const client = await stage.start({
      isOpen: true,
      turns: [{ text: 'One.' }, { text: 'Two.' }],
      usage: { inputTokens: 1000, outputTokens: 10 },
    });
    const first = await client.seen(isResult);
    client.say('And more.');
    const second = await nthResult(client, 2);
    client.close();
    await client.ended;
    expect([first.usage.input_tokens, second.usage.input_tokens]).toEqual([1000, 1000]);
    expect(second.total_cost_usd).toBeCloseTo(first.total_cost_usd * 2, 6);
  },
);
