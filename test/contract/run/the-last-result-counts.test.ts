import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { outcomeOf, SUCCESS } from '../support/outcome-of-run.ts';

contract(
  'a background command that ends starts another turn: the first result is not the last',
  { since: '2.1.100' },
  async (stage) => {
    const go = join(stage.repo, 'go');
    const wait = `for i in $(seq 3000); do [ -e '${go}' ] && break; sleep 0.1; done`;
    const input = { command: `${wait}; echo finished`, run_in_background: true };
    const { seen, ended, model } = await stage.start({
      turns: [
        { calls: [{ tool: 'Bash', input }], usage: { inputTokens: 1, outputTokens: 100 } },
        { text: 'It runs.', usage: { inputTokens: 1, outputTokens: 100 } },
        { text: 'It has ended.', usage: { inputTokens: 1, outputTokens: 300 } },
      ],
    });
    await seen((it) => it.type === 'result');
    writeFileSync(go, '');
    const run = await ended;
    model.check();
    expect(outcomeOf(run)).toEqual(SUCCESS);
    const results = run.events.filter((it) => it.type === 'result');
    expect(results.map((it) => it.result)).toEqual(['It runs.', 'It has ended.']);
    expect(run.events.filter((it) => it.subtype === 'init')).toHaveLength(2);
    // Money is counted for the whole run, tokens only for what came since the result before.
    const [first, last] = results;
    expect(first?.usage.output_tokens).toBe(200);
    expect(last?.usage.output_tokens).toBe(300);
    expect(last?.total_cost_usd / first?.total_cost_usd).toBeGreaterThan(2);
  },
);

contract('every streamed message has an init and a result of its own', {}, async (stage) => {
  const say = (content: string) =>
    `${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`;
  const run = await stage.run({
    args: ['--input-format', 'stream-json'],
    prompt: say('First.') + say('Second.'),
    turns: [{ text: 'One.' }, { text: 'Two.' }],
  });
  const types = run.events.map((it) => it.subtype ?? it.type);
  expect(types.filter((it) => it === 'init' || it === 'success')).toEqual([
    'init',
    'success',
    'init',
    'success',
  ]);
  expect(run.result?.result).toBe('Two.');
});
