import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { outcomeOf, turnsOf } from '../support/outcome-of-run.ts';

const bash = { calls: [{ tool: 'Bash', input: { command: 'echo on' } }] };
const endless = { args: ['--max-turns', '2'], turns: [bash, bash, bash, { text: 'Done.' }] };

contract('--max-turns stops the run after that many answers', {}, async (stage) => {
  const run = await stage.run(endless);
  expect(run.result).toMatchObject({ subtype: 'error_max_turns', num_turns: 3 });
  expect(turnsOf(run.model)).toHaveLength(2);
});

contract('a run stopped by --max-turns exits 1 and says so', { since: '2.1.100' }, async (it) => {
  const run = await it.run(endless);
  expect(outcomeOf(run)).toEqual({ code: 1, subtype: 'error_max_turns', isError: true });
  expect(run.result?.terminal_reason).toBe('max_turns');
  expect(run.result?.errors).toEqual(['Reached maximum number of turns (2)']);
});
