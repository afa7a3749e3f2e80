import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject, type Project } from '../../../../test/rig/project/project.ts';
import { findBase } from './find-base.ts';
import { openGit } from './git.ts';

const find = (it: Project, config: object = {}) => {
  const worker = it.worker(config);
  return findBase(openGit(it.root, it.env), worker.base.name, { emit: worker.emit });
};

test.each([
  ['told by origin/HEAD', () => {}],
  ['asked of the remote', (it: Project) => it.git('remote', 'set-head', 'origin', '--delete')],
])('a default branch of any name is found, %s', async (_, prepare) => {
  using it = createProject({ branch: 'trunk' });
  prepare(it);
  it.git('switch', '-q', '-c', 'main');
  it.git('commit', '-q', '--allow-empty', '-m', 'Not the default');
  const trunk = it.git('rev-parse', 'trunk').trim();
  expect(await find(it)).toEqual({ branch: 'trunk', commit: trunk, remote: 'origin' });
});

test('what was pushed by others since is fetched first', async () => {
  using it = createProject();
  it.gitIn(it.folder, 'clone', '-q', it.origin, 'other');
  const other = join(it.folder, 'other');
  it.gitIn(other, 'commit', '-q', '--allow-empty', '-m', 'Theirs');
  it.gitIn(other, 'push', '-q');
  const theirs = it.gitIn(other, 'rev-parse', 'HEAD').trim();
  expect(await find(it)).toMatchObject({ branch: 'main', commit: theirs });
});

test('a default branch that was renamed on the remote is followed', async () => {
  using it = createProject({ branch: 'master' });
  it.gitIn(it.origin, 'branch', '-m', 'master', 'main');
  it.gitIn(it.origin, 'symbolic-ref', 'HEAD', 'refs/heads/main');
  expect(await find(it)).toMatchObject({ branch: 'main', remote: 'origin' });
});

test('a remote of another name will do', async () => {
  using it = createProject({ remote: 'upstream' });
  expect(await find(it)).toMatchObject({ branch: 'main', remote: 'upstream' });
});

test('without a remote: the usual names, then the branch that is checked out', async () => {
  using it = createProject({ remote: null, branch: 'trunk' });
  const commit = it.git('rev-parse', 'HEAD').trim();
  expect(await find(it)).toEqual({ branch: 'trunk', commit });
  it.git('branch', 'master');
  expect(await find(it)).toEqual({ branch: 'master', commit });
});

test('with a detached HEAD and no known branch, the story starts from the commit', async () => {
  using it = createProject({ remote: null, branch: 'trunk' });
  it.git('switch', '-q', '--detach');
  it.git('branch', '-D', 'trunk');
  expect(await find(it)).toEqual({ commit: it.git('rev-parse', 'HEAD').trim() });
});

test.each([
  ['with origin/HEAD', () => {}],
  ['without', (it: Project) => it.git('remote', 'set-head', 'origin', '--delete')],
])('an unreachable remote is said once, and what is here will do, %s', async (_, prepare) => {
  using it = createProject();
  prepare(it);
  it.git('remote', 'set-url', 'origin', 'file:///nowhere/at/all.git');
  expect(await find(it)).toMatchObject({ branch: 'main', remote: 'origin', isUnreachable: true });
  expect(it.said('fetch:failed')).toHaveLength(1);
  expect(it.said('fetch:failed')[0]?.reason).toContain('does not appear to be a git repository');
});

test('the branch of the story comes along, pruned if the remote dropped it; those of others stay', async () => {
  using it = createProject();
  const worker = it.worker();
  const ids = ['cart', 'cart-api', 'mini-cart'];
  for (const id of ids) it.git('push', '-q', 'origin', `main:refs/heads/story/${id}`);
  const tracked = () =>
    it.git('for-each-ref', '--format=%(refname:short)', 'refs/remotes/origin/story').trim();
  const fetch = () =>
    findBase(openGit(it.root, it.env), worker.base.name, { emit: worker.emit, also: 'story/cart' });
  for (const id of ids) it.git('update-ref', '-d', `refs/remotes/origin/story/${id}`);
  await fetch();
  expect(tracked()).toBe('origin/story/cart');
  it.git('fetch', '-q');
  for (const id of ids) it.gitIn(it.origin, 'branch', '-D', `story/${id}`);
  await fetch();
  expect(tracked()).toBe('origin/story/cart-api\norigin/story/mini-cart');
});

test('ssh is what the user configured, and asks nobody', async () => {
  using it = createProject();
  const log = join(it.folder, 'ssh.log');
  const ssh = join(it.folder, 'my-ssh');
  writeFileSync(ssh, `#!/bin/sh\necho "$SSH_ASKPASS_REQUIRE" >> ${log}\nexit 255\n`, {
    mode: 0o755,
  });
  it.git('config', 'core.sshCommand', ssh);
  it.git('remote', 'set-url', 'origin', 'ssh://example.invalid/widgets.git');
  expect(await find(it)).toMatchObject({ branch: 'main', isUnreachable: true });
  expect(readFileSync(log, 'utf8')).toMatch(/^(never\n)+$/);
});

test('the configured branch wins; one that is nowhere is an error with its remedy', async () => {
  using it = createProject();
  it.git('branch', 'next');
  const config = (baseBranch: string) => ({ worktree: { baseBranch } });
  expect(await find(it, config('next'))).toMatchObject({ branch: 'next' });
  await expect(find(it, config('gone'))).rejects.toMatchObject({
    code: 'git-failed',
    message: 'The story cannot start from branch gone: it does not exist here or on origin.',
    hint: expect.stringContaining('worktree.baseBranch'),
  });
});
