import { rmSync } from 'node:fs';
import type { HomeAnswer } from '@saga-ai/types/screens/dashboard';
import type { StoryView } from '@saga-ai/types/screens/overview';
import { expect, test } from 'vitest';
import { PLAN_ENV } from '../../../../test/rig/project/done.ts';
import { createShop } from '../../../../test/rig/project/shop.ts';
import { openDashboard } from '../../../../test/rig/screens/dashboard.ts';
import { startSilentWorker } from '../../../../test/rig/worker/silent-worker.ts';
import { loadOverview } from '../overview/overview.ts';
import { findSilence, loadCheckIn } from './find-silence.ts';

const usual = { minutes: 3, misses: 2 };

test('the last write counts, and a worker that says how long it waits is believed', async () => {
  using plan = createShop();
  using worker = await startSilentWorker(plan, 'api');
  const now = Date.now();
  const silence = () => findSilence({ outputFile: worker.outputFile }, usual, now);
  expect(silence()).toBeUndefined();
  worker.write(7);
  expect(now - Date.parse(silence() ?? '')).toBeGreaterThanOrEqual(6.9 * 60_000);
  const wait = (minutes: number) => new Date(now + minutes * 60_000).toISOString();
  worker.write(7, { type: 'limit:waiting', until: wait(60), reason: 'limit' });
  expect(silence()).toBeUndefined();
  worker.write(20, { type: 'limit:waiting', until: wait(-10), reason: 'limit' });
  expect(silence()).toBeDefined();
  worker.write(20, { type: 'limit:waiting', until: 'later', reason: 'limit' });
  expect(silence()).toBeDefined();
  // A verify command of the project may take its time without a word.
  const check = { name: 'tasks', outcome: 'passed', detail: 'all completed' };
  worker.write(20, { type: 'gate:check', check });
  expect(silence()).toBeUndefined();
  // The worker itself found that its run is silent.
  const { outputFile } = worker;
  expect(findSilence({ outputFile, silentSince: wait(-7) }, usual, now)).toBe(wait(-7));
  rmSync(worker.outputFile);
  expect(silence()).toBeUndefined();
});

test('each project decides how long is too long; settings that cannot be read decide nothing', async () => {
  using plan = createShop();
  using worker = await startSilentWorker(plan, 'api');
  worker.write(10);
  const stalls = async () => {
    const { stories } = await loadOverview(plan.paths, PLAN_ENV, { index: false });
    const isStalled = ({ needsYou }: StoryView) => needsYou?.some((it) => it.kind === 'stalled');
    return stories.filter(isStalled).map(({ id }) => id);
  };
  expect(await stalls()).toEqual(['api']);
  plan.write('.saga/config.json', { checkIn: { minutes: 6 } });
  expect(await stalls()).toEqual([]);
  plan.write('.saga/config.json', '{ "checkIn": ');
  expect(loadCheckIn(plan.paths)).toEqual(usual);
});

test('the server tells when a worker falls silent, by whose settings, and when it is heard again', async () => {
  using plan = createShop();
  using worker = await startSilentWorker(plan, 'api');
  await using it = await openDashboard({ paths: plan.paths });
  const needy = async () =>
    (await it.json<HomeAnswer>('/api/home')).needsYou.flatMap(({ id, needsYou }) =>
      (needsYou ?? []).map(({ kind }) => `${id} ${kind}`),
    );
  const eventually = expect.poll(needy);
  await eventually.toEqual(['pay blocker']);
  const events = await it.events();
  worker.write(8);
  await eventually.toEqual(['api stalled', 'pay blocker']);
  expect(events.stories()).toContain('api');
  plan.write('.saga/config.json', { checkIn: { misses: 4 } });
  await eventually.toEqual(['pay blocker']);
  plan.write('.saga/config.json', {});
  await eventually.toEqual(['api stalled', 'pay blocker']);
  worker.write(0);
  await eventually.toEqual(['pay blocker']);
  events.leave();
});
