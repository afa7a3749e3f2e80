import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject, type Project } from '../../../../test/rig/project/project.ts';
import { openGit } from '../git/git.ts';
import { describeProcess } from '../processes/identity.ts';
import { buildPaths } from '../project/paths.ts';
import { markRehearsal } from '../rehearsal/discard-rehearsal.ts';
import { ensureWorktree } from '../worker/prepare/ensure-worktree.ts';
import { checkLeftovers } from './check-leftovers.ts';
import { clearLeftovers } from './clear-leftovers.ts';

const host = hostname().replace(/[^a-zA-Z0-9.-]/g, '-');
const deadPid = () => spawnSync(process.execPath, ['-e', '']).pid;

const check = async ({ paths, env }: Project, more: Record<string, string> = {}) =>
  (await checkLeftovers(paths, { ...env, ...more }, join(env.HOME ?? '', '.claude'))).map(
    ({ name, state, message, fix }) => `${state} ${name}: ${message}${fix ? ` → ${fix}` : ''}`,
  );

function lock(it: Project, name: string, owner: string): void {
  it.write(`.git/saga/runs/${name}/${owner}`, '');
}

function commitStories(it: Project, ids: string[]): void {
  for (const id of ids) it.story(id);
  it.git('add', '-A');
  it.git('commit', '-qm', 'The plan');
  it.git('push', '-q', 'origin', 'main');
}

test('a project where nothing is left over', async () => {
  using it = createProject();
  expect(await check(it)).toEqual(['ok locks: no stale locks', 'ok worktrees: 0 story worktrees']);
  expect(await clearLeftovers(it.paths, it.env)).toEqual({ fixed: [], left: [] });
});

test('locks of the dead go, those of the living and of other machines stay', async () => {
  using it = createProject();
  const [dead, other] = [deadPid(), deadPid()];
  const { started } = describeProcess(process.pid);
  lock(it, 'locks/worker-x', `${host}~${dead}~0~a`);
  lock(it, 'locks/project', `${host}~${other}~0~a`);
  lock(it, 'rehearsals/locks/rehearsal-x', `${host}~${dead}~0~a`);
  lock(it, 'locks/story-x', `${host}~${process.pid}~${started}~a`);
  lock(it, 'locks/story-y', `another-host~${dead}~0~a`);
  lock(it, 'locks/story-z', 'what is this');
  expect((await check(it))[0]).toBe(
    `warning locks: 3 stale locks: processes ${other}, ${dead} are gone → saga doctor --fix`,
  );
  expect((await clearLeftovers(it.paths, it.env)).fixed.toSorted()).toEqual([
    'stale lock .git/saga/runs/locks/project removed',
    'stale lock .git/saga/runs/locks/worker-x removed',
    'stale lock .git/saga/runs/rehearsals/locks/rehearsal-x removed',
  ]);
  expect(readdirSync(it.paths.locks).toSorted()).toEqual(['story-x', 'story-y', 'story-z']);
  expect((await check(it))[0]).toBe('ok locks: no stale locks');
});

test('worktrees: gone, orphaned, merged, and one that somebody is at', async () => {
  using it = createProject({ name: 'a project' });
  const ids = ['merged', 'orphan', 'busy', 'open'];
  commitStories(it, [...ids, 'gone']);
  for (const id of [...ids, 'gone']) {
    await ensureWorktree(it.worker({}, { storyId: id }));
  }
  it.git('worktree', 'add', '-q', '-b', 'elsewhere', '../elsewhere');
  rmSync(join(it.folder, 'elsewhere'), { recursive: true });
  rmSync(join(it.worktrees, 'gone'), { recursive: true });
  for (const id of ['merged', 'busy']) it.git('merge', '-q', `story/${id}`);
  it.git('push', '-q', 'origin', 'main');
  rmSync(join(it.paths.stories, 'orphan'), { recursive: true });
  const { started } = describeProcess(process.pid);
  lock(it, 'locks/worker-busy', `${host}~${process.pid}~${started}~a`);
  const tree = (id: string) => join(it.worktrees, id);
  expect(await check(it)).toEqual([
    'ok locks: no stale locks',
    'ok worktrees: 4 story worktrees',
    'warning worktrees: merged, and can be removed: merged → saga clean',
    'warning worktrees: ../a project.stories/orphan: the main checkout has no story orphan; its only copy is in this worktree → saga recover --discard orphan (kept in the trash)',
    'warning worktrees: ../a project.stories/gone: the folder of the worktree of gone is gone; what was not committed there went with it → saga run gone makes it again from its branch',
  ]);
  expect((await clearLeftovers(it.paths, it.env)).fixed).toEqual([
    `git forgot the worktree ${tree('gone')}, whose folder is gone`,
  ]);
  // Its disk may only be away.
  expect(it.git('worktree', 'list')).toContain('/elsewhere ');
  // Work is never ours to remove.
  for (const id of ids) expect(existsSync(tree(id))).toBe(true);
});

test('of a project that was moved nothing is taken for gone', async () => {
  using it = createProject();
  commitStories(it, ['x']);
  await ensureWorktree(it.worker());
  const moved = join(it.folder, 'moved');
  renameSync(it.root, moved);
  const paths = buildPaths(moved);
  expect(await clearLeftovers(paths, it.env)).toEqual({ fixed: [], left: [] });
  expect(existsSync(join(moved, '.git/worktrees/x'))).toBe(true);
});

