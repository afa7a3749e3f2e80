import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { isResult, nthResult } from '../support/open-conversation.ts';
import { saidBefore } from '../support/sessions-said.ts';

const talk = { isOpen: true, turns: [{ text: 'First answer.' }, { text: 'Second answer.' }] };

contract('after a result a further message goes on with the conversation', {}, async (stage) => {
  const client = await stage.start(talk);
  await client.seen(isResult);
  client.say('And more.');
  const second = await nthResult(client, 2);
  client.close();
  const { code, events } = await client.ended;
  expect(second).toMatchObject({ result: 'Second answer.' });
  expect(code).toBe(0);
  const inits = events.filter(({ subtype }) => subtype === 'init');
  expect(new Set(inits.map((it) => it.session_id)).size).toBe(1);
  const turns = client.model.requests.filter(({ kind }) => kind === 'turn');
  const said = saidBefore({ model: { ...client.model, requests: turns.slice(1) } });
  expect(said).toEqual(['user: Go.', 'assistant: First answer.', 'user: And more.']);
});

contract('a conversation that was closed can be resumed', {}, async (stage) => {
  const id = '4b7d0f5e-0c39-4d8e-93a8-0a8f5b1d2c11';
  const client = await stage.start({
    isOpen: true,
    turns: [{ text: 'One.' }],
    args: ['--session-id', id],
  });
  await client.seen(isResult);
  client.close();
  await client.ended;
  const next = await stage.start({
    isOpen: true,
    prompt: 'Go on.',
    turns: [{ text: 'Two.' }],
    args: ['--resume', id],
  });
  await next.seen(isResult);
  next.close();
  const { init } = await next.ended;
  expect(init?.session_id).toBe(id);
  expect(saidBefore(next)).toEqual(['user: Go.', 'assistant: One.', 'user: Go on.']);
});
