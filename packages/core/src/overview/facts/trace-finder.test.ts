import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { completeStory, createEvidence, PLAN_ENV } from '../../../../../test/rig/project/done.ts';
import { createPlan, type Plan } from '../../../../../test/rig/project/plan.ts';
import { createProject, type Project } from '../../../../../test/rig/project/project.ts';
import { whenSettled } from '../../../../../test/rig/project/when-settled.ts';
import { buildPaths, gitFactsFile } from '../../project/paths.ts';
import { loadOverview } from '../overview.ts';

/** No program is found there: whoever starts git fails. */
const NO_PROGRAMS = { PATH: '/nowhere' };

const lives = async (plan: Plan, env: Record<string, string | undefined> = PLAN_ENV) =>
  Object.fromEntries(
    (await loadOverview(plan.paths, env)).stories.map(({ id, state, reason }) => [
      id,
      `${state}: ${reason}`,
    ]),
  );

const git = (plan: Plan, ...args: string[]) =>
  execFileSync('git', args, { cwd: plan.root, env: PLAN_ENV, encoding: 'utf8' }).trim();

function createTwo(): Plan {
  const plan = createPlan();
  plan.story('model', { epic: 'shop' });
  plan.story('api', { epic: 'shop' });
  plan.epic('shop', { model: [], api: ['model'] });
  return plan;
}

const DONE = {
  model: 'done: gate passed, merged into main',
  api: 'ready: it can start now',
};

test('while its branches are the same, no git is started; when one moved, it is asked again', async () => {
  using plan = createTwo();
  plan.done('model');
  await whenSettled(join(plan.root, '.git'));
  expect(await lives(plan)).toEqual(DONE);
  expect(await lives(plan, NO_PROGRAMS)).toEqual(DONE);
  // What is asked now cannot be answered, and what was known before does not count any more.
  git(plan, 'branch', 'story/api');
  expect(await lives(plan, NO_PROGRAMS)).toMatchObject({
    api: 'waiting: waits for model: in review',
  });
  expect(await lives(plan)).toMatchObject({
    model: DONE.model,
    api: 'interrupted: started, but no worker is running · 0/1 task',
  });
  git(plan, 'branch', '-D', 'story/api');
  git(plan, 'pack-refs', '--all');
  expect(await lives(plan)).toEqual(DONE);
});

test('a base in a folder of its own is followed', async () => {
  using plan = createTwo();
  git(plan, 'commit', '-q', '--allow-empty', '-m', 'First');
  plan.done('model');
  git(plan, 'branch', 'next/one');
  plan.write('.saga/config.json', { worktree: { baseBranch: 'next/one' } });
  await whenSettled(plan.root);
  for (let look = 0; look < 3; look++) {
    expect(await lives(plan)).toMatchObject({ model: 'done: gate passed, merged into next/one' });
  }
  git(plan, 'update-ref', 'refs/heads/next/one', 'HEAD~');
  expect((await lives(plan)).model).toBe('in review: gate passed');
});

test('what is remembered may be gone or broken', async () => {
  using plan = createTwo();
  plan.done('model');
  await whenSettled(join(plan.root, '.git'));
  await lives(plan);
  for (const text of ['', '{}', 'saga-git-facts 1 2 0\n{}', 'saga-git-facts 1 4 0\nnull']) {
    writeFileSync(gitFactsFile(plan.paths), text);
    expect(await lives(plan)).toEqual(DONE);
  }
});

test('without a repository, what passed its gate is done', async () => {
  using plan = createTwo();
  plan.story('model', { epic: 'shop' }, { work: { status: 'completed' } });
  expect((await lives(plan)).model).toMatch(/^interrupted: completed, but not checked/);
  plan.write('.saga/stories/model/evidence.json', createEvidence('model'));
  expect((await lives(plan)).model).toBe('in review: gate passed');
  rmSync(join(plan.root, '.git'), { recursive: true });
  expect(await lives(plan)).toEqual({ ...DONE, model: 'done: gate passed, merged into the base' });
});

/** A project with a remote; story cart was worked on in a worktree, passed its gate and was pushed. */
function createReviewed(): Project {
  const it = createProject();
  it.story('cart');
  it.git('add', '-A');
  it.git('commit', '-q', '-m', 'Plan');
  it.git('push', '-q', 'origin', 'main');
  it.git('switch', '-q', '-c', 'story/cart');
  it.write('cart.txt', 'done\n');
  it.git('add', '-A');
  it.git('commit', '-q', '-m', 'Work');
  const head = it.git('rev-parse', 'HEAD').trim();
  completeStory(it, 'cart', { head });
  it.git('push', '-q', 'origin', 'story/cart');
  it.git('switch', '-q', 'main');
  return it;
}

