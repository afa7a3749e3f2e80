import { LiveProject } from '@saga-ai/core/overview/live/live-project';
import { expect, test } from 'vitest';
import { PLAN_ENV } from '../../../../test/rig/project/done.ts';
import { createShop } from '../../../../test/rig/project/shop.ts';
import { startSilentEpic } from '../../../../test/rig/worker/silent-epic.ts';
import { startSilentWorker } from '../../../../test/rig/worker/silent-worker.ts';
import { listWatchRows } from './watch-rows.ts';

test('schedulers, workers and what needs a person are listed, and nothing else', async () => {
  using plan = createShop();
  using epic = await startSilentEpic(plan, 'shop', { startedAt: Date.now() - 60_000 });
  using worker = await startSilentWorker(plan, 'api');
  const file = `.git/saga/runs/sessions/${worker.session}.json`;
  const look = async (record: object) => {
    plan.write(file, { ...JSON.parse(plan.read(file)), ...record });
    const project = await LiveProject.open(plan.paths, PLAN_ENV, () => {});
    const { stories, epics } = project.overview;
    const rows = listWatchRows({
      ...{ stories, epics },
      schedulerOf: (id) => project.sessions.find(project.sessions.list(id)[0] ?? ''),
      signOf: (session) => (session === worker.session ? 1234 : undefined),
    });
    await project.close();
    return rows;
  };
  const [scheduler, work, asks, ...more] = await look({ isCostEstimated: true });
  expect(more).toEqual([]);
  expect(scheduler).toMatchObject({ id: 'shop', kind: 'epic', isRunning: true });
  expect(work).toMatchObject({
    ...{ id: 'api', kind: 'story', isRunning: true, session: worker.session, signAt: 1234 },
    ...{ doing: 'Writing endpoint tests', tool: 'Bash npm test', cycle: 1, tokens: 84_000 },
    cost: { costUsd: 0.61, isCostEstimated: true },
  });
  expect(asks).toMatchObject({ id: 'pay', isRunning: false, blocker: 'Which sandbox?' });
  const until = '2030-01-01T14:05:00.000Z';
  const [, waits] = await look({ waiting: { for: 'usage-limit', until, reason: 'limit' } });
  // What it did before it waits is old.
  expect(waits).toMatchObject({
    ...{ doing: 'waits for a usage limit until 2030-01-01 14:05 UTC', tool: '' },
  });
  epic.end(60, { outcome: 'stopped', reason: 'stopped by you' });
  expect((await look({})).map(({ id }) => id)).toEqual(['api', 'pay']);
});
