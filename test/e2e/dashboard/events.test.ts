import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { acquireLock } from '@saga-ai/core/processes/lock';
import { workerLock } from '@saga-ai/core/project/paths';
import type { HomeAnswer, StoriesAnswer, StoryAnswer } from '@saga-ai/types/screens/dashboard';
import { expect, test } from 'vitest';
import type { Plan } from '../../rig/project/plan.ts';
import { createShop } from '../../rig/project/shop.ts';
import { openDashboard, type TestDashboard } from '../../rig/screens/dashboard.ts';

const task = (id: string, status: string) => ({
  id,
  subject: `Do ${id}`,
  description: 'All of it.',
  status,
  blockedBy: [],
});

/** The copy of a story in its worktree, as git would make it. */
function writeWorktree(plan: Plan, id: string): string {
  const home = `.saga/worktrees/${id}/.saga/stories/${id}`;
  plan.write(`${home}/story.json`, { id, title: `Live ${id}`, description: '', epic: 'shop' });
  plan.write(`${home}/a.json`, task('a', 'pending'));
  return home;
}

const viewOf = async (it: TestDashboard, id: string) =>
  (await it.json<StoryAnswer>(`/api/stories/${id}`)).view;

test.each([
  ['told by the system', true],
  ['looked for again and again', false],
])('what changes in main checkout and worktrees is on the stream, %s', async (_, nativeWatch) => {
  using plan = createShop();
  await using it = await openDashboard({ paths: plan.paths, nativeWatch });
  await it.dashboard.isFollowing;
  const stream = await it.events();
  plan.done('pay');
  // With pay merged, api has one thing less to wait for, and the epic is further.
  await expect.poll(async () => (await viewOf(it, 'api')).blockedBy).toEqual([]);
  await stream.until((got) => got.some(({ data }) => data.stories.includes('api')));
  expect(stream.got.some(({ data }) => data.epics.includes('shop'))).toBe(true);

  stream.got.length = 0;
  const home = writeWorktree(plan, 'api');
  await stream.until(() => stream.stories().includes('api'));
  await expect.poll(() => viewOf(it, 'api')).toMatchObject({ home, title: 'Live api' });
  stream.got.length = 0;
  plan.write(`${home}/a.json`, task('a', 'in_progress'));
  await stream.until(() => stream.stories().includes('api'));
  // What was told may be the end of the change before.
  const working = { status: 'in_progress', working: 'Do a' };
  await expect.poll(() => viewOf(it, 'api')).toMatchObject(working);

  stream.got.length = 0;
  rmSync(join(plan.root, '.saga/worktrees/api'), { recursive: true });
  await stream.until(() => stream.stories().includes('api'));
  await expect.poll(() => viewOf(it, 'api')).toMatchObject({ title: 'Story api' });

  stream.got.length = 0;
  renameSync(join(plan.paths.stories, 'loose'), join(plan.root, 'elsewhere'));
  await stream.until(() => stream.stories().includes('loose'));
  expect((await it.ask('/api/stories/loose')).status).toBe(404);
  plan.story('fresh');
  await stream.until(() => stream.stories().includes('fresh'));
  stream.leave();
});

test('a worker, its session and its output are seen; a file that breaks is a problem', async () => {
  using plan = createShop();
  await using it = await openDashboard({ paths: plan.paths });
  await it.dashboard.isFollowing;
  const stream = await it.events();
  const lock = await acquireLock(workerLock(plan.paths, 'loose'));
  await expect.poll(async () => (await viewOf(it, 'loose')).running).toBe(true);
  const outputFile = join(plan.root, 'out.jsonl');
  writeFileSync(outputFile, '');
  const session = 'saga-story-loose-7';
  const { pid } = process;
  const record = { version: 1, session, story: 'loose', host: 'elsewhere', pid, started: 0 };
  const rest = { tmux: false, startedAt: '2026-01-01T00:00:00Z', model: 'opus', cycle: 2 };
  const spent = { tokens: 5, costUsd: 0, task: 'Do work', activity: 'Bash ls' };
  const file = `.git/saga/runs/sessions/${session}.json`;
  plan.write(file, { ...record, ...rest, ...spent, outputFile });
  await stream.until((got) => got.some(({ data }) => data.sessions.includes(session)));
  const [running] = (await it.json<HomeAnswer>('/api/home')).running;
  expect(running?.session).toMatchObject({ session, cycle: 2, activity: 'Bash ls' });
  await it.json(`/api/sessions/${session}`);
  stream.got.length = 0;
  writeFileSync(outputFile, '{}\n', { flag: 'a' });
  await stream.until((got) => got.some(({ data }) => data.sessions.includes(session)));
  lock.release();
  await expect.poll(async () => (await viewOf(it, 'loose')).running).toBe(false);

  stream.got.length = 0;
  plan.write('.saga/stories/loose/work.json', '{');
  await stream.until((got) => got.some(({ data }) => data.problems));
  expect(await viewOf(it, 'loose')).toMatchObject({ ready: false });
  stream.leave();
});

test('a stream goes on where it was; what is too long ago is a reset', async () => {
  using plan = createShop();
  await using it = await openDashboard({ paths: plan.paths });
  await it.dashboard.isFollowing;
  const { lastEvent } = await it.json<HomeAnswer>('/api/home');
  const first = await it.events();
  plan.write('.saga/stories/api/a.json', task('a', 'in_progress'));
  await first.until(() => first.stories().includes('api'));
  const seen = Number(first.got.at(-1)?.id);
  first.leave();
  await first.ended;
  plan.write('.saga/stories/api/a.json', task('a', 'completed'));
  plan.done('loose');
  await expect
    .poll(async () => (await it.json<StoriesAnswer>('/api/stories?filter=done')).total)
    .toBe(2);
  const second = await it.events(seen);
  await second.until(() => ['api', 'loose'].every((id) => second.stories().includes(id)));
  expect(second.got.every(({ id, event }) => Number(id) > seen && event === 'change')).toBe(true);
  const third = await it.events(lastEvent);
  await third.until(() => third.got.length > second.got.length);
  for (const unknown of [0, seen + 1000]) {
    const reader = await it.events(unknown);
    await reader.until((got) => got.length > 0);
    expect(reader.got).toMatchObject([{ event: 'reset', data: {} }]);
    reader.leave();
  }
  second.leave();
  third.leave();
});

test('two hundred may listen, and are let go when the server ends', async () => {
  using plan = createShop();
  const it = await openDashboard({ paths: plan.paths });
  await it.dashboard.isFollowing;
  const readers = await Promise.all(Array.from({ length: 200 }, () => it.events()));
  plan.write('.saga/stories/api/a.json', task('a', 'in_progress'));
  await Promise.all(readers.map((one) => one.until(() => one.stories().includes('api'))));
  await it.dashboard.close();
  await Promise.all(readers.map((one) => one.ended));
});

test('a project without any story gets its first one', async () => {
  using plan = createShop();
  for (const folder of ['stories', 'epics'])
    rmSync(join(plan.paths.saga, folder), { recursive: true });
  await using it = await openDashboard({ paths: plan.paths });
  await it.dashboard.isFollowing;
  expect(await it.json<StoriesAnswer>('/api/stories')).toEqual({
    items: [],
    total: 0,
    cursor: null,
  });
  const stream = await it.events();
  mkdirSync(plan.paths.stories);
  plan.story('first');
  await stream.until(() => stream.stories().includes('first'));
  plan.story('second');
  await stream.until(() => stream.stories().includes('second'));
  stream.leave();
});
