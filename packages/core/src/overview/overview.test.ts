import { mkdirSync, readFileSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PLAN_ENV } from '../../../../test/rig/project/done.ts';
import { createPlan } from '../../../../test/rig/project/plan.ts';
import { createProject } from '../../../../test/rig/project/project.ts';
import { whenSettled } from '../../../../test/rig/project/when-settled.ts';
import { acquireLock } from '../processes/lock.ts';
import { overviewIndexFile, workerLock } from '../project/paths.ts';
import { ensureWorktree } from '../worker/prepare/ensure-worktree.ts';
import { loadOverview } from './overview.ts';

test('stories and epics, with what is derived from them', async () => {
  using plan = createPlan();
  plan.story('model', { epic: 'shop' });
  plan.done('model');
  plan.story('api', { epic: 'shop' }, { a: { status: 'in_progress' }, b: { blockedBy: ['a'] } });
  plan.epic('shop', { model: [], api: ['model'] });
  const overview = await loadOverview(plan.paths, PLAN_ENV);
  expect(overview.problems).toEqual([]);
  expect(
    overview.stories.map(({ id, status, state, working }) => [id, status, state, working]),
  ).toEqual([
    ['api', 'in_progress', 'interrupted', 'Do a'],
    ['model', 'completed', 'done', null],
  ]);
  expect(overview.epics[0]).toMatchObject({ id: 'shop', status: 'in_progress' });
});

test('one bad file of each kind hides nothing', async () => {
  using plan = createPlan();
  plan.story('good');
  plan.story('half', {}, { a: {}, b: {} });
  plan.write('.saga/stories/half/b.json', '{ "id": "b",');
  plan.write('.saga/stories/no-story/a.json', '{}');
  plan.write('.saga/stories/a-file', 'x');
  plan.write('.saga/epics/bad.json', '[]');
  plan.epic('fine', { good: [] });
  const { stories, epics, problems } = await loadOverview(plan.paths, PLAN_ENV);
  expect(stories.map(({ id, progress }) => [id, progress.total])).toEqual([
    ['a-file', 0],
    ['good', 1],
    ['half', 1],
    ['no-story', 0],
  ]);
  expect(epics.map(({ id }) => id)).toEqual(['fine']);
  expect(problems.map(({ code, file }) => [code, file])).toEqual([
    ['unreadable-file', '.saga/stories/a-file'],
    ['invalid-file', '.saga/stories/half/b.json'],
    ['unreadable-file', '.saga/stories/no-story/story.json'],
    ...Array.from({ length: 5 }, () => ['invalid-file', '.saga/stories/no-story/a.json']),
    ['invalid-file', '.saga/epics/bad.json'],
    ['epic-mismatch', '.saga/stories/good/story.json'],
  ]);
});

test("a worktree's copy of a story is the live one", async () => {
  using plan = createPlan();
  plan.story('api', {}, { a: {} });
  const worktree = '.saga/worktrees/api/.saga/stories/api';
  plan.write(`${worktree}/story.json`, { id: 'api', title: 'Live', description: '' });
  plan.write(`${worktree}/a.json`, {
    id: 'a',
    subject: 'A',
    description: '',
    status: 'completed',
    blockedBy: [],
  });
  plan.write('.saga/worktrees/only-here/.saga/stories/only-here/story.json', {
    id: 'only-here',
    title: 'Only here',
    description: '',
  });
  mkdirSync(join(plan.root, '.saga/worktrees/empty'), { recursive: true });
  const { stories, problems } = await loadOverview(plan.paths, PLAN_ENV);
  expect(problems).toEqual([]);
  expect(stories.map(({ id, title, status, home }) => [id, title, status, home])).toEqual([
    ['api', 'Live', 'completed', worktree],
    ['only-here', 'Only here', 'pending', '.saga/worktrees/only-here/.saga/stories/only-here'],
  ]);
});

