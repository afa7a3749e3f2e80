import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { isReplay, isToolCall, newsOf, waitForGo } from '../support/open-conversation.ts';

const talk = { isOpen: true, turns: [{ calls: [waitForGo] }, { text: 'Done.' }] };

contract(
  'a message that is sent while a tool runs reaches the model with the result of the tool',
  {},
  async (stage) => {
    const client = await stage.start(talk);
    await client.seen(isToolCall);
    client.say('Use tabs, please.');
    stage.write('go', '');
    await client.seen(({ type }) => type === 'result');
    client.close();
    const run = await client.ended;
    expect(newsOf(client, 1)).toContain('tool_result');
    expect(newsOf(client, 1)).toContain('Use tabs, please.');
    expect(run).toMatchObject({ code: 0, result: { result: 'Done.' } });
    expect(run.events.filter(({ type }) => type === 'result')).toHaveLength(1);
  },
);

contract('each message is replayed in the stream when it is taken up', {}, async (stage) => {
  const client = await stage.start(talk);
  await client.seen(isToolCall);
  client.say('Use tabs, please.');
  stage.write('go', '');
  await client.seen(isReplay('Use tabs, please.'));
  client.close();
  const { events } = await client.ended;
  const replays = events.filter(({ isReplay }) => isReplay === true);
  const texts = replays.map(({ message }) => JSON.stringify(message.content));
  expect(texts).toEqual([
    expect.stringContaining('Go.'),
    expect.stringContaining('Use tabs, please.'),
  ]);
});
