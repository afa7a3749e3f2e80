import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject } from '../../../../test/rig/project/project.ts';
import { openGit } from './git.ts';
import { pinRemote } from './pins.ts';

test('a remote whose address is a relative path is the same place in every worktree', async () => {
  using it = createProject();
  const worktree = join(it.folder, 'deep/er/cart');
  it.git('worktree', 'add', '-q', worktree, '-b', 'story/cart');
  it.git('remote', 'add', 'near', '../near.git');
  it.git('remote', 'set-url', '--add', '--push', 'near', 'mirrors/near.git');
  it.git('remote', 'set-url', '--add', '--push', 'near', 'git@example.org:acme/near.git');
  const git = openGit(worktree, it.env);
  expect(await pinRemote(git, 'near')).toEqual({
    fetchUrl: join(it.root, '../near.git'),
    pushUrls: [join(it.root, 'mirrors/near.git'), 'git@example.org:acme/near.git'],
  });
});

test.each([
  'https://example.org/acme/shop.git',
  'git@example.org:acme/shop.git',
  'example.org:shop.git',
  'file:///srv/shop.git',
  '/srv/shop.git',
])('%s is kept as it is', async (url) => {
  using it = createProject();
  it.git('remote', 'add', 'far', url);
  const pinned = await pinRemote(openGit(it.root, it.env), 'far');
  expect(pinned).toEqual({ fetchUrl: url, pushUrls: [url] });
});
