import { join } from 'node:path';
import type { HomeAnswer } from '@saga-ai/types/screens/dashboard';
import type { ToReviewAnswer } from '@saga-ai/types/screens/review/review';
import { expect, test } from 'vitest';
import { createCheckedStory } from '../../rig/project/checked-story.ts';
import { createMergedEpic } from '../../rig/project/merged-epic.ts';
import { createProject } from '../../rig/project/project.ts';
import { openDashboard } from '../../rig/screens/dashboard.ts';
import { expectJson } from '../../rig/screens/expect-json.ts';
import { startSilentEpic } from '../../rig/worker/silent-epic.ts';

const MINUTES = 60_000;

test('a finished epic waits to be landed: inbox, status, show and Home say so, but not while its scheduler runs', async () => {
  using it = createProject();
  const { saga } = await createMergedEpic(it);
  const read = async (...args: string[]) => (await saga(...args)).stdout;
  using epic = await startSilentEpic(it, 'shop', { startedAt: Date.now() - 10 * MINUTES });
  expect(await read('inbox')).toBe('Nothing waits for you.\n');
  expect(await read('status')).not.toContain('saga land');

  epic.end(60, { outcome: 'done', reason: 'all stories are merged' });
  expect(await read('inbox')).toMatch(
    /^◇ epic shop {2}in review · \d+ min\n {2}its story is merged into epic\/shop\n {2}→ saga land shop\n$/,
  );
  expect(await read('inbox', '--brief')).toBe('epic shop (in review)\n');
  const listed = await read('inbox', '--json');
  await expectJson('inbox', listed);
  expect(JSON.parse(listed).items).toMatchObject([
    { item: 'epic', story: 'shop', kind: 'review', next: 'saga land shop' },
  ]);
  expect(await read('status')).toMatch(/^shop {2}epic .* {2}epic\/shop\n/);
  expect(await read('status')).toContain('\n  ▸ in review: saga land shop\n');
  expect(await read('show', 'shop')).toContain('\n  → saga land shop\n');

  const env = { ...it.env, SAGA_SESSION_DIR: join(it.folder, 'sessions') };
  await using server = await openDashboard({ paths: it.paths, env });
  const home = await server.json<HomeAnswer>('/api/home');
  expect(home.counts).toMatchObject({ stories: 1, done: 1, inReview: 1 });
  const { items } = await server.json<ToReviewAnswer>('/api/review');
  expect(items).toMatchObject([{ kind: 'epic', id: 'shop', obstacles: [] }]);

  expect((await saga('land', 'shop', '--yes')).code).toBe(0);
  expect(await read('inbox')).toBe('Nothing waits for you.\n');
  expect(await read('status')).not.toContain('saga land');
});

test('an epic at work is in review for nobody, and a wait goes on until its scheduler ends and nothing waits', async () => {
  using it = createProject();
  it.epic('shop', { cart: [], pay: ['cart'] });
  it.story('pay', {}, { one: {} });
  const { saga } = await createCheckedStory(it, 'cart');
  const states = async () => {
    const looks = [['status'], ['list'], ['show', 'shop']];
    const read = looks.map(async (args) => JSON.parse((await saga(...args, '--json')).stdout));
    const found = await Promise.all(read);
    return found.map(({ epics, epic }) => (epic ?? epics[0]).state);
  };
  const wait = () => saga('wait', 'shop', '--for', 'in-review', '--timeout', '2s');
  using epic = await startSilentEpic(it, 'shop', { startedAt: Date.now() - 10 * MINUTES });
  expect(await states()).toEqual(['running', 'running', 'running']);
  const early = await wait();
  expect([early.code, early.stdout]).toEqual([2, expect.stringContaining('the time is up')]);

  epic.end(60, { outcome: 'needs-you', reason: 'stories need a person' });
  expect(await states()).toEqual(['waiting', 'waiting', 'waiting']);
  const late = await wait();
  expect([late.code, late.stdout]).toEqual([3, expect.stringContaining('! shop: waiting')]);
});

test('an epic whose scheduler was killed waits: inbox and status name the command, and saga wait says it', async () => {
  using it = createProject();
  it.epic('shop', { cart: [], pay: ['cart'] });
  it.story('pay', {}, { one: {} });
  const { saga: read } = await createCheckedStory(it, 'cart');
  using epic = await startSilentEpic(it, 'shop', { startedAt: Date.now() - 10 * MINUTES });
  expect((await read('inbox')).stdout).not.toContain('epic shop');
  epic.die();
  const { stdout } = await read('inbox');
  expect(stdout).toMatch(
    /◐ epic shop {2}interrupted · .*\n {2}its scheduler was killed · 0\/2 stories\n {2}→ saga run shop\n/,
  );
  expect(stdout).toContain('saga recover shows what was in flight.');
  expect((await read('status')).stdout).toContain('\n  ▸ interrupted: saga run shop\n');
  const waited = await read('wait', 'shop');
  expect(waited.stdout).toContain('! shop: interrupted, its scheduler was killed · 0/2 stories');
  expect(waited.code).toBe(1);
});
