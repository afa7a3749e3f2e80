import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { createEvidence } from '../../../../test/rig/project/done.ts';
import { buildTask } from '../../../../test/rig/project/plan-files.ts';
import { createProject, type Project, readWhole } from '../../../../test/rig/project/project.ts';
import { checkProject } from '../authoring/check.ts';
import { loadOverview } from '../overview/overview.ts';
import { loadStory, saveTaskFields } from '../plan/stories.ts';
import { acquireLock } from '../processes/lock.ts';
import { workerLock } from '../project/paths.ts';
import { ensureWorktree } from '../worker/prepare/ensure-worktree.ts';
import { requireStartable } from '../worker/prepare/require-startable.ts';
import { saveUnfinishedRun } from '../worker/settle/unfinished-run.ts';
import { updateStory } from './update-story.ts';

const MAIN = '.saga/stories/x';
const LIVE = '../project.stories/x/.saga/stories/x';

function edit(it: Project, file: string, fields: object): void {
  it.write(file, { ...JSON.parse(it.read(file)), ...fields });
}

function commit(it: Project, at = it.root): void {
  it.gitIn(at, 'add', '-A');
  it.gitIn(at, 'commit', '-q', '-m', 'By hand');
}

async function begin(it: Project) {
  it.story('x');
  commit(it);
  it.git('push', '-q');
  return ensureWorktree(it.worker());
}

const update = (it: Project, config = {}, parts = { plan: true, base: true }) => {
  const { emit: _, agent: __, lifeline: ___, network: ____, ...order } = it.worker(config);
  return updateStory({ ...order, parts, listen: (event) => void it.events.push(event) });
};

const reasons = async (it: Project) =>
  ((await loadOverview(it.paths, it.env)).stories[0]?.needsYou ?? []).map(({ kind }) => kind);

test('an edited plan and a moved base come into the worktree, and statuses stay', async () => {
  using it = createProject();
  const { folder } = await begin(it);
  await saveTaskFields(it.paths, 'x', 'one', { status: 'completed' });
  it.write(`${LIVE}/evidence.json`, createEvidence('x'));
  commit(it, folder);
  // In the worktree, by a person: not to be lost.
  edit(it, `${LIVE}/story.json`, { guidance: 'Only here.' });
  edit(it, `${MAIN}/story.json`, { title: 'Better' });
  edit(it, `${MAIN}/one.json`, { description: 'More.' });
  it.write(`${MAIN}/three.json`, buildTask('three', { blockedBy: ['one'] }));
  rmSync(join(it.root, MAIN, 'two.json'));
  it.write('src.txt', 'new\n');
  commit(it);
  it.git('push', '-q');
  expect(await reasons(it)).toEqual(['copies']);
  await expect(requireStartable(it.paths, 'x', it.env, false)).rejects.toMatchObject({
    code: 'two-copies',
    hint: expect.stringContaining('saga update x'),
  });
  await requireStartable(it.paths, 'x', it.env, true);

  expect(await update(it)).toMatchObject({
    base: 'main',
    plan: { kind: 'taken', disputed: [], droppedEvidence: true },
    taken: { kind: 'merged', commits: 1, changes: [], disputed: [] },
  });
  const { story, tasks } = loadStory(it.paths, 'x');
  expect(story).toMatchObject({ title: 'Better', guidance: 'Only here.', branch: 'story/x' });
  expect(tasks.map(({ id, status, description }) => [id, status, description])).toEqual([
    ['one', 'completed', 'More.'],
    ['three', 'pending', 'All of three.'],
  ]);
  expect(existsSync(join(folder, 'src.txt'))).toBe(true);
  expect(it.gitIn(folder, 'status', '--porcelain')).toBe('');
  expect(await reasons(it)).toEqual([]);
  // What was removed is in the history of the branch.
  expect(it.git('log', '--format=%s', '--diff-filter=D', 'story/x', '--', `${MAIN}/two.json`)).toBe(
    'saga: take the plan of x from the main checkout\n',
  );
  expect(await update(it)).toMatchObject({ plan: { kind: 'current' }, taken: { kind: 'current' } });
});

