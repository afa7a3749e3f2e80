import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { isResult, isToolCall, nthResult, waitForGo } from '../support/open-conversation.ts';

contract('an interrupt ends the turn, and the next message goes on', {}, async (stage) => {
  const client = await stage.start({
    isOpen: true,
    turns: [{ calls: [waitForGo] }, { text: 'As you say.' }],
  });
  await client.seen(isToolCall);
  client.request('r1', 'interrupt');
  const first = await client.seen(isResult);
  client.say('Do something else.');
  const second = await nthResult(client, 2);
  client.close();
  const { code, events } = await client.ended;
  expect(first).toMatchObject({ subtype: 'error_during_execution' });
  expect(second).toMatchObject({ subtype: 'success', result: 'As you say.' });
  expect(code).toBe(0);
  const answers = events.filter(({ type }) => type === 'control_response');
  expect(answers).toMatchObject([{ response: { subtype: 'success', request_id: 'r1' } }]);
});
