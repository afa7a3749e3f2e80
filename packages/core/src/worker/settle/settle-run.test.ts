import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseJournal } from '@saga-ai/types/plan/journal';
import { expect, test } from 'vitest';
import { createProject, type Project } from '../../../../../test/rig/project/project.ts';
import { openGit } from '../../../../../test/rig/project/repository.ts';
import type { Worktree } from '../../git/worktree.ts';
import { loadStory, saveTaskFields } from '../../plan/stories.ts';
import { describeProcess, formatIdentity } from '../../processes/identity.ts';
import { RUN_VARIABLE } from '../../processes/variables.ts';
import { quarantineOf } from '../../sandbox/enclosure.ts';
import { createQuarantine } from '../../sandbox/git-quarantine.ts';
import { ensureWorktree } from '../prepare/ensure-worktree.ts';
import { settleUnfinished } from './settle-run.ts';
import { findUnfinishedRun, saveUnfinishedRun, type UnfinishedRun } from './unfinished-run.ts';

/** A story whose worker was killed in the middle of a run, with its first task under way. */
async function cutOff(it: Project, more: Partial<UnfinishedRun> = {}): Promise<Worktree> {
  it.story('x');
  const worker = it.worker();
  const worktree = await ensureWorktree(worker);
  const list = worker.agent.tasks.hydrate(worker.agentHome, loadStory(it.paths, 'x'), 1);
  const file = join(list.folder, 'one.json');
  const task = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...task, status: 'in_progress' }));
  await saveTaskFields(it.paths, 'x', 'one', { status: 'in_progress' });
  const commit = await worktree.git.run(['rev-parse', 'HEAD']);
  saveUnfinishedRun(it.worker(), worktree, {
    runId: 'run-1',
    commit,
    listFolder: list.folder,
    ...more,
  });
  return worktree;
}

test('a run whose worker was killed is no attempt at the task it left', async () => {
  using it = createProject();
  const worktree = await cutOff(it);
  await settleUnfinished(it.worker(), worktree);
  const [one] = loadStory(it.paths, 'x').tasks;
  expect(one).toMatchObject({ id: 'one', status: 'pending' });
  expect(one).not.toHaveProperty('attempts');
  expect(one).not.toHaveProperty('lastOutcome');
  expect(findUnfinishedRun(worktree)).toBeUndefined();
});

test('what a run may not write that writes tests only is put back by the next worker, before it is pushed', async () => {
  using it = createProject();
  const worktree = await cutOff(it, { onlyTests: true });
  writeFileSync(join(worktree.folder, 'till.test.js'), 'a test\n');
  writeFileSync(join(worktree.folder, 'till.js'), 'the work itself\n');
  await worktree.git.run(['add', '-A']);
  await worktree.git.run(['commit', '-q', '-m', 'Too much']);
  await settleUnfinished(it.worker(), worktree);
  expect(it.said('tests:restored')).toMatchObject([{ files: ['till.js'] }]);
  const pushed = it.gitIn(it.origin, 'ls-tree', '--name-only', 'story/x').split('\n');
  expect(pushed).toContain('till.test.js');
  expect(pushed).not.toContain('till.js');
});

