import { expect, test } from 'vitest';
import { createProject } from '../../../../test/rig/project/project.ts';
import { openPlainGit } from '../git/plain-git.ts';
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

test('what only this machine has is left alone while the remote has nothing new', async () => {
  using it = createEpic();
  await it.align();
  const mine = it.commit('Mine');
  it.git('update-ref', 'refs/heads/epic/shop', mine);
  await it.align();
  expect(it.tip()).toBe(mine);
});
