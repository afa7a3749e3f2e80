import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { saidBefore } from '../support/sessions-said.ts';

const ID = '3f0e8a52-6f0b-4d8c-9a51-0d3f1c2b4a69';

contract('--resume replays the history and keeps the session id', {}, async (stage) => {
  const first = { prompt: 'First words.', turns: [{ text: 'First answer.' }] };
  await stage.run({ ...first, args: ['--session-id', ID] });
  const second = { prompt: 'Second words.', turns: [{ text: 'Second answer.' }] };
  await stage.run({ ...second, args: ['--resume', ID] });
  const third = { prompt: 'Third words.', turns: [{ text: 'Third answer.' }] };
  const run = await stage.run({ ...third, args: ['--resume', ID] });
  expect(saidBefore(run)).toEqual([
    'user: First words.',
    'assistant: First answer.',
    'user: Second words.',
    'assistant: Second answer.',
    'user: Third words.',
  ]);
  expect(run.init?.session_id).toBe(ID);
  expect(run.result).toMatchObject({ session_id: ID, result: 'Third answer.' });
});
