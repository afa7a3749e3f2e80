import { readFileSync } from 'node:fs';
import { epicControlFile } from '@saga-ai/core/project/paths';
import type { SessionAnswer, SessionsAnswer } from '@saga-ai/types/screens/dashboard';
import type { EpicRunAnswer } from '@saga-ai/types/screens/epic-run/epic-run';
import { expect, test } from 'vitest';
import { createShop } from '../../rig/project/shop.ts';
import { openDashboard } from '../../rig/screens/dashboard.ts';
import { startSilentEpic } from '../../rig/worker/silent-epic.ts';
import { startSilentWorker } from '../../rig/worker/silent-worker.ts';
import { createTmuxServer } from '../../rig/worker/tmux-server.ts';
import { createWorkshop } from '../../rig/worker/workshop.ts';

const BEGUN = Date.parse('2026-11-15T14:00:00Z');
const into = 'epic/shop';

test('an epic that was never run says so, and what cannot be done is refused', async () => {
  using plan = createShop();
  await using it = await openDashboard({ paths: plan.paths });
  const found = await it.json<EpicRunAnswer>('/api/epics/shop/run');
  expect(found).toMatchObject({ state: 'none', run: null, criticalPath: ['pay', 'api'] });
  expect(found.stories.map((row) => [row.id, row.state, row.note, row.spans.length])).toEqual([
    ['model', 'done', 'merged', 0],
    ['pay', 'needs-you', 'Which sandbox?', 0],
    ['api', 'waiting', expect.stringContaining('pay'), 0],
  ]);
  for (const verb of ['pause', 'continue', 'jobs']) {
    const refused = await it.act(`/api/epics/shop/${verb}`, { jobs: 2 });
    expect([refused.status, refused.text]).toEqual([
      409,
      expect.stringContaining('is not running'),
    ]);
  }
  expect((await it.act('/api/epics/shop/run', { jobs: 0 })).status).toBe(400);
  expect((await it.act('/api/epics/pay/run')).text).toContain('pay is a story');
  expect((await it.ask('/api/epics/nope/run')).status).toBe(404);
  const bare = { method: 'POST', headers: { 'content-type': 'application/json' }, body: {} };
  expect((await it.askBare('/api/epics/shop/stop', bare)).status).toBe(401);
});

test('the scheduler is started, paused and stopped; it is told by the stream', async () => {
  await using shop = await createWorkshop();
  using tmux = createTmuxServer();
  shop.story('cart', { epic: 'all' });
  shop.epic('all', { cart: [] });
  shop.write('.saga/stories/cart/journal.md', '## Blocker: Which sandbox?\n\nStripe or Adyen.\n');
  const env = { ...shop.environment, ...tmux.environment };
  await using it = await openDashboard({ paths: shop.paths, env });
  await it.dashboard.isFollowing;
  const run = () => it.json<EpicRunAnswer>('/api/epics/all/run');
  const started = await it.act('/api/epics/all/run', { jobs: 3 });
  expect(started.text).toMatch(/"all runs in session saga-epic-all-\d+\."/);
  await expect.poll(run).toMatchObject({ state: 'people', run: { jobs: 3, endedAt: null } });
  const again = await it.act('/api/epics/all/run');
  expect([again.status, again.text]).toEqual([
    409,
    expect.stringContaining('is being run already'),
  ]);
  await it.act('/api/epics/all/pause');
  expect(await run()).toMatchObject({ state: 'paused', run: { jobs: 3 } });
  const stopped = await it.act('/api/epics/all/stop');
  expect(stopped.text).toContain('all stopped, and so did its stories');
  await expect.poll(run).toMatchObject({ state: 'ended', run: { outcome: 'stopped' } });
});