test('tasks that were completed in a run that left work beside the branch are open again', async () => {
  using it = createProject();
  const worktree = await cutOff(it);
  const list = findUnfinishedRun(worktree)?.listFolder ?? '';
  const complete = (id: string) => {
    const file = join(list, `${id}.json`);
    const task = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...task, status: 'completed' }));
  };
  // Completed and committed before the run.
  await saveTaskFields(it.paths, 'x', 'two', { status: 'completed' });
  await worktree.git.run(['commit', '-qam', 'Two is done']);
  const commit = await worktree.git.run(['rev-parse', 'HEAD']);
  saveUnfinishedRun(it.worker(), worktree, { runId: 'run-1', commit, listFolder: list });
  complete('one');
  complete('two');
  await worktree.git.run(['checkout', '-q', '--detach', 'main']);
  mkdirSync(join(worktree.folder, '.saga/stories/x'), { recursive: true });
  writeFileSync(join(worktree.folder, '.saga/stories/x/story.json'), 'in the way\n');
  await worktree.git.run(['add', '-A']);
  await worktree.git.run(['commit', '-qm', 'Beside']);
  for (let times = 0; times < 2; times++) {
    // Repeated, as after a kill: the list still says that the task is completed.
    await settleUnfinished(it.worker(), worktree);
    const statuses = loadStory(it.paths, 'x').tasks.map(({ id, status }) => [id, status]);
    expect(Object.fromEntries(statuses)).toEqual({ one: 'pending', two: 'completed' });
    saveUnfinishedRun(it.worker(), worktree, { runId: 'run-1', commit, listFolder: list });
  }
  expect(it.said('work:kept')[0]).toMatchObject({ ref: 'refs/saga/left/x/run-1-commits' });
});

test('a run that removes the note of its run, and kills its worker, is settled all the same', async () => {
  using it = createProject();
  const worktree = await cutOff(it, { journal: '## Decision: mine\n' });
  const file = '.saga/stories/x/story.json';
  const before = await worktree.git.run(['show', `HEAD:${file}`]);
  writeFileSync(
    join(worktree.folder, file),
    before.replace('"title"', '"verify": "true", "title"'),
  );
  await worktree.git.run(['commit', '-qam', 'Easier']);
  rmSync(join(worktree.gitFolder, 'saga-run.json'));
  const again = await ensureWorktree(it.worker());
  expect(await settleUnfinished(it.worker(), again)).toEqual([file]);
  expect(readFileSync(join(worktree.folder, file), 'utf8').trim()).toBe(before);
  const journal = readFileSync(join(worktree.folder, '.saga/stories/x/journal.md'), 'utf8');
  expect(journal).toContain('## Decision: mine');
  expect(it.said('journal:restored')).toMatchObject([{ isRewritten: true, dropped: [] }]);
});

test('the note of a worktree that is gone says nothing about the next one', async () => {
  using it = createProject();
  const { folder } = await cutOff(it);
  it.git('worktree', 'remove', '--force', folder);
  const again = await ensureWorktree(it.worker());
  expect(await settleUnfinished(it.worker(), again)).toEqual([]);
  expect(it.said('recovery:start')).toEqual([]);
});

test('a plan that nobody put back is named when the next worker begins', async () => {
  using it = createProject();
  const worktree = await cutOff(it);
  const file = '.saga/stories/x/story.json';
  const before = await worktree.git.run(['show', `HEAD:${file}`]);
  writeFileSync(
    join(worktree.folder, file),
    before.replace('"title"', '"verify": "true", "title"'),
  );
  await worktree.git.run(['commit', '-qam', 'Easier']);
  rmSync(join(worktree.gitFolder, 'saga-run.json'));
  rmSync(join(it.paths.runs, 'unfinished'), { recursive: true });
  await ensureWorktree(it.worker());
  expect(it.said('plan:differs')).toMatchObject([{ files: [file] }]);
});

test('a base that a run moved to its own commit excuses nothing', async () => {
  using it = createProject();
  const worktree = await cutOff(it);
  const [own, other] = ['.saga/stories/x/story.json', '.saga/epics/new.json'];
  const before = await worktree.git.run(['show', `HEAD:${own}`]);
  writeFileSync(join(worktree.folder, own), before.replace('"title"', '"verify": "true", "title"'));
  mkdirSync(join(worktree.folder, '.saga/epics'), { recursive: true });
  writeFileSync(join(worktree.folder, other), '{}');
  await worktree.git.run(['add', '-A']);
  await worktree.git.run(['commit', '-qm', 'Easier']);
  await worktree.git.run(['update-ref', 'refs/remotes/origin/main', 'HEAD']);
  expect(await settleUnfinished(it.worker(), worktree)).toEqual([other, own]);
});