test('the base is fetched from a remote whose address is a relative path, also if its default branch is unknown', async () => {
  using it = createProject();
  const { folder } = await begin(it);
  const other = join(it.folder, 'other');
  it.gitIn(it.folder, 'clone', '-q', it.origin, other);
  const push = (name: string) => {
    writeFileSync(join(other, name), 'new\n');
    commit(it, other);
    it.gitIn(other, 'push', '-q');
  };
  it.git('remote', 'set-url', 'origin', relative(it.root, it.origin));
  push('first.txt');
  expect(await update(it)).toMatchObject({ taken: { kind: 'merged', commits: 1 } });
  push('second.txt');
  it.git('remote', 'set-head', 'origin', '--delete');
  expect(await update(it)).toMatchObject({ taken: { kind: 'merged', commits: 1 } });
  expect(it.said('fetch:failed')).toEqual([]);
  expect(existsSync(join(folder, 'second.txt'))).toBe(true);
});

test('a story that has only a branch gets a worktree, and the edited plan and the base come in', async () => {
  using it = createProject();
  const { folder } = await begin(it);
  it.write(`${LIVE}/evidence.json`, createEvidence('x'));
  commit(it, folder);
  it.gitIn(folder, 'push', '-q', 'origin', 'story/x');
  it.git('worktree', 'remove', folder);
  it.git('branch', '-q', '-D', 'story/x');
  edit(it, `${MAIN}/one.json`, { description: 'Edited.' });
  it.write('src.txt', 'new\n');
  commit(it);
  it.git('push', '-q');
  expect(await reasons(it)).toEqual(['copies']);
  await expect(requireStartable(it.paths, 'x', it.env, false)).rejects.toMatchObject({
    code: 'two-copies',
    hint: expect.stringContaining('the plan on its branch'),
  });
  const { problems } = await checkProject(it.paths, it.env);
  expect(problems.map(({ message }) => message)).toEqual([
    '.saga/stories/x was edited, but story x works with its copy on branch story/x.',
  ]);
  expect(await update(it, { worktree: { setup: 'touch was-set-up' } })).toMatchObject({
    plan: { kind: 'taken', changes: [{ file: 'one.json' }], droppedEvidence: true },
    taken: { kind: 'merged', commits: 1 },
  });
  expect(it.said('worktree:created').at(-1)).toMatchObject({ branch: 'story/x', ahead: 2 });
  expect(loadStory(it.paths, 'x').tasks[0]?.description).toBe('Edited.');
  expect(existsSync(join(folder, 'src.txt'))).toBe(true);
  expect(await reasons(it)).toEqual([]);
  // The command of the project was not run. The next worker runs it.
  expect(existsSync(join(folder, 'was-set-up'))).toBe(false);
  await ensureWorktree(it.worker({ worktree: { setup: 'touch was-set-up' } }));
  expect(existsSync(join(folder, 'was-set-up'))).toBe(true);
});

test('a viewer that fails does not stop an update', async () => {
  using it = createProject();
  const { folder } = await begin(it);
  it.git('worktree', 'remove', '--force', folder);
  edit(it, `${MAIN}/one.json`, { description: 'Edited.' });
  const { emit: _, agent: __, lifeline: ___, network: ____, ...order } = it.worker();
  let calls = 0;
  const listen = () => {
    calls += 1;
    throw new Error('The window is gone.');
  };
  await updateStory({ ...order, parts: { plan: true, base: true }, listen });
  expect(calls).toBeGreaterThan(0);
  expect(JSON.parse(it.read(`${LIVE}/one.json`)).description).toBe('Edited.');
});

test('a merged story whose branch is still there gets no worktree', async () => {
  using it = createProject();
  const { folder } = await begin(it);
  for (const task of ['one', 'two'])
    await saveTaskFields(it.paths, 'x', task, { status: 'completed' });
  it.write(`${LIVE}/evidence.json`, createEvidence('x'));
  commit(it, folder);
  it.git('merge', '-q', 'story/x');
  it.git('push', '-q');
  it.git('worktree', 'remove', folder);
  expect(await update(it)).toBeUndefined();
  expect(existsSync(folder)).toBe(false);
});

