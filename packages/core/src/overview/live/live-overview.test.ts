import { execFileSync } from 'node:child_process';
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PLAN_ENV } from '../../../../../test/rig/project/done.ts';
import { createPlan, type Plan } from '../../../../../test/rig/project/plan.ts';
import { endedSession } from '../../../../../test/rig/project/shop.ts';
import { whenSettled } from '../../../../../test/rig/project/when-settled.ts';
import { acquireLock } from '../../processes/lock.ts';
import { epicLock } from '../../project/paths.ts';
import { loadOverview } from '../overview.ts';
import { createChanges, type ProjectChanges } from '../watch/project-changes.ts';
import { LiveOverview } from './live-overview.ts';

/** Two epics, one inside the other's neighbour, and a story by itself. */
function createNested(): Plan {
  const plan = createPlan();
  plan.story('a', { epic: 'low' }, { one: {} });
  plan.story('b', { epic: 'low' }, { one: {} });
  plan.story('c', { epic: 'late' }, { one: {} });
  plan.story('loose', {}, { one: {} });
  plan.epic('low', { a: [], b: ['a'] });
  plan.epic('late', { c: [] });
  plan.epic('top', { low: [], late: ['low'] });
  plan.write('.saga/config.json', {});
  return plan;
}

const changed = (changes: Partial<ProjectChanges>) => ({ ...createChanges(), ...changes });
const stories = (...ids: string[]) => changed({ stories: new Set(ids) });

/** Whatever was read again, the result is that of a scan from scratch. */
async function expectTruth(live: LiveOverview, plan: Plan): Promise<void> {
  const truth = await loadOverview(plan.paths, PLAN_ENV, { index: false });
  expect(live.stories).toEqual(truth.stories);
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
  expect(live.epics).toEqual(truth.epics.toSorted(byId));
  expect(live.problems).toEqual(truth.problems);
  for (const view of truth.stories) expect(live.story(view.id)).toEqual(view);
}

const done = { one: { status: 'completed' } };
const WORKTREE = '.saga/worktrees/loose/.saga/stories/loose';

test.each<[name: string, change: (plan: Plan) => void, told: ProjectChanges, named: object]>([
  [
    'a story that is done frees the next one',
    (plan) => plan.done('a'),
    changed({ stories: new Set(['a']), git: true }),
    { stories: ['a', 'b'], epics: ['low', 'top'] },
  ],
  [
    'an epic that is done frees what waits for the epic',
    (plan) => {
      for (const id of ['a', 'b']) plan.done(id);
    },
    changed({ stories: new Set(['a', 'b']), git: true }),
    { stories: ['a', 'b', 'c'], epics: ['low', 'late', 'top'] },
  ],
  [
    'tasks that are completed by hand free nobody, and what waits says so',
    (plan) => plan.story('a', { epic: 'low' }, done),
    stories('a'),
    { stories: ['a', 'b', 'c'], epics: ['low', 'top'] },
  ],
  [
    'a title concerns one story',
    (plan) => plan.story('a', { epic: 'low', title: 'New' }, { one: {} }),
    stories('a'),
    { stories: ['a'], epics: [], problems: false },
  ],
  [
    'a broken file is a problem',
    (plan) => plan.write('.saga/stories/a/one.json', '{'),
    stories('a'),
    // What waits for it says how it stands.
    { stories: ['a', 'b', 'c'], problems: true },
  ],
  ['a new story', (plan) => plan.story('new'), stories('new'), { stories: ['new'] }],
  [
    'a story that is gone leaves a child that does not exist',
    (plan) => rmSync(join(plan.paths.stories, 'c'), { recursive: true }),
    stories('c'),
    { stories: ['c'], problems: true },
  ],
  [
    'a story that leaves its epic',
    (plan) => plan.story('a', {}, { one: {} }),
    stories('a'),
    { problems: true },
  ],
  [
    'another order in an epic',
    (plan) => plan.epic('low', { a: ['b'], b: [] }),
    changed({ epics: true }),
    { stories: ['a', 'b'], epics: ['low'] },
  ],
  [
    'a worktree, whose copy counts',
    (plan) => {
      plan.write(`${WORKTREE}/story.json`, { id: 'loose', title: 'Live', description: '' });
    },
    stories('loose'),
    { stories: ['loose'], problems: false },
  ],
  [
    'an archived story',
    (plan) => {
      plan.write('.saga/archive/stories/x/story.json', {});
      renameSync(join(plan.paths.stories, 'a'), join(plan.paths.archivedStories, 'a'));
    },
    stories('a'),
    { stories: ['a', 'b', 'c'], problems: true },
  ],
])('%s', async (_, change, told, named) => {
  for (const all of [false, true]) {
    using plan = createNested();
    const live = await LiveOverview.open(plan.paths, PLAN_ENV);
    await expectTruth(live, plan);
    change(plan);
    const event = await live.apply(all ? changed({ all }) : told);
    await expectTruth(live, plan);
    const sorted = Object.fromEntries(
      Object.entries(event).map(([k, v]) => [k, Array.isArray(v) ? v.toSorted() : v]),
    );
    const wanted = Object.entries(named).map(([k, v]) => [k, Array.isArray(v) ? v.toSorted() : v]);
    expect(sorted).toMatchObject(Object.fromEntries(wanted));
    expect(await live.apply(told)).toEqual({ stories: [], epics: [], problems: false });
  }
});

