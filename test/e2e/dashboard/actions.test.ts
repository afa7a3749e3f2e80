import { setTimeout as sleep } from 'node:timers/promises';
import type { HomeAnswer, SessionsAnswer, StoryAnswer } from '@saga-ai/types/screens/dashboard';
import { expect, test } from 'vitest';
import { openDashboard } from '../../rig/screens/dashboard.ts';
import { createTmuxServer } from '../../rig/worker/tmux-server.ts';
import { createWorkshop } from '../../rig/worker/workshop.ts';

const SLOW = { one: { run: ['tail -f /dev/null --pid=$$'] } };

test('a story is run in a session, watched and stopped', async () => {
  await using shop = await createWorkshop({ rehearsals: SLOW });
  using tmux = createTmuxServer();
  shop.story('cart', {}, { one: { activeForm: 'Working on one' } });
  const env = { ...shop.environment, ...tmux.environment };
  await using it = await openDashboard({ paths: shop.paths, env });
  await it.dashboard.isFollowing;
  const stream = await it.events();
  const started = await it.act('/api/stories/cart/run');
  expect(JSON.parse(started.text)).toEqual({
    ok: true,
    message: expect.stringMatching(/^cart runs in session saga-story-cart-\d+\.$/),
  });
  await stream.until(() => stream.stories().includes('cart'));
  const running = async () => (await it.json<HomeAnswer>('/api/home')).running[0];
  await expect.poll(async () => (await running())?.session?.activity).toMatch(/^Bash tail/);
  expect(await running()).toMatchObject({ working: 'Working on one', session: { cycle: 1 } });
  expect(tmux.sessions()).toEqual([expect.stringMatching(/^saga-story-cart-/)]);

  const again = await it.act('/api/stories/cart/run');
  expect(again.status).toBe(409);
  expect(JSON.parse(again.text).error).toMatchObject({ code: 'in-flight' });

  const stopped = JSON.parse((await it.act('/api/stories/cart/stop')).text);
  expect(stopped.message).toBe('cart stopped. Run it to resume.');
  await expect.poll(async () => (await running()) === undefined).toBe(true);
  const { items } = await it.json<SessionsAnswer>('/api/sessions?story=cart');
  expect(items).toMatchObject([{ state: 'ended', outcome: 'stopped' }]);
  expect((await it.json<StoryAnswer>('/api/stories/cart')).diff).toMatchObject({ base: 'main' });
  const over = JSON.parse((await it.act('/api/stories/cart/stop')).text);
  expect(over.message).toBe('cart is not running.');
  stream.leave();
});

test('a worker that is killed is noticed', async () => {
  await using shop = await createWorkshop({ rehearsals: SLOW });
  using tmux = createTmuxServer();
  shop.story('cart', {}, { one: {} });
  const env = { ...shop.environment, ...tmux.environment };
  await using it = await openDashboard({ paths: shop.paths, env });
  await it.dashboard.isFollowing;
  await it.act('/api/stories/cart/run');
  const sessions = async () => (await it.json<SessionsAnswer>('/api/sessions')).items;
  await expect.poll(async () => (await sessions())[0]?.state).toBe('running');
  const stream = await it.events();
  const [session] = await sessions();
  process.kill(session?.pid ?? 0, 'SIGKILL');
  await stream.until((got) =>
    got.some(({ data }) => data.sessions.includes(session?.session ?? '')),
  );
  expect((await sessions())[0]).toMatchObject({ state: 'died' });
  await expect.poll(async () => (await it.json<HomeAnswer>('/api/home')).counts.running).toBe(0);
  stream.leave();
  await sleep(0);
});

test('a blocker is resolved in the journal, once; what cannot be done is said', async () => {
  await using shop = await createWorkshop();
  shop.story('cart');
  shop.write('.saga/stories/cart/journal.md', '## Blocker: Which sandbox?\n\nStripe or Adyen.\n');
  await using it = await openDashboard({ paths: shop.paths, env: shop.environment });
  const blocked = await it.act('/api/stories/cart/run');
  expect(blocked.status).toBe(409);
  expect(JSON.parse(blocked.text).error).toMatchObject({ code: 'blocker-open' });
  const path = '/api/stories/cart/resolve';
  const request = { blocker: 'Which sandbox?', answer: ' Stripe; keys are in .env. ' };
  expect((await it.act(path, { ...request, answer: ' ' })).status).toBe(400);
  expect((await it.act(path, 'not json')).status).toBe(400);
  expect((await it.act(path, { ...request, blocker: 'Which?' })).status).toBe(404);
  const answer = await it.act(path, request);
  expect(JSON.parse(answer.text).message).toBe('Resolved: Which sandbox?. The next run is told.');
  expect((await it.act(path, request)).status).toBe(404);
  const story = await it.json<StoryAnswer>('/api/stories/cart');
  expect(story.openBlockers).toEqual([]);
  expect(story.journal.at(-1)).toMatchObject({
    kind: 'Resolution',
    title: 'Which sandbox?',
    body: 'Stripe; keys are in .env.',
  });
  await expect.poll(async () => (await it.json<HomeAnswer>('/api/home')).counts.needsYou).toBe(0);
  expect((await it.act('/api/stories/crat/run')).status).toBe(404);
  expect((await it.act('/api/stories/..%2fx/run')).status).toBe(404);
});
