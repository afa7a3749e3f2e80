import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createEvidence } from '../../../../test/rig/project/done.ts';
import { buildTask } from '../../../../test/rig/project/plan-files.ts';
import { createProject, type Project } from '../../../../test/rig/project/project.ts';
import { whenSettled } from '../../../../test/rig/project/when-settled.ts';
import { saveTaskFields } from '../plan/stories.ts';
import { buildPaths } from '../project/paths.ts';
import { ensureWorktree } from '../worker/prepare/ensure-worktree.ts';
import { loadOverview } from './overview.ts';

const MAIN = '.saga/stories/x';
const LIVE = '../project.stories/x/.saga/stories/x';
const TWO = 'needs you: its plan was edited in the main checkout only → saga update x';
const ONE = /^interrupted: started, but no worker is running · \d\/2 tasks/;

async function lifeOf(it: Project, env: Record<string, string> = it.env): Promise<string> {
  const { stories } = await loadOverview(it.paths, env);
  const { state, reason, next } = stories[0] ?? {};
  return `${state}: ${reason} → ${next}`;
}

function edit(it: Project, file: string, fields: object): void {
  it.write(file, { ...JSON.parse(it.read(file)), ...fields });
}

function commit(it: Project): void {
  it.git('add', '-A');
  it.git('commit', '-q', '-m', 'Plan');
}

/** A story that was begun, whose plan was committed first or not. */
async function begin(it: Project, isCommitted: boolean): Promise<void> {
  it.story('x');
  if (isCommitted) {
    commit(it);
    if (it.git('remote') !== '') it.git('push', '-q');
  }
  await ensureWorktree(it.worker());
}

type Case = [what: string, act: (it: Project) => unknown, expected: RegExp | string];

const CASES: readonly Case[] = [
  ['nothing', () => {}, ONE],
  ['the story', (it) => edit(it, `${MAIN}/story.json`, { title: 'B' }), TWO],
  ['a task', (it) => edit(it, `${MAIN}/one.json`, { area: 'b' }), TWO],
  ['a new task', (it) => it.write(`${MAIN}/new.json`, buildTask('new')), TWO],
  ['a task that is gone', (it) => rmSync(join(it.root, MAIN, 'two.json')), TWO],
  ['a file that is no JSON any more', (it) => it.write(`${MAIN}/two.json`, '{ "id"'), TWO],
  ['a status', (it) => edit(it, `${MAIN}/one.json`, { status: 'completed' }), ONE],
  ['a status, live', (it) => saveTaskFields(it.paths, 'x', 'one', { status: 'completed' }), ONE],
  ['the worktree alone', (it) => edit(it, `${LIVE}/story.json`, { title: 'B' }), ONE],
  [
    'both, in the same way',
    (it) => {
      edit(it, `${MAIN}/one.json`, { area: 'b' });
      edit(it, `${LIVE}/one.json`, { area: 'b', status: 'completed' });
    },
    ONE,
  ],
];

const COMMITTED: readonly Case[] = [
  [
    'the story, and committed it',
    (it) => {
      edit(it, `${MAIN}/story.json`, { title: 'B' });
      commit(it);
    },
    TWO,
  ],
  [
    'a task, which the worktree merged and changed again',
    (it) => {
      edit(it, `${MAIN}/one.json`, { area: 'b' });
      commit(it);
      it.gitIn(join(it.worktrees, 'x'), 'merge', '-q', '--no-edit', 'main');
      edit(it, `${LIVE}/one.json`, { area: 'c' });
    },
    ONE,
  ],
];

test.each([
  ['in a commit', true, [...CASES, ...COMMITTED]],
  ['in no commit', false, CASES],
] as const)('two copies of a plan that was %s when it was begun', async (_, isCommitted, cases) => {
  using it = createProject();
  await begin(it, isCommitted);
  const worktree = join(it.worktrees, 'x');
  const starts = [it.root, worktree].map((at) => [at, it.gitIn(at, 'rev-parse', 'HEAD').trim()]);
  for (const [what, act, expected] of cases) {
    await act(it);
    const life = await lifeOf(it);
    if (typeof expected === 'string') expect(life, what).toBe(expected);
    else expect(life, what).toMatch(expected);
    for (const [at = '', commit = ''] of starts) it.gitIn(at, 'reset', '-q', '--hard', commit);
    rmSync(join(it.root, MAIN, 'new.json'), { force: true });
    if (!isCommitted) it.story('x');
  }
  expect(await lifeOf(it)).toMatch(ONE);
});

/** After that, only the branch of the story is there. */
function removeWorktree(it: Project): void {
  it.git('worktree', 'remove', '--force', join(it.worktrees, 'x'));
}

test.each([
  ['in a commit', true],
  ['in no commit', false],
] as const)(
  'a story that has only a branch, and whose plan was %s when it was begun',
  async (_, isCommitted) => {
    using it = createProject();
    await begin(it, isCommitted);
    removeWorktree(it);
    const start = it.git('rev-parse', 'HEAD').trim();
    const ofMain = [...CASES, ...(isCommitted ? COMMITTED.slice(0, 1) : [])].filter(
      ([what]) => !/live|worktree|both/.test(what),
    );
    for (const [what, act, expected] of ofMain) {
      await act(it);
      const life = await lifeOf(it);
      if (what.includes('no JSON')) expect(life).toMatch(/^needs you: one of its files/);
      else if (typeof expected === 'string') expect(life, what).toBe(expected);
      else expect(life, what).toMatch(expected);
      it.git('reset', '-q', '--hard', start);
      rmSync(join(it.root, MAIN, 'new.json'), { force: true });
      if (!isCommitted) it.story('x');
    }
    expect(await lifeOf(it)).toMatch(ONE);
    // A plan that was edited on the branch is newer than the one here.
    it.git('switch', '-q', '-f', 'story/x');
    edit(it, `${MAIN}/story.json`, { title: 'Of the branch' });
    commit(it);
    it.git('switch', '-q', 'main');
    if (!isCommitted) it.story('x');
    expect(await lifeOf(it)).toMatch(ONE);
  },
);

