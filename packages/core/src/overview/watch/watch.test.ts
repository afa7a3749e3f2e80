import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createPlan, type Plan } from '../../../../../test/rig/project/plan.ts';
import { createProject } from '../../../../../test/rig/project/project.ts';
import { acquireLock } from '../../processes/lock.ts';
import { workerLock } from '../../project/paths.ts';
import { createChanges, mergeChanges } from './project-changes.ts';
import { watchProject } from './watch.ts';
import type { WatchFolder } from './watch-folder.ts';

/** A watch, and all it has said since it was last asked to forget. */
async function watchPlan(plan: Pick<Plan, 'paths'>, native = true) {
  let said = createChanges();
  let reports = 0;
  const report = (changes: ReturnType<typeof createChanges>) => {
    reports++;
    mergeChanges(said, changes);
  };
  const watch = await watchProject(plan.paths, report, { native });
  return {
    watch,
    said: () => said,
    /** Once nothing was said for a while: what is looked at twice, or comes late, is over. */
    async forget() {
      let before: number;
      do {
        before = reports;
        await sleep(300);
      } while (reports !== before);
      said = createChanges();
    },
    [Symbol.asyncDispose]: () => watch.stop(),
  };
}

const home = (id: string) => `.saga/worktrees/${id}/.saga/stories/${id}`;
const patience = { interval: 10 };

test('at first everything may be different; then what changes is named', async () => {
  using plan = createPlan();
  plan.story('cart');
  plan.epic('shop', {});
  await using it = await watchPlan(plan);
  expect(it.watch.isNative).toBe(true);
  expect(it.said().all).toBe(true);
  await it.forget();
  plan.story('cart', { title: 'New' });
  await expect.poll(() => [...it.said().stories], patience).toEqual(['cart']);
  plan.epic('shop', { cart: [] });
  await expect.poll(() => it.said().epics, patience).toBe(true);
  plan.write('.saga/config.json', {});
  await expect.poll(() => it.said().config, patience).toBe(true);
  expect(it.said().all).toBe(false);
});

test('locks and sessions are noticed, also where none was before', async () => {
  using plan = createPlan();
  plan.story('cart');
  await using it = await watchPlan(plan);
  await it.forget();
  const lock = await acquireLock(workerLock(plan.paths, 'cart'));
  await expect.poll(() => it.said().all || it.said().workers.has('cart'), patience).toBe(true);
  await it.forget();
  lock.release();
  await expect.poll(() => [...it.said().workers], patience).toEqual(['cart']);
  await it.forget();
  plan.write('.git/saga/runs/sessions/saga-story-cart-1.json', {});
  await expect.poll(() => it.said().all, patience).toBe(true);
  await it.forget();
  plan.write('.git/saga/runs/sessions/saga-story-cart-1.json', { a: 1 });
  await expect.poll(() => [...it.said().sessions], patience).toEqual(['saga-story-cart-1']);
});

test('of a worktree its story is watched, and nothing else', async () => {
  using plan = createPlan();
  plan.story('cart');
  plan.write(`${home('cart')}/story.json`, {});
  await using it = await watchPlan(plan);
  await it.forget();
  plan.write('.saga/worktrees/cart/src/index.ts', 'x');
  plan.write('.saga/worktrees/cart/.saga/stories/other/story.json', {});
  plan.write('.saga/worktrees/cart/.saga/epics/shop.json', {});
  // What is written after it is told; so it would have been told, too.
  plan.story('later');
  await expect.poll(() => it.said().stories.has('later'), patience).toBe(true);
  expect(it.said()).toEqual({ ...createChanges(), stories: new Set(['later']) });
  await it.forget();
  plan.write(`${home('cart')}/one.json`, {});
  await expect.poll(() => [...it.said().stories], patience).toEqual(['cart']);
});

test('worktrees that come, are filled later, replaced or removed are followed', async () => {
  using plan = createPlan();
  plan.story('cart');
  await using it = await watchPlan(plan);
  await it.forget();
  mkdirSync(join(plan.root, '.saga/worktrees/cart'), { recursive: true });
  await sleep(200);
  expect([...it.said().stories]).toEqual([]);
  plan.write(`${home('cart')}/story.json`, {});
  await expect.poll(() => [...it.said().stories], patience).toEqual(['cart']);
  await it.forget();
  plan.write(`${home('cart')}/one.json`, {});
  await expect.poll(() => [...it.said().stories], patience).toEqual(['cart']);

  await it.forget();
  renameSync(join(plan.root, home('cart')), join(plan.root, 'aside'));
  plan.write(`${home('cart')}/story.json`, {});
  await expect.poll(() => [...it.said().stories], patience).toEqual(['cart']);
  await sleep(1200);
  await it.forget();
  plan.write(`${home('cart')}/two.json`, {});
  await expect.poll(() => [...it.said().stories], patience).toEqual(['cart']);

  await it.forget();
  rmSync(join(plan.root, '.saga/worktrees/cart'), { recursive: true });
  await expect.poll(() => [...it.said().stories], patience).toEqual(['cart']);
});