const lookAt = async ({ paths, env }: Pick<Project, 'paths' | 'env'>) => {
  const { stories } = await loadOverview(paths, env);
  return stories.map(({ state, reason, next, progress }) => ({ state, reason, next, progress }));
};

const TWO = { completed: 2, total: 2 };

test('a story without a worktree is as its branch says, also in the clone of a colleague', async () => {
  using it = createReviewed();
  const next = 'saga diff cart';
  const reviewed = { state: 'in review', reason: 'gate passed', next, progress: TWO };
  expect(await lookAt(it)).toEqual([reviewed]);
  // Remembered, it is the same.
  expect(await lookAt(it)).toEqual([reviewed]);

  const clone = join(it.root, '../clone');
  it.git('clone', '-q', it.git('remote', 'get-url', 'origin').trim(), clone);
  const cloned = { paths: buildPaths(clone), env: it.env };
  const there = { ...reviewed, next: next };
  expect(await lookAt(cloned)).toEqual([there]);

  // What comes after the gate is not what was checked.
  it.git('switch', '-q', 'story/cart');
  it.write('more.txt', 'more\n');
  it.git('add', '-A');
  it.git('commit', '-q', '-m', 'More');
  it.git('switch', '-q', 'main');
  expect(await lookAt(it)).toMatchObject([
    { state: 'interrupted', reason: 'changed since its gate passed · 2/2 tasks' },
  ]);
});

test('merged on the remote, it is done in a checkout that has only fetched', async () => {
  using it = createReviewed();
  const clone = join(it.root, '../clone');
  it.git('clone', '-q', it.git('remote', 'get-url', 'origin').trim(), clone);
  it.git('merge', '-q', '--squash', 'story/cart');
  it.git('commit', '-q', '-m', 'All of it');
  it.git('push', '-q', 'origin', 'main', ':story/cart');
  it.git('-C', clone, 'fetch', '-q', '--prune');
  const done = { state: 'done', reason: 'gate passed, merged into main', progress: TWO };
  expect(await lookAt({ paths: buildPaths(clone), env: it.env })).toMatchObject([done]);
  expect(await lookAt(it)).toMatchObject([done]);
});

test('a copy on the branch that cannot be read changes nothing', async () => {
  using it = createReviewed();
  it.git('switch', '-q', 'story/cart');
  it.write('.saga/stories/cart/evidence.json', '{');
  it.git('commit', '-q', '-a', '-m', 'Break it');
  it.git('switch', '-q', 'main');
  expect(await lookAt(it)).toMatchObject([
    { state: 'interrupted', reason: 'started, but no worker is running · 0/2 tasks' },
  ]);
});

const record = (story: string, timestamp: number, fields: object) => ({
  version: 1,
  session: `saga-story-${story}-${timestamp}`,
  story,
  host: 'elsewhere',
  pid: 1,
  started: 1,
  ...fields,
});

test.each<[string, object, string]>([
  [
    'stopped',
    { outcome: 'stopped', reason: 'stopped by hand' },
    'interrupted: stopped by hand · 0/1 task',
  ],
  [
    'refused',
    {
      outcome: 'error',
      reason: 'Not logged in.',
      cause: { kind: 'error', code: 'credential-refused' },
    },
    'needs you: Not logged in.',
  ],
  ['of a later version', { outcome: 'lost' }, 'ready: it can start now'],
  [
    'discarded since',
    { outcome: 'stopped', reason: 'stopped by hand', discardedAt: '2026-01-02T00:00:00Z' },
    'ready: it can start now',
  ],
])('the newest worker of a story counts: one that was %s', async (_, fields, life) => {
  using plan = createPlan();
  plan.story('cart');
  const write = (timestamp: number, more: object) =>
    plan.write(`.git/saga/runs/sessions/saga-story-cart-${timestamp}.json`, {
      ...record('cart', timestamp, { endedAt: '2026-01-01T00:00:00Z' }),
      ...more,
    });
  write(9, { outcome: 'limit', reason: 'the time is up' });
  write(10, fields);
  plan.write('.git/saga/runs/sessions/saga-story-cart-1.json', 'no record');
  expect((await lives(plan)).cart).toBe(life);
});