test('a conflict merges nothing, and uncommitted work is as it was', async () => {
  using it = createProject();
  const { folder } = await begin(it);
  writeFileSync(join(folder, 'half.txt'), 'first\n');
  for (const at of [it.root, folder]) {
    writeFileSync(join(at, 'README.md'), `# From ${at}\n`);
    commit(it, at);
  }
  it.write('other.txt', 'of main\n');
  commit(it);
  it.git('push', '-q');
  writeFileSync(join(folder, 'leftover.txt'), 'mine\n');
  writeFileSync(join(folder, 'half.txt'), 'half done\n');
  const tip = it.git('rev-parse', 'story/x');
  const look = () => [readWhole(folder), it.gitIn(folder, 'status', '--porcelain')];
  const before = look();
  const updated = await update(it);
  expect(updated?.taken).toEqual({ kind: 'conflict', commits: 2, files: ['README.md'] });
  expect(look()).toEqual(before);
  expect(it.git('rev-parse', 'story/x')).toBe(tip);
  expect(it.git('show', `${updated?.keptIn}:half.txt`)).toBe('half done\n');
  // What is staged, git would overwrite: it does not begin.
  it.gitIn(folder, 'add', 'half.txt');
  expect((await update(it))?.taken).toMatchObject({
    kind: 'refused',
    reason: expect.stringContaining('half.txt'),
  });
});

test('what a colleague pushed of the plan comes with the base, and the live plan wins', async () => {
  using it = createProject();
  await begin(it);
  await saveTaskFields(it.paths, 'x', 'one', { status: 'completed' });
  edit(it, `${LIVE}/story.json`, { title: 'Live' });
  edit(it, `${MAIN}/story.json`, { title: 'Pushed', verify: 'true' });
  edit(it, `${MAIN}/one.json`, { description: 'Pushed.' });
  commit(it);
  it.git('push', '-q');
  it.git('reset', '-q', '--hard', 'HEAD~');
  expect(await update(it)).toMatchObject({
    plan: { kind: 'current' },
    taken: { kind: 'merged', disputed: ['story.json: title'] },
  });
  const { story, tasks } = loadStory(it.paths, 'x');
  expect(story).toMatchObject({ title: 'Live', verify: 'true', branch: 'story/x' });
  expect(tasks[0]).toMatchObject({ description: 'Pushed.', status: 'completed' });
});

test('after a worker was killed in a run, its run is settled first and the taken plan stays', async () => {
  using it = createProject();
  const worktree = await begin(it);
  const head = await worktree.git.run(['rev-parse', 'HEAD']);
  saveUnfinishedRun(it.worker(), worktree, {
    runId: 'gone',
    commit: head,
    listFolder: join(it.home, 'list'),
  });
  edit(it, `${LIVE}/two.json`, { description: 'Planted by the run.' });
  edit(it, `${MAIN}/one.json`, { description: 'Edited.' });
  await update(it, {}, { plan: true, base: false });
  const { tasks } = loadStory(it.paths, 'x');
  expect(tasks.map(({ description }) => description)).toEqual(['Edited.', 'All of two.']);
  // The next worker finds nothing to put back.
  await ensureWorktree(it.worker());
  expect(loadStory(it.paths, 'x').tasks[0]?.description).toBe('Edited.');
});

test('it is refused while a worker runs, for a broken plan, and without a worktree there is nothing to do', async () => {
  using it = createProject();
  it.story('x');
  expect(await update(it)).toBeUndefined();
  const { folder, gitFolder } = await begin(it);
  const lock = await acquireLock(workerLock(it.paths, 'x'));
  await expect(update(it)).rejects.toMatchObject({
    code: 'in-flight',
    hint: 'Stop the worker first: saga stop x',
  });
  lock.release();
  it.write(`${MAIN}/one.json`, '{');
  await expect(update(it)).rejects.toMatchObject({ code: 'invalid-file' });
  it.git('checkout', '-q', '--', MAIN);
  edit(it, `${MAIN}/one.json`, { blockedBy: ['two'] });
  edit(it, `${LIVE}/two.json`, { blockedBy: ['one'] });
  // Each is sound, and both together are a circle.
  await expect(update(it)).rejects.toMatchObject({ code: 'cycle' });
  expect(it.gitIn(folder, 'status', '--porcelain')).toBe('');
  writeFileSync(join(gitFolder, 'MERGE_HEAD'), it.git('rev-parse', 'HEAD'));
  await expect(update(it)).rejects.toMatchObject({
    message: expect.stringContaining('A merge is under way'),
  });
  // A merge of our own that was cut off is undone.
  writeFileSync(join(gitFolder, 'saga-merge'), '');
  it.git('checkout', '-q', '--', MAIN);
  expect(await update(it)).toMatchObject({ plan: { kind: 'current' } });
});
