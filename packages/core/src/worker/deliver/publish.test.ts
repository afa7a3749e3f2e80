import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { createProject } from '../../../../../test/rig/project/project.ts';
import { formatWip } from '../../git/wip.ts';
import { ensureWorktree } from '../prepare/ensure-worktree.ts';
import { keepLeftovers } from '../settle/leftovers.ts';
import { publish } from './publish.ts';

async function createPushed() {
  const it = createProject();
  it.story('x');
  const worker = it.worker();
  const worktree = await ensureWorktree(worker);
  const commit = async (name: string) => {
    writeFileSync(join(worktree.folder, name), `${name}\n`);
    await worktree.git.run(['add', name]);
    await worktree.git.run(['commit', '-q', '-m', name]);
  };
  const push = async () => {
    const published = await publish(worker, worktree, { isAsked: true });
    return published.pushed ? 'pushed' : published.reason;
  };
  await commit('one');
  expect(await push()).toBe('pushed');
  return Object.assign(it, { worktree, commit, push });
}

test('a remote whose address is a relative path is fetched from and pushed to', async () => {
  using it = createProject();
  it.story('x');
  it.git('remote', 'set-url', 'origin', relative(it.root, it.origin));
  const worker = it.worker();
  const worktree = await ensureWorktree(worker);
  await worktree.git.run(['commit', '-q', '--allow-empty', '-m', 'one']);
  const published = await publish(worker, worktree, { isAsked: true });
  expect(published).toEqual({ pushed: true, isNew: true });
  expect(it.said('fetch:failed')).toEqual([]);
  expect(it.gitIn(it.origin, 'log', '-1', '--format=%s', 'story/x')).toBe('one\n');
});

test('a push that does not fit says who moved', async () => {
  using it = await createPushed();
  const { git, folder } = it.worktree;
  await git.run(['reset', '-q', '--hard', 'HEAD~1']);
  await it.commit('two');
  expect(await it.push()).toMatch(/^story\/x was rewritten here .* push --force-with-lease origin/);

  await git.run(['push', '-q', '-f', 'origin', 'story/x']);
  const clone = join(it.folder, 'clone');
  it.gitIn(it.folder, 'clone', '-q', '-b', 'story/x', it.origin, clone);
  it.gitIn(clone, 'commit', '-q', '--allow-empty', '-m', 'Theirs');
  it.gitIn(clone, 'push', '-q');
  await it.commit('three');
  expect(await it.push()).toBe(
    `story/x has new commits on the remote; merge them: git -C ${folder} pull --rebase origin story/x`,
  );
});

test('a push while the remote is busy with another one is not called a branch that was rewritten', async () => {
  using it = await createPushed();
  await it.commit('two');
  writeFileSync(join(it.origin, 'refs/heads/story/x.lock'), '');
  expect(await it.push()).toMatch(/^origin refuses story\/x /);
});

test('files that no run committed are not pushed, also below the commits of a person', async () => {
  using it = await createPushed();
  const { git, folder } = it.worktree;
  writeFileSync(join(folder, 'secret.env'), 'key\n');
  await keepLeftovers(it.worker(), it.worktree);
  expect(it.said('leftovers:committed')).toMatchObject([{ files: ['secret.env'] }]);
  await it.commit('two');
  const wip = await git.run(['rev-parse', '--short', 'HEAD~1']);
  expect(await it.push()).toContain(`that no run committed (commit ${wip})`);
  expect(it.gitIn(it.origin, 'log', '--format=%s', 'story/x')).not.toContain(formatWip('x'));
  // A person looked at them.
  await git.run(['push', '-q', 'origin', 'story/x']);
  await it.commit('three');
  expect(await it.push()).toBe('pushed');
});

test('the next worker takes such a commit apart, so that its files can be finished or removed', async () => {
  using it = await createPushed();
  const { git, folder } = it.worktree;
  const before = await git.run(['rev-parse', 'HEAD']);
  writeFileSync(join(folder, 'one'), 'changed\n');
  writeFileSync(join(folder, 'new'), 'new\n');
  await keepLeftovers(it.worker(), it.worktree);
  expect(await git.run(['status', '--porcelain'])).toBe('');
  await ensureWorktree(it.worker());
  expect(it.said('leftovers:reopened')).toMatchObject([{ files: ['new', 'one'] }]);
  expect(await git.run(['rev-parse', 'HEAD'])).toBe(before);
  expect(await git.run(['status', '--porcelain'])).toBe(' M one\n?? new');
});

test('an unfinished merge is left open: a commit would settle its conflicts', async () => {
  using it = await createPushed();
  const { git, folder } = it.worktree;
  await git.run(['checkout', '-q', '-b', 'side', 'HEAD~1']);
  writeFileSync(join(folder, 'one'), 'other\n');
  await git.run(['add', 'one']);
  await git.run(['commit', '-q', '-m', 'Side']);
  await git.run(['checkout', '-q', 'story/x']);
  await git.attempt(['merge', 'side']);
  await keepLeftovers(it.worker(), it.worktree);
  expect(it.said('leftovers:committed')).toEqual([]);
  expect(await git.run(['status', '--porcelain'])).toBe('AA one');
});