test('a worktree beside the repository has the live copy, shown by its place', async () => {
  using it = createProject({ name: 'shop' });
  it.story('cart', {}, { one: {} });
  const { folder } = await ensureWorktree(it.worker({}, { storyId: 'cart' }));
  const task = join(folder, '.saga/stories/cart/one.json');
  writeFileSync(task, readFileSync(task, 'utf8').replace('pending', 'completed'));
  const [story] = (await loadOverview(it.paths, PLAN_ENV)).stories;
  expect(story).toMatchObject({
    status: 'completed',
    home: '../shop.stories/cart/.saga/stories/cart',
  });
  it.git('worktree', 'remove', '--force', folder);
  expect((await loadOverview(it.paths, PLAN_ENV)).stories[0]).toMatchObject({ status: 'pending' });
});

test('a living worker shows as running', async () => {
  using plan = createPlan();
  plan.story('api');
  const lock = await acquireLock(workerLock(plan.paths, 'api'));
  expect((await loadOverview(plan.paths, PLAN_ENV)).stories[0]).toMatchObject({
    running: true,
    ready: false,
  });
  lock.release();
  expect((await loadOverview(plan.paths, PLAN_ENV)).stories[0]).toMatchObject({
    running: false,
    ready: true,
  });
});

test('what is remembered is used, and every way of changing a file is noticed', async () => {
  using plan = createPlan();
  plan.story('api', {}, { a: {} });
  plan.epic('shop', {});
  await whenSettled(plan.paths.saga);
  await loadOverview(plan.paths, PLAN_ENV);
  const file = join(plan.root, '.saga/stories/api/a.json');
  const title = async () => (await loadOverview(plan.paths, PLAN_ENV)).stories[0]?.title;
  const status = async () => (await loadOverview(plan.paths, PLAN_ENV)).stories[0]?.status;

  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace('"pending"', '"completed"'));
  expect(await status()).toBe('completed');

  await whenSettled(plan.paths.saga);
  await loadOverview(plan.paths, PLAN_ENV);
  writeFileSync(file, text);
  utimesSync(file, new Date(0), new Date(0));
  expect(await status()).toBe('pending');

  await whenSettled(plan.paths.saga);
  await loadOverview(plan.paths, PLAN_ENV);
  plan.write(
    '.saga/stories/api/new.json',
    text.replace('"a"', '"new"').replace('"pending"', '"in_progress"'),
  );
  expect(await status()).toBe('in_progress');

  await whenSettled(plan.paths.saga);
  await loadOverview(plan.paths, PLAN_ENV);
  plan.write('elsewhere.json', { id: 'api', title: 'Renamed into place', description: '' });
  renameSync(join(plan.root, 'elsewhere.json'), join(plan.root, '.saga/stories/api/story.json'));
  expect(await title()).toBe('Renamed into place');

  await whenSettled(plan.paths.saga);
  await loadOverview(plan.paths, PLAN_ENV);
  plan.epic('shop', { api: [] });
  expect((await loadOverview(plan.paths, PLAN_ENV)).epics[0]?.children).toHaveLength(1);
});

test('a wrong index costs time, never truth', async () => {
  using plan = createPlan();
  plan.story('api');
  await whenSettled(plan.paths.saga);
  const truth = await loadOverview(plan.paths, PLAN_ENV);
  const index = overviewIndexFile(plan.paths);
  const saved = readFileSync(index, 'utf8');
  expect(saved).toContain('Story api');
  const body = saved.slice(saved.indexOf('\n') + 1);
  for (const wrong of [
    '',
    'garbage',
    saved.slice(0, -20),
    saved.replace('Story api', 'A lie!!!!'),
    body,
    `${saved.slice(0, saved.indexOf('\n'))}\n{}`,
  ]) {
    writeFileSync(index, wrong);
    expect(await loadOverview(plan.paths, PLAN_ENV)).toEqual(truth);
    expect(readFileSync(index, 'utf8')).toBe(saved);
  }
});

test('an index that can be trusted is not written again, and one that cannot be written is no error', async () => {
  using plan = createPlan();
  plan.story('api');
  await whenSettled(plan.paths.saga);
  await loadOverview(plan.paths, PLAN_ENV);
  const index = overviewIndexFile(plan.paths);
  utimesSync(index, new Date(0), new Date(0));
  await loadOverview(plan.paths, PLAN_ENV);
  expect(statSync(index).mtimeMs).toBe(0);
  using blocked = createPlan();
  blocked.story('api');
  blocked.write('.saga/cache', 'a file where the cache should be');
  expect((await loadOverview(blocked.paths, PLAN_ENV)).stories).toHaveLength(1);
});