test('an edited plan is seen in a clone that knows only the branch of the remote, and remembered', async () => {
  using it = createProject();
  await begin(it, true);
  it.gitIn(join(it.worktrees, 'x'), 'push', '-q', 'origin', 'story/x');
  const clone = join(it.folder, 'clone');
  it.gitIn(it.folder, 'clone', '-q', it.origin, clone);
  const there = { paths: buildPaths(clone), env: it.env };
  const look = async (env: Record<string, string> = it.env) => {
    const { stories } = await loadOverview(there.paths, env);
    return `${stories[0]?.state}: ${stories[0]?.reason} → ${stories[0]?.next}`;
  };
  expect(await look()).toMatch(ONE);
  edit(it, `../clone/${MAIN}/story.json`, { title: 'B' });
  await whenSettled(it.folder);
  expect(await look()).toBe(TWO);
  expect(await look({ PATH: '/nowhere' })).toBe(TWO);
});

test('a main checkout that lags behind has an older plan, not an edited one', async () => {
  using it = createProject();
  it.story('x');
  commit(it);
  edit(it, `${MAIN}/story.json`, { title: 'Newer' });
  commit(it);
  it.git('push', '-q');
  await ensureWorktree(it.worker());
  it.git('reset', '-q', '--hard', 'HEAD~');
  expect(it.read(`${LIVE}/story.json`)).toContain('Newer');
  expect(await lifeOf(it)).toMatch(ONE);
});

test('a story that is merged is done, whatever is edited afterwards', async () => {
  using it = createProject({ remote: null });
  await begin(it, true);
  for (const task of ['one', 'two'])
    await saveTaskFields(it.paths, 'x', task, { status: 'completed' });
  it.write(`${LIVE}/evidence.json`, createEvidence('x'));
  const worktree = join(it.worktrees, 'x');
  it.gitIn(worktree, 'add', '-A');
  it.gitIn(worktree, 'commit', '-q', '-m', 'Done');
  it.git('merge', '-q', 'story/x');
  edit(it, `${MAIN}/story.json`, { title: 'Afterwards' });
  expect(await lifeOf(it)).toMatch(/^done: /);
});

test('what was found is remembered, without git and without reading the files again', async () => {
  using it = createProject();
  await begin(it, true);
  edit(it, `${MAIN}/story.json`, { title: 'B' });
  await whenSettled(it.folder);
  expect(await lifeOf(it)).toBe(TWO);
  expect(await lifeOf(it, { PATH: '/nowhere' })).toBe(TWO);
  edit(it, `${MAIN}/story.json`, { title: 'Story x' });
  expect(await lifeOf(it, { PATH: '/nowhere' })).toMatch(ONE);
});

test('a base that moved on is said of a story with a worktree', async () => {
  using it = createProject();
  await begin(it, true);
  for (const name of ['a', 'b']) {
    it.write(name, name);
    commit(it);
  }
  expect(await lifeOf(it)).not.toContain('behind');
  it.git('push', '-q');
  expect(await lifeOf(it)).toBe(
    'interrupted: started, but no worker is running · 0/2 tasks · 2 behind main → saga run x',
  );
  it.gitIn(join(it.worktrees, 'x'), 'merge', '-q', '--no-edit', 'main');
  expect(await lifeOf(it)).not.toContain('behind');
});

test('how far the story of an epic is behind is counted against the branch of the epic', async () => {
  using it = createProject();
  it.story('x', { epic: 'shop' });
  it.epic('shop', { x: [] });
  it.epic('all', { shop: [] });
  commit(it);
  it.git('push', '-q');
  it.git('branch', 'epic/shop');
  await ensureWorktree(it.worker({ worktree: { baseBranch: 'epic/shop' } }));
  it.write('a', 'a');
  commit(it);
  it.git('push', '-q');
  // main moved on, which does not concern the story.
  expect(await lifeOf(it)).not.toContain('behind');
  const moveEpic = () => {
    const tree = it.git('rev-parse', 'main^{tree}').trim();
    const merged = it.git('commit-tree', tree, '-p', 'epic/shop', '-m', 'Merge').trim();
    it.git('update-ref', 'refs/heads/epic/shop', merged);
  };
  moveEpic();
  moveEpic();
  expect(await lifeOf(it)).toBe(
    'interrupted: started, but no worker is running · 0/2 tasks · 2 behind epic/shop → saga run x',
  );
  expect(await lifeOf(it)).toContain('2 behind epic/shop');
  // A person who merges each story alone has main as the base of all.
  expect(await lifeOf(it, { ...it.env, SAGA_EPIC_INTEGRATE: 'review' })).toContain('1 behind main');
  it.write('.saga/config.json', { epic: { integrate: 'review' } });
  expect(await lifeOf(it)).toContain('1 behind main');
  it.write('.saga/config.json', {});
  // The nearest epic that has a branch counts.
  it.git('branch', 'epic/all', 'main');
  expect(await lifeOf(it)).toContain('2 behind epic/shop');
  it.git('branch', '-D', 'epic/shop');
  expect(await lifeOf(it)).toContain('1 behind epic/all');
});
