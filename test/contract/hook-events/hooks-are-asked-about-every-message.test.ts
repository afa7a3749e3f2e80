import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { isResult, nthResult } from '../support/open-conversation.ts';

contract('the hook for prompts is asked about each message', {}, async (stage) => {
  const log = join(stage.repo, 'asked');
  const hook = { type: 'command', command: `cat >> '${log}'; echo >> '${log}'` };
  const client = await stage.start({
    isOpen: true,
    turns: [{ text: 'One.' }, { text: 'Two.' }],
    settings: { hooks: { UserPromptSubmit: [{ hooks: [hook] }] } },
  });
  await client.seen(isResult);
  client.say('And more.');
  await nthResult(client, 2);
  client.close();
  await client.ended;
  const asked = readFileSync(log, 'utf8').split('\n').filter(Boolean);
  expect(asked.map((it) => JSON.parse(it).prompt)).toEqual(['Go.', 'And more.']);
});
