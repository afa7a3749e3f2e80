import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadScript, parseScript, startModel } from './index.ts';

const greeting = loadScript(join(import.meta.dirname, 'start-model.greeting.script.json'));
const TOOLS = [{ name: 'Bash' }];

function ask(url: string, body: object, path = '/v1/messages?beta=true'): Promise<Response> {
  const whole = {
    model: 'claude-opus-5-5',
    messages: [{ role: 'user', content: 'hello' }],
    tools: TOOLS,
    ...body,
  };
  return fetch(`${url}${path}`, { method: 'POST', body: JSON.stringify(whole) });
}

async function readEvents(response: Response) {
  const blocks = (await response.text()).trimEnd().split('\n\n');
  return blocks.map((block) => {
    const [, event, payload = ''] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
    return { event, ...JSON.parse(payload) };
  });
}

test('answers a stream as the Messages API does', async () => {
  await using model = await startModel({ script: greeting });
  const response = await ask(model.url, { stream: true });
  expect(response.headers.get('content-type')).toBe('text/event-stream');

  const events = await readEvents(response);
  expect(events.every((event) => event.event === event.type)).toBe(true);
  expect(events.map((event) => event.type)).toEqual([
    'message_start',
    'content_block_start',
    'content_block_delta',
    'content_block_delta',
    'content_block_stop',
    'content_block_start',
    'content_block_delta',
    'content_block_delta',
    'content_block_stop',
    'message_delta',
    'message_stop',
  ]);
  expect(events[0].message).toMatchObject({
    role: 'assistant',
    model: 'claude-opus-5-5',
    content: [],
    stop_reason: null,
    usage: { input_tokens: 12, output_tokens: 0, cache_read_input_tokens: 4 },
  });
  const deltas = events.filter((event) => event.type === 'content_block_delta');
  expect(deltas.map(({ delta }) => delta.text ?? '').join('')).toBe('I look around. ✔');
  const json = deltas.map(({ delta }) => delta.partial_json ?? '').join('');
  expect(JSON.parse(json)).toEqual({ command: "ls 'é'" });
  expect(events.at(-2)).toMatchObject({
    delta: { stop_reason: 'tool_use' },
    usage: { output_tokens: 3, cache_creation_input_tokens: 5 },
  });
});

test('answers in one piece, counts tokens, and keeps every request', async () => {
  await using model = await startModel({ script: greeting });
  const message = await (await ask(model.url, { system: 'Be kind.' })).json();
  expect(message).toMatchObject({
    type: 'message',
    stop_reason: 'tool_use',
    content: [
      { type: 'text', text: 'I look around. ✔' },
      { type: 'tool_use', name: 'Bash', input: { command: "ls 'é'" } },
    ],
  });
  const counted = await (await ask(model.url, {}, '/v1/messages/count_tokens')).json();
  expect(counted).toEqual({ input_tokens: expect.any(Number) });
  expect((await fetch(`${model.url}/nowhere`)).status).toBe(404);
  const garbled = await fetch(`${model.url}/v1/messages`, { method: 'POST', body: '{' });
  expect(garbled.status).toBe(400);

  expect(model.requests.map((request) => request.kind)).toEqual([
    'turn',
    'count-tokens',
    'unknown',
    'malformed',
  ]);
  expect(model.requests[0]?.conversation).toMatchObject({ prompt: 'hello', tools: ['Bash'] });
  expect(model.requests[0]?.conversation.system).toContain('Be kind.');
});

test('a side question is answered in words and eats no turn', async () => {
  await using model = await startModel({ script: greeting });
  const side = await (await ask(model.url, { tools: [] })).json();
  expect(side).toMatchObject({ stop_reason: 'end_turn', content: [{ type: 'text' }] });
  const first = await (await ask(model.url, {})).json();
  expect(first).toMatchObject({ stop_reason: 'tool_use' });
});

test('money becomes tokens at the price of the model', async () => {
  const script = parseScript('cost', { turns: [{ text: 'a', usage: { costUsd: 0.5 } }] });
  await using model = await startModel({ script });
  const message = await (await ask(model.url, {})).json();
  expect(message).toMatchObject({ usage: { output_tokens: 25_000 } });
});

test('an exhausted script is told to the client, kept, and thrown on demand', async () => {
  const script = parseScript('short.script.json', { turns: [{ text: 'only one' }] });
  await using model = await startModel({ script });
  await ask(model.url, {});
  model.check();
  for (const _attempt of [1, 2]) {
    const response = await ask(model.url, { stream: true });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: 'Script short.script.json, turn 2: the script is exhausted, it has 1 turn.',
      },
    });
  }
  expect(model.errors).toHaveLength(1);
  expect(() => model.check()).toThrow('Script short.script.json, turn 2');
});

test('a call of a tool that is not offered names script, turn and tool', async () => {
  const turns = [{ text: 'a' }, { calls: [{ tool: 'Nope', input: {} }] }];
  await using model = await startModel({ script: parseScript('wrong', { turns }) });
  await ask(model.url, {});
  const message = 'Script wrong, turn 2: it calls Nope, a tool that the request does not offer.';
  expect(await (await ask(model.url, {})).json()).toMatchObject({ error: { message } });
  expect(model.errors[0]?.hint).toBe('The request offers: Bash.');
});

test('a policy that throws is named too', async () => {
  const policy = function broken(): never {
    throw new Error('no idea');
  };
  await using model = await startModel({ policy });
  expect((await ask(model.url, {})).status).toBe(400);
  expect(() => model.check()).toThrow('Policy broken, turn 1: it failed (no idea).');
});

test('listens on loopback only, and no more once closed', async () => {
  const model = await startModel({ script: greeting });
  expect(model.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  await model.close();
  await model.close();
  await expect(ask(model.url, {})).rejects.toThrow();
});
