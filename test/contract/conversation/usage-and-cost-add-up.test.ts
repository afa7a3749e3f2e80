import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';

/** Every version knows this model, and what a million of its tokens costs. */
const MODEL = 'claude-sonnet-4-5-20250929';
const PRICE = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };

contract('usage and cost of the result are the sum of all answers', {}, async (stage) => {
  const { result } = await stage.run({
    args: ['--model', MODEL],
    turns: [
      {
        calls: [{ tool: 'Bash', input: { command: 'echo on' } }],
        usage: {
          inputTokens: 1000,
          outputTokens: 200,
          cacheReadTokens: 30_000,
          cacheWriteTokens: 4000,
        },
      },
      {
        text: 'Done.',
        usage: { inputTokens: 500, outputTokens: 60, cacheReadTokens: 7000, cacheWriteTokens: 80 },
      },
    ],
  });
  expect(result?.usage).toMatchObject({
    input_tokens: 1500,
    output_tokens: 260,
    cache_read_input_tokens: 37_000,
    cache_creation_input_tokens: 4080,
  });
  const cost =
    (1500 * PRICE.input + 260 * PRICE.output + 37_000 * PRICE.cacheRead + 4080 * PRICE.cacheWrite) /
    1_000_000;
  expect(result?.total_cost_usd).toBeCloseTo(cost, 9);
  expect(result?.modelUsage[MODEL].costUSD).toBeCloseTo(cost, 9);
});

contract('an assistant event does not know its output tokens yet', {}, async (stage) => {
  const { events } = await stage.run({
    turns: [{ text: 'Done.', usage: { inputTokens: 7, outputTokens: 50 } }],
  });
  const message = events.find((it) => it.type === 'assistant')?.message;
  expect(message.usage).toMatchObject({ input_tokens: 7, output_tokens: 0 });
});
