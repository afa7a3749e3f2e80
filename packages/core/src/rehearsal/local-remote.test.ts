import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject, type Project } from '../../../../test/rig/project/project.ts';
import { openGit } from '../git/git.ts';
import { createLocalRemote } from './local-remote.ts';

const branches = (it: Project, folder: string) =>
  it.gitIn(folder, 'for-each-ref', '--format=%(refname:short)', 'refs/heads').trim().split('\n');

test('a push goes to the stand-in alone, which has what the remote has', async () => {
  using it = createProject();
  it.git('push', '-q', 'origin', 'HEAD:refs/heads/other');
  it.git('fetch', '-q');
  const folder = join(it.folder, 'stand-in');
  const git = openGit(it.root, await createLocalRemote(it.root, it.env, folder));
  expect(branches(it, folder)).toEqual(['main', 'other']);
  await git.run(['push', '-q', 'origin', 'HEAD:refs/heads/story/x'], { network: 'delivering' });
  expect(branches(it, folder)).toEqual(['main', 'other', 'story/x']);
  expect(branches(it, it.origin)).toEqual(['main', 'other']);
  // git without the variables reaches the real one.
  expect(it.git('ls-remote', 'origin')).not.toContain('story/x');
});

test('also where a push has another address, and settings come in by the environment', async () => {
  using it = createProject();
  const address = 'ssh://git@example.invalid/shop.git';
  it.git('remote', 'set-url', '--push', 'origin', address);
  const folder = join(it.folder, 'stand-in');
  const given = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'a.b', GIT_CONFIG_VALUE_0: 'c' };
  const env = await createLocalRemote(it.root, { ...it.env, ...given }, folder);
  const git = openGit(it.root, env);
  expect(await git.run(['config', 'a.b'])).toBe('c');
  await git.run(['push', '-q', 'origin', 'HEAD:refs/heads/story/x'], { network: 'delivering' });
  expect(branches(it, folder)).toContain('story/x');
});

test('a rule that would lead elsewhere is refused before anything is pushed', async () => {
  using it = createProject();
  const folder = join(it.folder, 'stand-in');
  it.git('remote', 'set-url', 'origin', 'https://example.invalid/shop.git');
  // A longer rule than that for the whole address cannot be; an equal one that comes first can.
  it.git('config', 'url.ssh://git@example.invalid/.insteadOf', 'https://example.invalid/shop.git');
  await expect(createLocalRemote(it.root, it.env, folder)).rejects.toMatchObject({
    code: 'git-failed',
    message: expect.stringContaining('A rehearsal would use the remote ssh://git@example.invalid/'),
  });
});

test('it has no hook, and is not there if there is no remote', async () => {
  using it = createProject();
  const template = join(it.folder, 'template');
  it.write('../template/hooks/post-receive', `#!/bin/sh\ntouch ${it.folder}/ran\n`);
  chmodSync(join(template, 'hooks/post-receive'), 0o755);
  it.git('config', 'init.templateDir', template);
  const folder = join(it.folder, 'stand-in');
  const git = openGit(it.root, await createLocalRemote(it.root, it.env, folder));
  await git.run(['push', '-q', 'origin', 'HEAD:refs/heads/story/x'], { network: 'delivering' });
  expect(existsSync(join(it.folder, 'ran'))).toBe(false);
  it.git('remote', 'remove', 'origin');
  expect(await createLocalRemote(it.root, it.env, join(it.folder, 'none'))).toBe(it.env);
});
