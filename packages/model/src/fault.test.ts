import { expect, test } from 'vitest';
import { type Fault, parseScript, startModel } from './index.ts';

const REQUEST = JSON.stringify({
  model: 'claude-opus-5-5',
  stream: true,
  tools: [{ name: 'Bash' }],
  messages: [{ role: 'user', content: 'hello' }],
});

function ask(url: string, signal: AbortSignal | null = null): Promise<Response> {
  return fetch(`${url}/v1/messages`, { method: 'POST', body: REQUEST, signal });
}

function play(...turns: object[]) {
  return startModel({ script: parseScript('faults', { turns }) });
}

test.each([
  [400, 'invalid_request_error'],
  [401, 'authentication_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [429, 'rate_limit_error'],
  [500, 'api_error'],
  [529, 'overloaded_error'],
])('status %i is a %s, as often as asked for', async (status, type) => {
  await using model = await play({ fault: { status, times: 2 } }, { text: 'fine' });
  for (const _time of [1, 2]) {
    const response = await ask(model.url);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ type: 'error', error: { type } });
  }
  expect((await ask(model.url)).status).toBe(200);
  model.check();
});

test('a rate limit says when to come back', async () => {
  const fault = {
    status: 429,
    retryAfter: 7,
    message: 'Slow down.',
    headers: { 'x-limit': 'own' },
  };
  await using model = await play({ fault });
  const response = await ask(model.url);
  expect(response.headers.get('retry-after')).toBe('7');
  expect(response.headers.get('x-limit')).toBe('own');
  expect(await response.text()).toContain('Slow down.');
});

test('a cut stream breaks off in the middle', async () => {
  await using model = await play({ text: 'long words', fault: { kind: 'cut-stream' } });
  const response = await ask(model.url);
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow();
});

test('a slow stream takes its time', async () => {
  await using model = await play({ text: 'words', fault: { kind: 'slow-stream', pauseMs: 20 } });
  const start = performance.now();
  expect(await (await ask(model.url)).text()).toContain('message_stop');
  expect(performance.now() - start).toBeGreaterThan(100);
});

test('a hanging request ends with the client or the model', async () => {
  const model = await play({ fault: { kind: 'hang', times: 'always' } });
  const received = (count: number) => expect.poll(() => model.requests).toHaveLength(count);
  const leaving = new AbortController();
  const left = expect(ask(model.url, leaving.signal)).rejects.toThrow('abort');
  await received(1);
  leaving.abort();
  await left;
  const hanging = expect(ask(model.url)).rejects.toThrow();
  await received(2);
  await model.close();
  await hanging;
});

test('a refused connection is one until the time is over', async () => {
  const fault = { kind: 'refused-connection', forMs: 500 };
  await using model = await play({ fault }, { text: 'back' });
  await expect(ask(model.url)).rejects.toThrow();
  await expect(ask(model.url)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  await expect.poll(async () => (await ask(model.url)).status).toBe(200);
  expect(model.requests).toHaveLength(2);
});

test.each([
  ['refusal', 'refusal'],
  ['max-tokens', 'max_tokens'],
] as const)('%s is a reason to stop', async (kind, reason) => {
  await using model = await play({ fault: { kind } });
  expect(await (await ask(model.url)).text()).toContain(`"stop_reason":"${reason}"`);
});

test('a fault on demand stands before a policy, or spoils what it says', async () => {
  await using model = await startModel({ policy: () => ({ text: 'from the policy' }) });
  const faults: Fault[] = [{ status: 500 }, { kind: 'slow-stream', pauseMs: 1 }];
  for (const fault of faults) model.failNext(fault);
  expect((await ask(model.url)).status).toBe(500);
  expect(await (await ask(model.url)).text()).toContain('from the');
  expect((await ask(model.url)).status).toBe(200);
});
