import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject } from '../../../../test/rig/project/project.ts';
import { openPlainGit } from '../git/plain-git.ts';
import { acquireLock } from '../processes/lock.ts';
import { workerLock } from '../project/paths.ts';
import { listTrash } from '../trash/list-trash.ts';
import { publish } from '../worker/deliver/publish.ts';
import { ensureWorktree } from '../worker/prepare/ensure-worktree.ts';
import { alignStories, alignStory } from './align-story.ts';

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

/** Stories that this clone has otherwise than the remote, each in its own way. */
function createSeveral() {
  const it = createProject();
  const git = openPlainGit(it.root, it.env);
  const commit = (text: string) =>
    it.git('commit-tree', '-m', text, '-p', 'main', 'main^{tree}').trim();
  const set = (id: string, here: string, there?: string) => {
    it.git('update-ref', `refs/heads/story/${id}`, here);
    if (there !== undefined) it.git('update-ref', `refs/remotes/origin/story/${id}`, there);
  };
  const place = { paths: it.paths, git, env: it.env, remote: 'origin' };
  return Object.assign(it, {
    set,
    commit,
    main: it.git('rev-parse', 'main').trim(),
    align: () => alignStories(place),
    tip: (id: string) =>
      it.git('for-each-ref', '--format=%(objectname)', `refs/heads/story/${id}`).trim(),
    trash: () => listTrash(git),
  });
}

test('every story of a clone is brought to what the remote has, and those in the way are named', async () => {
  using it = createSeveral();
  const [theirs, mine] = [it.commit('Theirs'), it.commit('Mine')];
  it.set('behind', it.main, theirs);
  it.set('apart', mine, theirs);
  it.set('ahead', mine, it.main);
  it.set('same', theirs, theirs);
  it.set('local', mine);
  expect(await it.align()).toEqual(['apart']);
  expect(it.tip('behind')).toBe(theirs);
  // The next worker takes it from the remote.
  expect(it.tip('apart')).toBe('');
  expect((await it.trash()).map(({ story }) => story)).toEqual(['apart']);
  expect([it.tip('ahead'), it.tip('same'), it.tip('local')]).toEqual([mine, theirs, mine]);
  expect(await it.align()).toEqual([]);
});

test('a story that is being worked on, or that cannot be put away, keeps no other one from it', async () => {
  using it = createSeveral();
  const [theirs, mine] = [it.commit('Theirs'), it.commit('Mine')];
  for (const id of ['busy', 'elsewhere', 'free']) it.set(id, mine, theirs);
  it.git('worktree', 'add', '-q', join(it.folder, 'elsewhere'), 'story/elsewhere');
  const lock = await acquireLock(workerLock(it.paths, 'busy'));
  try {
    expect(await it.align()).toEqual(['free']);
  } finally {
    lock.release();
  }
  expect([it.tip('busy'), it.tip('elsewhere'), it.tip('free')]).toEqual([mine, mine, '']);
});

test('a branch whose name no story can have is left alone', async () => {
  using it = createSeveral();
  const theirs = it.commit('Theirs');
  it.set('deep/er', it.main, theirs);
  expect(await it.align()).toEqual([]);
  expect(it.tip('deep/er')).toBe(it.main);
});