test('worktrees that git makes, moves and removes elsewhere are followed', async () => {
  using it = createProject();
  it.story('cart');
  it.git('add', '-A');
  it.git('commit', '-qm', 'Plan');
  await using watched = await watchPlan(it);
  await watched.forget();
  it.git('worktree', 'add', '-q', '-b', 'story/cart', '../far away');
  await expect.poll(() => [...watched.said().stories], patience).toEqual(['cart']);
  await watched.forget();
  it.write('../far away/.saga/stories/cart/three.json', {});
  await expect.poll(() => [...watched.said().stories], patience).toEqual(['cart']);
  await watched.forget();
  it.write('../far away/src/other.ts', 'x');
  it.git('worktree', 'add', '-q', '-b', 'feature', '../feature');
  it.story('later');
  await expect.poll(() => watched.said().stories.has('later'), patience).toBe(true);
  expect(watched.said()).toEqual({ ...createChanges(), stories: new Set(['later']) });
  await watched.forget();
  it.git('worktree', 'move', '../far away', '../further');
  await expect.poll(() => [...watched.said().stories], patience).toEqual(['cart']);
  await watched.forget();
  it.write('../further/.saga/stories/cart/four.json', {});
  await expect.poll(() => [...watched.said().stories], patience).toEqual(['cart']);
  await watched.forget();
  it.git('worktree', 'remove', '--force', '../further');
  await expect.poll(() => [...watched.said().stories], patience).toEqual(['cart']);
});

test('a removed worktree is reported although its watch cannot be ended', async () => {
  using plan = createPlan();
  plan.story('cart');
  plan.write(`${home('cart')}/story.json`, {});
  const said = createChanges();
  const faults: unknown[] = [];
  const watchFolder: WatchFolder = async () => ({
    stop: () => Promise.reject(new Error('It is gone already.')),
  });
  const watch = await watchProject(plan.paths, (changes) => void mergeChanges(said, changes), {
    watchFolder,
    onFault: (error) => void faults.push(error),
  });
  said.stories.clear();
  rmSync(join(plan.root, '.saga/worktrees/cart'), { recursive: true });
  await expect.poll(() => [...said.stories], patience).toEqual(['cart']);
  expect(faults).not.toEqual([]);
  await watch.stop();
});

test('a folder of stories that is replaced is looked at as a whole, and watched again', async () => {
  using plan = createPlan();
  plan.story('cart');
  await using it = await watchPlan(plan);
  await it.forget();
  renameSync(plan.paths.stories, join(plan.root, 'aside'));
  plan.story('other');
  await expect.poll(() => it.said().all, patience).toBe(true);
  // From some moment on the new folder is watched, and then a change is named.
  let changes = 0;
  const change = () => {
    plan.story('other', { title: `New ${++changes}` });
    return [...it.said().stories];
  };
  await expect.poll(change, { ...patience, interval: 50 }).toEqual(['other']);
});

test('a new folder is looked at twice: what was put there at once may have come too early', async () => {
  using plan = createPlan();
  plan.story('cart');
  await using it = await watchPlan(plan);
  await it.forget();
  plan.story('fresh', {}, { a: {}, b: {} });
  for (let look = 0; look < 2; look++) {
    await expect.poll(() => [...it.said().stories], patience).toEqual(['fresh']);
    it.said().stories.clear();
  }
});

test('without the native module everything is looked at again and again, until it is stopped', async () => {
  using plan = createPlan();
  let looks = 0;
  const watch = await watchProject(plan.paths, () => void looks++, { native: false });
  expect(watch.isNative).toBe(false);
  await expect.poll(() => looks, patience).toBeGreaterThan(1);
  await watch.stop();
  const before = looks;
  await sleep(1200);
  expect(looks).toBe(before);
});

test('a fault while folders are followed is handed over, and they are followed all the same', async () => {
  using plan = createPlan();
  plan.story('cart');
  const faults: unknown[] = [];
  const told: string[] = [];
  let isBroken = true;
  const watchFolder: WatchFolder = async (folder) => {
    told.push(folder);
    return {
      async stop() {
        if (isBroken) throw new Error('It cannot be stopped.');
      },
    };
  };
  const onFault = (error: unknown) => faults.push(error);
  const listener = () => {
    throw new Error('The listener is broken.');
  };
  const watch = await watchProject(plan.paths, listener, { watchFolder, onFault });
  expect(told).toEqual([plan.paths.stories]);
  expect(faults).toMatchObject([{ message: 'The listener is broken.' }]);
  renameSync(plan.paths.stories, join(plan.root, 'aside'));
  plan.story('other');
  await expect.poll(() => faults.map(String), patience).toContain('Error: It cannot be stopped.');
  // The folder that took its place is watched by the next look.
  await expect.poll(() => told, patience).toEqual([plan.paths.stories, plan.paths.stories]);
  isBroken = false;
  await watch.stop();
});
