import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { saidBefore } from '../support/sessions-said.ts';

const ID = '3f0e8a52-6f0b-4d8c-9a51-0d3f1c2b4a69';
const FORK = '9d1b7c34-25ea-4b7f-8f60-7a2e5d9c1b08';

contract(
  '--fork-session replays the history under a new id, which may be given, and leaves the old one',
  {},
  async (stage) => {
    const ask = (words: string, ...args: string[]) =>
      stage.run({ args, prompt: words, turns: [{ text: `About ${words}` }] });
    await ask('one', '--session-id', ID);
    const own = await ask('two', '--resume', ID, '--fork-session');
    const given = await ask('three', '--resume', ID, '--fork-session', '--session-id', FORK);
    const original = await ask('four', '--resume', ID);
    expect(own.init?.session_id).toMatch(/^[0-9a-f-]{36}$/);
    expect([ID, FORK]).not.toContain(own.init?.session_id);
    expect(given.init?.session_id).toBe(FORK);
    expect(saidBefore(own)).toEqual(['user: one', 'assistant: About one', 'user: two']);
    expect(saidBefore(given)).toEqual(['user: one', 'assistant: About one', 'user: three']);
    expect(saidBefore(original)).toEqual(['user: one', 'assistant: About one', 'user: four']);
  },
);
