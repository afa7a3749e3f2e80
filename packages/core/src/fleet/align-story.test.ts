import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject } from '../../../../test/rig/project/project.ts';
import { openPlainGit } from '../git/plain-git.ts';
import { listTrash } from '../trash/list-trash.ts';
import { publish } from '../worker/deliver/publish.ts';
import { ensureWorktree } from '../worker/prepare/ensure-worktree.ts';
import { alignStory } from './align-story.ts';

/** A story that was pushed from here, and to which another machine pushed since. */
async function createElsewhere() {
  const it = createProject();
  it.story('x');
  const worktree = await ensureWorktree(it.worker());
  expect(await publish(it.worker(), worktree)).toMatchObject({ pushed: true });
  const clone = join(it.folder, 'clone');
  it.gitIn(it.folder, 'clone', '-q', '-b', 'story/x', it.origin, clone);
  writeFileSync(join(clone, 'theirs.txt'), 'theirs\n');
  it.gitIn(clone, 'add', 'theirs.txt');
  it.gitIn(clone, 'commit', '-q', '-m', 'Theirs');
  it.gitIn(clone, 'push', '-q');
  it.git('fetch', '-q', 'origin');
  const git = openPlainGit(it.root, it.env);
  const place = { paths: it.paths, git, env: it.env, remote: 'origin' };
  return Object.assign(it, {
    worktree,
    align: (mayPutAway: boolean) => alignStory(place, 'x', { mayPutAway }),
    trash: () => listTrash(git),
  });
}

test('a copy without work of its own goes forward', async () => {
  using it = await createElsewhere();
  expect(await it.align(false)).toBe('forwarded');
  expect(existsSync(join(it.worktree.folder, 'theirs.txt'))).toBe(true);
  expect(await it.align(false)).toBe('same');
});

test('commits that only this machine has are put into the trash, in the clone of an agent', async () => {
  using it = await createElsewhere();
  writeFileSync(join(it.worktree.folder, 'mine.txt'), 'mine\n');
  it.gitIn(it.worktree.folder, 'add', 'mine.txt');
  it.gitIn(it.worktree.folder, 'commit', '-q', '-m', 'Mine');
  expect(await it.align(false)).toBe('differs');
  expect(existsSync(join(it.worktree.folder, 'mine.txt'))).toBe(true);
  expect(await it.align(true)).toBe('put-away');
  expect(existsSync(it.worktree.folder)).toBe(false);
  const [entry] = await it.trash();
  expect(it.git('ls-tree', '--name-only', '-r', entry?.ref ?? '')).toContain('mine.txt');
  // The next worker begins from what the remote has.
  const { folder } = await ensureWorktree(it.worker());
  expect(existsSync(join(folder, 'theirs.txt'))).toBe(true);
});

test('files that nobody committed are in the way, too', async () => {
  using it = await createElsewhere();
  writeFileSync(join(it.worktree.folder, 'draft.txt'), 'draft\n');
  expect(await it.align(false)).toBe('differs');
  expect(await it.align(true)).toBe('put-away');
});

test('work that the remote only lacks stays', async () => {
  using it = await createElsewhere();
  expect(await it.align(true)).toBe('forwarded');
  it.gitIn(it.worktree.folder, 'commit', '-q', '--allow-empty', '-m', 'Mine');
  expect(await it.align(true)).toBe('same');
});