test('merged is what the configured base has, and no remote is asked', async () => {
  using it = createProject();
  commitStories(it, ['x']);
  it.git('branch', 'develop');
  it.git('push', '-q', 'origin', 'develop');
  it.write('.saga/config.json', { worktree: { baseBranch: 'develop' } });
  await ensureWorktree(it.worker({ worktree: { baseBranch: 'develop' } }));
  it.git('merge', '-q', '--no-ff', '-m', 'Merge', 'story/x');
  it.git('push', '-q', 'origin', 'main');
  // Unknown, the default branch would have to be asked for.
  it.git('remote', 'set-head', 'origin', '--delete');
  const asked = join(it.folder, 'asked');
  it.git('config', 'core.sshCommand', `touch ${asked};false`);
  it.git('remote', 'set-url', 'origin', 'ssh://git@192.0.2.1/x.git');
  expect(await check(it)).toHaveLength(2);
  it.write('.saga/config.json', {});
  expect((await check(it)).at(-1)).toContain('merged, and can be removed: x');
  it.write('.saga/config.json', '{ broken');
  expect((await check(it)).at(-1)).toContain('merged, and can be removed: x');
  it.write('.saga/config.json', { worktree: { baseBranch: 'nowhere' } });
  expect(await check(it)).toHaveLength(2);
  expect(existsSync(asked)).toBe(false);
});

test('what a rehearsal left goes, a branch of the same kind that is not its own stays', async () => {
  using it = createProject();
  const temp = join(it.folder, 'saga-rehearsal-x');
  const links = join(it.paths.runs, 'rehearsals/temp');
  for (const folder of [temp, links, join(it.folder, 'precious')]) {
    mkdirSync(folder, { recursive: true });
  }
  it.git('branch', 'rehearsal/mine');
  it.git('branch', 'rehearsal/left');
  await markRehearsal(openGit(it.root, it.env), 'rehearsal/left');
  it.git('update-ref', 'refs/remotes/origin/rehearsal/left', 'HEAD');
  symlinkSync(temp, join(links, 'temp-only'));
  symlinkSync(join(it.folder, 'precious'), join(links, 'forged'));
  const { started } = describeProcess(process.pid);
  it.git('branch', 'rehearsal/busy');
  await markRehearsal(openGit(it.root, it.env), 'rehearsal/busy');
  lock(it, 'rehearsals/locks/rehearsal-busy', `${host}~${process.pid}~${started}~a`);
  expect((await check(it)).at(-1)).toBe(
    'warning worktrees: kept or left by a rehearsal: forged, left, temp-only → saga doctor --fix',
  );
  expect((await clearLeftovers(it.paths, it.env)).fixed).toHaveLength(3);
  const branches = it.git(
    'for-each-ref',
    '--format=%(refname:short)',
    'refs/heads',
    'refs/remotes',
  );
  expect(branches.split('\n').filter((name) => name.includes('rehearsal'))).toEqual([
    'rehearsal/busy',
    'rehearsal/mine',
  ]);
  expect(existsSync(temp)).toBe(false);
  expect(existsSync(join(it.folder, 'precious'))).toBe(true);
  expect(await check(it)).toHaveLength(2);
});

test('without git, or a repository, the locks are looked at all the same', async () => {
  using it = createProject();
  expect(await check(it, { PATH: it.folder })).toEqual(['ok locks: no stale locks']);
  rmSync(join(it.root, '.git'), { recursive: true });
  const alone = { GIT_CEILING_DIRECTORIES: it.folder };
  expect(await check(it, alone)).toEqual(['ok locks: no stale locks']);
  lock(it, 'locks/project', `${host}~${deadPid()}~0~a`);
  expect((await clearLeftovers(it.paths, { ...it.env, ...alone })).fixed).toHaveLength(1);
});

test('locks and sessions of other machines are named with their age, and stay', async () => {
  using it = createProject();
  const since = new Date(Date.now() - 3 * 60 * 60_000);
  for (const name of ['worker-x', 'project']) {
    lock(it, `locks/${name}`, 'vm-2~12~1~a');
    utimesSync(join(it.paths.locks, name, 'vm-2~12~1~a'), since, since);
  }
  const record = { version: 1, host: 'vm-2', pid: 12, started: 1, outputFile: '/x', tmux: true };
  const more = { startedAt: since.toISOString(), model: 'opus', cycle: 1, tokens: 0, costUsd: 0 };
  for (const story of ['x', 'y']) {
    const session = `saga-story-${story}-1`;
    it.write(`.git/saga/runs/sessions/${session}.json`, { ...record, session, story, ...more });
  }
  const path = join(it.paths.locks, 'project');
  const expected = [
    'ok locks: no stale locks',
    'ok worktrees: 0 story worktrees',
    `warning locks: .git/saga/runs/locks/project: held by process 12 on vm-2 for 3h00m → If that machine is gone: rm -r ${path}`,
    'warning locks: .git/saga/runs/locks/worker-x: held by process 12 on vm-2 for 3h00m → If that machine is gone: saga stop --forget x',
    'warning sessions: saga-story-y-1: started on vm-2 3h00m ago and never ended → If that machine is gone: saga stop --forget y',
  ];
  expect((await check(it)).slice(0, 5).toSorted()).toEqual(expected.toSorted());
  expect((await clearLeftovers(it.paths, it.env)).fixed).toEqual([]);
  expect((await check(it)).slice(0, 5).toSorted()).toEqual(expected.toSorted());
});
