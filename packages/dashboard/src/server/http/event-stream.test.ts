import { ChangeStream } from '@saga-ai/core/overview/live/change-stream';
import type { ChangeEvent } from '@saga-ai/types/screens/live';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { createEventStreams } from './event-stream.ts';

const change = (id: string): ChangeEvent => ({
  stories: [id],
  epics: [],
  sessions: [],
  problems: false,
});

const fail = (error: unknown) => {
  throw error;
};

function serve(changes: ChangeStream) {
  const streams = createEventStreams(changes);
  const app = new Hono();
  app.get('/', (c) => streams.open(c, Number(c.req.query('after'))));
  return { streams, ask: (after: number) => app.request(`/?after=${after}`) };
}

function publish(changes: ChangeStream, count: number): void {
  for (let i = 0; i < count; i++) changes.publish(change(`s${i}`));
}

/** All that a reader gets. After this many events the server ends the streams. */
async function readAll(response: Response, streams: { close(): void }, count: number) {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const part = await reader?.read();
    if (!part || part.done) return text;
    text += part.value;
    if (text.split('event: ').length > count) streams.close();
  }
}

test.each([1, 499, 500, 501, 700, 1000])(
  'a reader that missed %i changes gets them, or is told to read everything again',
  async (missed) => {
    const changes = new ChangeStream(100, fail);
    publish(changes, missed);
    const { streams, ask } = serve(changes);
    const response = await ask(100);
    expect(response.status).toBe(200);
    const text = await readAll(response, streams, missed > 500 ? 1 : missed);
    const isReset = text.includes('event: reset');
    const told = text.split('event: change').length - 1;
    expect({ isReset, told }).toEqual(
      missed > 500 ? { isReset: true, told: 0 } : { isReset: false, told: missed },
    );
    expect(changes.listeners).toBe(0);
  },
);

test('a reader that reads nothing is disconnected, and what it left unread is not kept', async () => {
  const changes = new ChangeStream(100, fail);
  const { ask } = serve(changes);
  const response = await ask(100);
  publish(changes, 400);
  expect(changes.listeners).toBe(1);
  publish(changes, 200);
  await expect.poll(() => changes.listeners).toBe(0);
  // It ends, so that the browser asks again and says what it has read.
  await response.text();
});

test('a reader that leaves is forgotten', async () => {
  const changes = new ChangeStream(100, fail);
  const response = await serve(changes).ask(100);
  await response.body?.cancel();
  await expect.poll(() => changes.listeners).toBe(0);
});