test('the story itself is put back also if its base says the same', async () => {
  using it = createProject({ remote: null });
  const worktree = await cutOff(it);
  const own = '.saga/stories/x/story.json';
  const before = await worktree.git.run(['show', `HEAD:${own}`]);
  writeFileSync(join(worktree.folder, own), before.replace('"title"', '"verify": "true", "title"'));
  await worktree.git.run(['commit', '-qam', 'Easier']);
  await worktree.git.run(['update-ref', 'refs/heads/main', 'HEAD']);
  expect(await settleUnfinished(it.worker(), worktree)).toEqual([own]);
});

test('what a person commits during a run in the sandbox is kept, told, and never put back as the work of the run', async () => {
  using it = createProject();
  const worktree = await cutOff(it, { isEnclosed: true, writes: ['till.js'] });
  const quarantine = quarantineOf(worktree, 'run-1');
  mkdirSync(dirname(quarantine), { recursive: true });
  await createQuarantine(worktree, quarantine);
  writeFileSync(join(quarantine, 'objects/info/alternates'), join(it.root, '.git/objects'));
  const inside = {
    ...it.env,
    GIT_DIR: join(quarantine, 'worktrees/x'),
    GIT_COMMON_DIR: quarantine,
    GIT_WORK_TREE: worktree.folder,
  };
  const commit = (name: string, env: Record<string, string>) => {
    writeFileSync(join(worktree.folder, name), `${name}\n`);
    openGit(env)(worktree.folder, 'add', name);
    openGit(env)(worktree.folder, 'commit', '-qm', `Add ${name}`, '--', name);
  };
  commit('till.js', inside);
  commit('of-the-run.js', inside);
  commit('of-a-person.js', it.env);
  await settleUnfinished(it.worker(), worktree);
  expect(it.said('branch:moved')).toMatchObject([
    { commits: [expect.stringMatching(/^[0-9a-f]+ Add of-a-person.js$/)], how: 'merged' },
  ]);
  expect(it.said('task:restored')).toMatchObject([{ files: ['of-the-run.js'] }]);
  const pushed = it.gitIn(it.origin, 'ls-tree', '--name-only', 'story/x').split('\n');
  expect(pushed).toEqual(expect.arrayContaining(['of-a-person.js', 'till.js']));
  expect(pushed).not.toContain('of-the-run.js');
  const { entries } = parseJournal(loadStory(it.paths, 'x').journal);
  expect(entries.map(({ title }) => title)).toContainEqual(
    expect.stringMatching(/^SAGA: a person committed on story\/x .*; the run's commits are merged/),
  );
});

test('a run whose worker lives is not cleaned up after, even if its lock is lost', async () => {
  using it = createProject();
  const worktree = await cutOff(it);
  const worker = spawn('sleep', ['1000'], { stdio: 'ignore' });
  const client = spawn('sleep', ['1000'], {
    stdio: 'ignore',
    env: { PATH: process.env.PATH ?? '', [RUN_VARIABLE]: 'run-1' },
  });
  const owner = formatIdentity(describeProcess(worker.pid ?? 0), 'run');
  const note = { ...findUnfinishedRun(worktree), worker: owner };
  writeFileSync(join(worktree.gitFolder, 'saga-run.json'), JSON.stringify(note));
  const refused = { message: `Story x has a worker already (process ${worker.pid}).` };
  await expect(settleUnfinished(it.worker(), worktree)).rejects.toMatchObject(refused);
  await expect(ensureWorktree(it.worker())).rejects.toMatchObject(refused);
  expect(client.exitCode ?? client.signalCode).toBeNull();
  const ended = once(client, 'exit');
  worker.kill('SIGKILL');
  await once(worker, 'exit');
  await settleUnfinished(it.worker(), worktree);
  expect(await ended).toEqual([null, 'SIGTERM']);
});
