import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject } from '../../../../test/rig/project/project.ts';
import { openPlainGit } from '../git/plain-git.ts';
import { acquireLock } from '../processes/lock.ts';
import { epicLock } from '../project/paths.ts';
import { listTrash } from '../trash/list-trash.ts';
import { alignEpics } from './align-epics.ts';

/** An epic's branch that both sides know, and a commit that the remote got since. */
function createEpic() {
  const it = createProject();
  it.git('branch', 'epic/shop');
  it.git('push', '-q', 'origin', 'epic/shop');
  const commit = (text: string) =>
    it.git('commit-tree', '-m', text, '-p', 'epic/shop', 'epic/shop^{tree}').trim();
  const theirs = commit('Theirs');
  it.git('push', '-q', 'origin', `${theirs}:refs/heads/epic/shop`);
  it.git('fetch', '-q', 'origin');
  const git = openPlainGit(it.root, it.env);
  return Object.assign(it, {
    theirs,
    commit,
    align: () => alignEpics(it.paths, git, 'origin'),
    trash: () => listTrash(git),
    tip: () => it.git('rev-parse', 'epic/shop').trim(),
  });
}

test('a branch of an epic that another machine moved goes forward', async () => {
  using it = createEpic();
  expect(it.tip()).not.toBe(it.theirs);
  await it.align();
  expect(it.tip()).toBe(it.theirs);
  expect(await it.trash()).toEqual([]);
});

test('merges that only this clone has are kept in the trash', async () => {
  using it = createEpic();
  const mine = it.commit('Mine');
  it.git('update-ref', 'refs/heads/epic/shop', mine);
  await it.align();
  expect(it.tip()).toBe(it.theirs);
  expect(it.git('for-each-ref', '--format=%(objectname)', 'refs/saga/trash').trim()).toBe(mine);
  expect(await it.trash()).toHaveLength(1);
});

test('merges that were never pushed are kept in the trash, also if the remote has nothing new', async () => {
  using it = createEpic();
  await it.align();
  const mine = it.commit('Mine');
  it.git('update-ref', 'refs/heads/epic/shop', mine);
  await it.align();
  expect(it.tip()).toBe(it.theirs);
  expect(it.git('for-each-ref', '--format=%(objectname)', 'refs/saga/trash').trim()).toBe(mine);
});

test('an epic that is being run here is left alone', async () => {
  using it = createEpic();
  const before = it.tip();
  const lock = await acquireLock(epicLock(it.paths, 'shop'));
  try {
    await it.align();
    expect(it.tip()).toBe(before);
  } finally {
    lock.release();
  }
  await it.align();
  expect(it.tip()).toBe(it.theirs);
});

test('a branch that cannot be moved keeps no other one from it', async () => {
  using it = createEpic();
  const other = it.git('rev-parse', 'main').trim();
  it.git('update-ref', 'refs/heads/epic/about', other);
  it.git('update-ref', 'refs/remotes/origin/epic/about', it.theirs);
  const lock = join(it.root, '.git', 'refs', 'heads', 'epic', 'about.lock');
  writeFileSync(lock, '');
  await it.align();
  expect(it.git('rev-parse', 'epic/about').trim()).toBe(other);
  expect(it.tip()).toBe(it.theirs);
});