test('a run is told by its events and records: spans, merges, what holds it up; jobs and pause', async () => {
  using plan = createShop();
  using epic = await startSilentEpic(plan, 'shop', { startedAt: BEGUN });
  epic.worked('model', 1, 30);
  epic.tell(30, { type: 'epic:merge', story: 'model', into });
  epic.tell(32, { type: 'epic:merged', story: 'model', into, commit: 'abc', verified: 'gate' });
  epic.worked('pay', 33, 60, { outcome: 'needs-you' });
  epic.tell(60, { type: 'epic:ended', story: 'pay', kind: 'needs-you', reason: 'a question' });
  epic.tell(61, { type: 'epic:foretold', stories: ['pay', 'api'], files: ['src/a.ts'] });
  await using it = await openDashboard({ paths: plan.paths });
  await it.dashboard.isFollowing;
  const run = () => it.json<EpicRunAnswer>('/api/epics/shop/run');
  const found = await run();
  expect(found.state).toBe('people');
  expect(found.run).toMatchObject({
    jobs: 2,
    startedAt: '2026-11-15T14:00:00.000Z',
    endedAt: null,
    cost: { costUsd: 0.2 },
    branch: into,
    merges: [{ item: 'model', commit: 'abc', at: BEGUN + 32_000, verified: 'gate' }],
    foretold: [{ stories: ['pay', 'api'], files: ['src/a.ts'] }],
    report: null,
  });
  const spans = (id: string) =>
    found.stories
      .find((row) => row.id === id)
      ?.spans.map(({ kind, from, to }) => [kind, (from - BEGUN) / 1000, to && (to - BEGUN) / 1000]);
  expect(spans('model')).toEqual([
    ['work', 1, 28],
    ['gate', 28, 29],
    ['work', 29, 30],
    ['merge', 30, 32],
  ]);
  expect(spans('pay')?.slice(-1)).toEqual([['waits', 60, null]]);
  expect(found.holdUps).toMatchObject([
    {
      item: 'pay',
      cutsOff: ['api'],
      isCritical: true,
      questions: [{ title: 'Which sandbox?', body: 'Stripe or Adyen.' }],
    },
  ]);

  const { session, tasks } = await it.json<SessionAnswer>(`/api/sessions/${epic.session}`);
  expect([session.title, session.state, tasks]).toEqual(['Epic shop', 'running', []]);
  const { items } = await it.json<SessionsAnswer>('/api/sessions');
  expect(items.map((one) => one.story).toSorted()).toEqual(['model', 'pay', 'shop']);

  expect((await it.act('/api/epics/shop/jobs', { jobs: 3 })).text).toContain('3 stories');
  expect((await it.act('/api/epics/shop/jobs', { jobs: 'x' })).status).toBe(400);
  await it.act('/api/epics/shop/pause');
  expect(JSON.parse(readFileSync(epicControlFile(plan.paths, 'shop'), 'utf8'))).toEqual({
    isPaused: true,
    jobs: 3,
  });
  expect(await run()).toMatchObject({ state: 'paused', run: { jobs: 3 } });
  await it.act('/api/epics/shop/continue');
  expect((await run()).state).toBe('people');
  const again = await it.act('/api/epics/shop/run');
  expect(again.status).toBeGreaterThanOrEqual(400);

  const stream = await it.events();
  epic.end(90, { outcome: 'stopped', reason: 'stopped by you' });
  await stream.until((got) => got.some(({ data }) => data.sessions.includes(epic.session)));
  stream.leave();
  // The end of its lock may be told before the end in its record.
  await expect.poll(run).toMatchObject({
    state: 'ended',
    run: { outcome: 'stopped', endedAt: '2026-11-15T14:01:30.000Z' },
  });
  const over = await run();
  expect(over.run?.report).toMatchObject({
    makespanMs: 90_000,
    criticalPath: ['model', 'pay'],
    criticalMs: 31_000 + 27_000,
    peopleMs: 30_000,
    merged: 1,
    idleMs: 2 * 90_000 - 29_000 - 27_000,
  });
});

test('a worker that began days before the run counts with its time and its cost, and nothing that ended before', async () => {
  using plan = createShop();
  const startedAt = Date.now();
  using epic = await startSilentEpic(plan, 'shop', { startedAt });
  const day = 24 * 3600;
  epic.worked('model', -9 * day, -8 * day);
  epic.worked('pay', -5 * day, -4 * day);
  using worker = await startSilentWorker(plan, 'pay', startedAt - 3 * day * 1000);
  await using it = await openDashboard({ paths: plan.paths });
  await it.dashboard.isFollowing;
  const { run, stories } = await it.json<EpicRunAnswer>('/api/epics/shop/run');
  expect(stories).toMatchObject([
    { id: 'model', starts: 0, cost: { costUsd: 0 }, spans: [] },
    {
      ...{ id: 'pay', session: worker.session, starts: 1, cost: { costUsd: 0.61 } },
      spans: [{ kind: 'work', to: null }],
    },
    { id: 'api', starts: 0 },
  ]);
  expect(run?.cost.costUsd).toBe(0.61);
});
