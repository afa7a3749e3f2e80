import { existsSync, renameSync, rmSync } from 'node:fs';
import type {
  EpicAnswer,
  EpicsAnswer,
  HomeAnswer,
  StoriesAnswer,
} from '@saga-ai/types/screens/dashboard';
import { Overview } from '@saga-ai/types/screens/overview';
import { expect, test } from 'vitest';
import { createPlan } from '../../rig/project/plan.ts';
import { createShop } from '../../rig/project/shop.ts';
import { openDashboard } from '../../rig/screens/dashboard.ts';

test('home says what needs a person, what is next, and how much there is', async () => {
  using plan = createShop();
  await using it = await openDashboard({ paths: plan.paths });
  const home = await it.json<HomeAnswer>('/api/home');
  expect(home.counts).toEqual({
    stories: 4,
    epics: 1,
    needsYou: 1,
    running: 0,
    interrupted: 0,
    inReview: 0,
    ready: 1,
    waiting: 1,
    done: 1,
    problems: 0,
  });
  expect(home.needsYou.map(({ id, needsYou }) => [id, needsYou])).toEqual([
    ['pay', [{ kind: 'blocker', title: 'Which sandbox?' }]],
  ]);
  expect(home.ready.map((story) => story.id)).toEqual(['loose']);
  expect(home.epics).toMatchObject([{ id: 'shop', progress: { completed: 1, total: 3 } }]);
  expect(home).toMatchObject({ running: [], isVerified: true, lastEvent: expect.any(Number) });
  const views = { stories: home.needsYou, epics: home.epics, problems: [], version: 1 };
  expect(Overview.safeParse(views).success).toBe(true);
});

test('a project that was moved away is said to be gone, and nothing is made in its place', async () => {
  using plan = createShop();
  const moved = `${plan.root}-moved`;
  const dashboard = await openDashboard({ paths: plan.paths });
  try {
    await dashboard.dashboard.isFollowing;
    const home = () => dashboard.json<HomeAnswer>('/api/home');
    expect(await home()).not.toHaveProperty('goneFrom');
    renameSync(plan.root, moved);
    await expect.poll(async () => (await home()).counts.stories).toBe(0);
    expect(await home()).toMatchObject({ goneFrom: plan.root });
    renameSync(moved, plan.root);
    await expect.poll(async () => (await home()).counts.stories).toBe(4);
    expect(await home()).not.toHaveProperty('goneFrom');
    renameSync(plan.root, moved);
    await expect.poll(async () => (await home()).counts.stories).toBe(0);
  } finally {
    await dashboard[Symbol.asyncDispose]();
    rmSync(moved, { recursive: true, force: true });
  }
  expect(existsSync(plan.root)).toBe(false);
});

test('stories are searched, filtered and sorted', async () => {
  using plan = createShop();
  await using it = await openDashboard({ paths: plan.paths });
  const ids = async (query: string) =>
    (await it.json<StoriesAnswer>(`/api/stories?${query}`)).items.map((story) => story.id);
  expect(await ids('')).toEqual(['pay', 'loose', 'api', 'model']);
  expect(await ids('sort=id')).toEqual(['api', 'loose', 'model', 'pay']);
  expect(await ids('sort=title')).toEqual(['loose', 'api', 'model', 'pay']);
  expect(await ids('sort=progress')).toEqual(['model', 'pay', 'api', 'loose']);
  expect(await ids('query=LOOSE+end')).toEqual(['loose']);
  expect(await ids('query=base')).toEqual(['model']);
  expect(await ids('epic=shop&sort=id')).toEqual(['api', 'model', 'pay']);
  expect(await ids('filter=needs-you')).toEqual(['pay']);
  expect(await ids('filter=ready')).toEqual(['loose']);
  expect(await ids('filter=waiting')).toEqual(['api']);
  expect(await ids('filter=interrupted')).toEqual([]);
  expect(await ids('filter=done')).toEqual(['model']);
  const wrong = await it.ask('/api/stories?filter=nice');
  expect(wrong.status).toBe(400);
  expect(JSON.parse(wrong.text).error).toMatchObject({
    code: 'usage',
    hint: expect.stringContaining('needs-you'),
  });
});

test('pages follow each other, and none is lost when stories come and go between them', async () => {
  using plan = createPlan();
  for (let i = 10; i < 25; i++) plan.story(`story-${i}`);
  await using it = await openDashboard({ paths: plan.paths });
  const page = (more = '') => it.json<StoriesAnswer>(`/api/stories?sort=id&limit=6${more}`);
  const first = await page();
  expect(first).toMatchObject({ total: 15, items: { length: 6 } });
  plan.story('story-00');
  await expect.poll(async () => (await page()).total).toBe(16);
  const second = await page(`&cursor=${first.cursor}`);
  const third = await page(`&cursor=${second.cursor}`);
  const all = [first, second, third].flatMap(({ items }) => items.map((story) => story.id));
  expect(all).toEqual(Array.from({ length: 15 }, (_, i) => `story-${i + 10}`));
  expect(third.cursor).toBeNull();
  expect((await it.ask('/api/stories?cursor=%22x')).status).toBe(400);
  expect((await it.ask('/api/stories?limit=-1')).status).toBe(400);
});

test('an epic comes with its children and the longest way through what is left of them', async () => {
  using plan = createShop();
  plan.epic('all', { shop: [] });
  await using it = await openDashboard({ paths: plan.paths });
  expect(await it.json<EpicsAnswer>('/api/epics')).toMatchObject({ total: 2, cursor: null });
  const shop = await it.json<EpicAnswer>('/api/epics/shop');
  expect(shop.epic).toMatchObject({ id: 'shop', description: 'About shop.', epic: 'all' });
  expect(shop.stories.map((story) => story.id)).toEqual(['model', 'pay', 'api']);
  expect(shop.criticalPath).toEqual(['pay', 'api']);
  expect((await it.json<EpicAnswer>('/api/epics/all')).epics.map((epic) => epic.id)).toEqual([
    'shop',
  ]);
  const missing = await it.ask('/api/epics/shpo');
  expect(missing.status).toBe(404);
  expect(JSON.parse(missing.text).error.hint).toContain('Did you mean shop?');
});
