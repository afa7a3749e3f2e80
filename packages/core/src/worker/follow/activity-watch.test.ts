import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject } from '../../../../../test/rig/project/project.ts';
import type { ForgePull } from '../../forge/forge.ts';
import { type GhCause, GhRefusal } from '../../forge/gh-refusal.ts';
import type { Activity } from '../../forge/reviewed.ts';
import { ActivityWatch } from './activity-watch.ts';

/** A place that answers what a test says, and counts the questions. A pause that is long keeps an answer fresh. */
function createScene() {
  const it = createProject();
  const scene = {
    it,
    asked: 0,
    said: [] as unknown[],
    answer: (): Activity => ({ digests: { 1: 'a', 2: 'a' } }),
    watch(number: number, everyMs = 3_600_000) {
      const loadActivity = async () => {
        scene.asked += 1;
        return scene.answer();
      };
      const place = { number, repository: 'github.com/acme/widgets', loadActivity };
      const emit = (type: string, { reason }: { reason?: string }) => {
        scene.said.push(`${type}: ${reason}`);
      };
      const worker = { paths: it.paths, emit } as ConstructorParameters<typeof ActivityWatch>[0];
      return new ActivityWatch(worker, place as unknown as ForgePull, everyMs);
    },
    [Symbol.dispose]: () => it[Symbol.dispose](),
  };
  return scene;
}

test('many workers ask once, and look only at what changed', async () => {
  using scene = createScene();
  const watches = Array.from({ length: 20 }, (_, i) => scene.watch(1 + (i % 2)));
  expect(await Promise.all(watches.map((it) => it.hasNews()))).not.toContain(false);
  expect(scene.asked).toBe(1);
  for (const it of watches) it.noteLooked();
  expect(await Promise.all(watches.map((it) => it.hasNews()))).not.toContain(true);

  const eager = scene.watch(1, 0);
  const other = scene.watch(2, 0);
  for (const it of [eager, other]) {
    await it.hasNews();
    it.noteLooked();
  }
  scene.answer = () => ({ digests: { 1: 'b', 2: 'a' } });
  // With a pause of nothing every answer is old, and so is every look.
  expect(await eager.hasNews()).toBe(true);
  const fresh = scene.watch(1);
  expect(await fresh.hasNews()).toBe(true);
});

test('a pull request that is not in the answer is looked at', async () => {
  using scene = createScene();
  const watch = scene.watch(7);
  expect(await watch.hasNews()).toBe(true);
  watch.noteLooked();
  expect(await watch.hasNews()).toBe(true);
});

test.each<[string, GhCause, boolean]>([
  ['a failure', 'server', true],
  ['a limit', 'too-often', false],
])('after %s nobody asks at once; after a limit nobody looks either', async (_, cause, looks) => {
  using scene = createScene();
  scene.answer = () => {
    throw new GhRefusal('why', cause);
  };
  const [first, second] = [scene.watch(1), scene.watch(2)];
  expect(await first.hasNews()).toBe(looks);
  expect(await second.hasNews()).toBe(looks);
  expect(scene.asked).toBe(1);
  expect(scene.said).toEqual(['follow:failed: why']);
});

test('a limit that a look meets lets all rest', async () => {
  using scene = createScene();
  const [first, second] = [scene.watch(1), scene.watch(2)];
  expect(await first.hasNews()).toBe(true);
  first.noteFailure(new GhRefusal('API rate limit exceeded', 'too-often'));
  expect([await first.hasNews(), await second.hasNews()]).toEqual([false, false]);
  expect(scene.asked).toBe(1);
});

test('the last tenth of the limit is left to the person', async () => {
  using scene = createScene();
  const resetAt = new Date(Date.now() + 1_800_000).toISOString();
  scene.answer = () => ({
    digests: { 1: 'a' },
    budget: { limit: 5000, remaining: 499, resetAt },
  });
  const watch = scene.watch(1, 0);
  expect([await watch.hasNews(), await watch.hasNews()]).toEqual([false, false]);
  expect(scene.asked).toBe(1);
  expect(scene.said).toEqual([expect.stringContaining('only 499 of 5000 requests are left')]);
});

test('a file that somebody damaged or forged is asked for again', async () => {
  using scene = createScene();
  expect(await scene.watch(1).hasNews()).toBe(true);
  const [name = ''] = readdirSync(scene.it.paths.cache).filter((it) => it.startsWith('activity-'));
  writeFileSync(join(scene.it.paths.cache, name), '{"restUntil":9e99}');
  expect(await scene.watch(1).hasNews()).toBe(true);
  expect(scene.asked).toBe(2);
});