test('where a plan has faults, what waits across epics is still told', async () => {
  using plan = createNested();
  plan.epic('late', { c: ['loose'] });
  plan.epic('twice', { a: [] });
  const live = await LiveOverview.open(plan.paths, PLAN_ENV);
  for (const status of ['completed', 'pending']) {
    for (const id of ['a', 'loose']) plan.write(`.saga/stories/${id}/one.json`, task(status));
    const { stories: told, epics } = await live.apply(stories('a', 'loose'));
    expect(told.toSorted()).toEqual(['a', 'b', 'c', 'loose']);
    expect(epics).toContain('twice');
    await expectTruth(live, plan);
  }
});

const task = (status: string) => {
  const text = { id: 'one', subject: 'Do one', description: 'All of it.' };
  return { ...text, status, blockedBy: [] };
};

test('an epic runs as long as its scheduler lives, whatever its stories are', async () => {
  using plan = createNested();
  const live = await LiveOverview.open(plan.paths, PLAN_ENV);
  const { release } = await acquireLock(epicLock(plan.paths, 'low'), 0);
  const told = changed({ workers: new Set(['low']) });
  expect((await live.apply(told)).epics.toSorted()).toEqual(['low', 'top']);
  expect(live.epic('low')?.state).toBe('running');
  await expectTruth(live, plan);
  await expectTruth(await LiveOverview.open(plan.paths, PLAN_ENV), plan);
  expect(live.findGoneWorkers()).toEqual([]);
  // A scheduler that was killed changes no file.
  release();
  expect(live.findGoneWorkers()).toEqual(['low']);
  await live.apply(changed({ all: true }));
  expect(live.epic('low')?.state).toBe('ready');
  await expectTruth(live, plan);
});

test('what a scheduler could not do is seen as soon as it says so, until its story is another one', async () => {
  using plan = createNested();
  const live = await LiveOverview.open(plan.paths, PLAN_ENV);
  const session = 'saga-epic-low-1700000000000';
  const trouble = {
    item: 'a',
    reason: 'not started',
    next: 'saga run a',
    since: '',
    state: 'ready',
  };
  const record = { ...endedSession(1_700_000_000_000, 'low'), session, isEpic: true };
  const say = async (troubles: object[]) => {
    plan.write(`.git/saga/runs/sessions/${session}.json`, { ...record, troubles });
    const told = await live.apply(changed({ sessions: new Set([session]) }));
    await expectTruth(live, plan);
    return told.stories;
  };
  expect(await say([{ ...trouble, tips: [] }])).toEqual(['a', 'b', 'c']);
  expect(live.story('a')).toMatchObject({ state: 'needs you', reason: 'not started' });
  expect(live.epic('top')?.state).toBe('needs you');
  expect(await say([{ ...trouble, tips: ['1'.repeat(40)] }])).toEqual(['a', 'b', 'c']);
  expect(live.story('a')?.state).toBe('ready');
});

