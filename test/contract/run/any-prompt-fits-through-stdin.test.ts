import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { outcomeOf, SUCCESS, turnsOf } from '../support/outcome-of-run.ts';

contract('300,000 characters on standard input reach the model whole', {}, async (stage) => {
  const prompt = `First words. ${'x'.repeat(299_975)} last words.`;
  expect(prompt).toHaveLength(300_000);
  const run = await stage.run({ prompt, turns: [{ text: 'Done.' }] });
  expect(outcomeOf(run)).toEqual(SUCCESS);
  expect(JSON.stringify(turnsOf(run.model)[0]?.body)).toContain(prompt);
});

contract('a prompt on standard input may start with a dash', {}, async (stage) => {
  const prompt = '--verbose is what this prompt starts with.';
  const run = await stage.run({ prompt, turns: [{ text: 'Done.' }] });
  expect(outcomeOf(run)).toEqual(SUCCESS);
  expect(JSON.stringify(turnsOf(run.model)[0]?.body)).toContain(prompt);
});
