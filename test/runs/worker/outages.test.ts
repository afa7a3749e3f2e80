import { type Policy, walkTasks } from '@saga-ai/model';
import type { RunEvent } from '@saga-ai/types/run/event';
import { expect, test } from 'vitest';
import { createWorkshop } from '../../rig/worker/workshop.ts';

const WAIT = { interval: 50 };

test('an overload is waited out: no attempt is counted, and every view says that the worker waits', async () => {
  let isDown = true;
  const walk = walkTasks();
  const policy: Policy = (seen) =>
    isDown && seen.calls.some(({ tool }) => tool === 'TaskUpdate')
      ? { fault: { status: 529 } }
      : walk(seen);
  await using it = await createWorkshop({ model: { policy } });
  it.story('cart', {}, { one: {} });
  // As many runs as would escalate a task; the second wait lasts until somebody ends it.
  it.write('.saga/config.json', { worker: { retryMinutes: [0, 10], maxAttempts: 2 } });
  // The client's own ten retries take three minutes.
  const env = { CLAUDE_CODE_MAX_RETRIES: '0' };
  const first = it.saga(['worker', 'cart'], { env });
  const waits = () =>
    it.events().filter((it): it is RunEvent<'outage:waiting'> => it.type === 'outage:waiting');
  await expect.poll(() => waits().map((it) => it.tries), WAIT).toEqual([1, 2]);
  const story = async () => JSON.parse((await it.saga(['show', 'cart', '--json'])).stdout).story;
  const words =
    /^the model is not available; tries again at \d{4}-\d\d-\d\d \d\d:\d\d UTC · 0\/1 task/;
  await expect.poll(story, WAIT).toMatchObject({
    state: 'running',
    reason: expect.stringMatching(words),
    session: { waiting: { for: 'outage', reason: expect.stringContaining('529') } },
  });
  expect((await it.saga(['status'])).stdout).toContain('the model is not available; tries again');
  for (const view of ['sessions', 'list']) {
    const { stdout } = await it.saga([view], { env: { COLUMNS: '200' } });
    expect(stdout).toContain('the model is not available; tries again');
  }
  expect((await it.saga(['logs', 'cart'])).stdout).toContain('! waiting        until ');
  await it.saga(['stop', 'cart']);
  expect(await first).toMatchObject({ code: 2 });
  expect(it.pushedStatuses('cart')).toEqual({ one: 'pending' });
  const task = JSON.parse(it.readStory('cart', 'one.json'));
  expect(task).not.toHaveProperty('attempts');
  expect(task).not.toHaveProperty('escalated');

  isDown = false;
  expect(await it.saga(['worker', 'cart'], { env })).toMatchObject({ code: 0 });
});