test('settings that cannot be read are a problem until they can', async () => {
  using plan = createNested();
  const live = await LiveOverview.open(plan.paths, PLAN_ENV);
  plan.write('.saga/config.json', '{ "wroker": {} }');
  expect(await live.apply(changed({ config: true }))).toMatchObject({ problems: true });
  expect(live.problems).toMatchObject([{ code: 'invalid-config' }]);
  plan.write('.saga/config.json', {});
  await live.apply(changed({ config: true }));
  expect(live.problems).toEqual([]);
});

test('what it saved is what the next scan and the next start use', async () => {
  using plan = createNested();
  const live = await LiveOverview.open(plan.paths, PLAN_ENV);
  await whenSettled(plan.paths.saga);
  await live.apply(changed({ all: true }));
  live.saveIndex();
  const again = await LiveOverview.open(plan.paths, PLAN_ENV);
  await expectTruth(again, plan);
  expect(await loadOverview(plan.paths, PLAN_ENV)).toEqual(
    await loadOverview(plan.paths, PLAN_ENV, { index: false }),
  );
});

test('an edit of the other copy of a plan is seen, and so is its end and a base that moves on', async () => {
  using plan = createNested();
  const git = (...args: string[]) => execFileSync('git', args, { cwd: plan.root, env: PLAN_ENV });
  git('add', '-A');
  git('commit', '-q', '-m', 'Plan');
  git('worktree', 'add', '-q', '.saga/worktrees/loose', '-b', 'story/loose');
  const live = await LiveOverview.open(plan.paths, PLAN_ENV);
  await expectTruth(live, plan);
  plan.story('loose', { title: 'Edited' }, { one: {} });
  expect(await live.apply(stories('loose'))).toMatchObject({ stories: ['loose'] });
  expect(live.story('loose')).toMatchObject({ state: 'needs you', next: 'saga update loose' });
  await expectTruth(live, plan);
  git('commit', '-q', '-am', 'Main moved on');
  expect(await live.apply(changed({ git: true }))).toMatchObject({ stories: ['loose'] });
  expect(live.story('loose')?.behind).toBe(1);
  git('-C', '.saga/worktrees/loose', 'merge', '-q', 'main');
  await live.apply(changed({ all: true }));
  expect(live.story('loose')).toMatchObject({ state: 'interrupted', behind: 0 });
  await expectTruth(live, plan);
});

test('the base of a story follows the branches of the epics around it, and the epics themselves', async () => {
  using plan = createNested();
  const git = (...args: string[]) => execFileSync('git', args, { cwd: plan.root, env: PLAN_ENV });
  plan.epic('around', { loose: [] });
  git('add', '-A');
  git('commit', '-q', '-m', 'Plan');
  git('branch', 'epic/around');
  git('worktree', 'add', '-q', '.saga/worktrees/loose', '-b', 'story/loose');
  git('commit', '-q', '--allow-empty', '-m', 'Main moved on');
  const live = await LiveOverview.open(plan.paths, PLAN_ENV);
  expect(live.story('loose')?.behind).toBe(0);
  git('update-ref', 'refs/heads/epic/around', 'main');
  await live.apply(changed({ git: true }));
  expect(live.story('loose')).toMatchObject({
    behind: 1,
    reason: expect.stringContaining('1 behind epic/around'),
  });
  await expectTruth(live, plan);
  plan.epic('around', {});
  await live.apply(changed({ epics: true }));
  expect(live.story('loose')?.reason).toContain('1 behind main');
  await expectTruth(live, plan);
});
