import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject, type Project } from '../../../../../test/rig/project/project.ts';
import type { Worktree } from '../../git/worktree.ts';
import type { Fence } from '../context.ts';
import { ensureWorktree } from '../prepare/ensure-worktree.ts';
import { claimBranch } from './claim-branch.ts';
import { publish } from './publish.ts';

const fence = (lease: number, refusal?: string): Fence => ({
  lease,
  machine: `machine-${lease}`,
  check: async () => refusal,
});

async function commit({ folder, git }: Worktree, name: string): Promise<void> {
  writeFileSync(join(folder, name), `${name}\n`);
  await git.run(['add', name]);
  await git.run(['commit', '-q', '-m', name]);
}

/** What another machine pushes to the branch. */
function pushAsOther(it: Project, message: string): string {
  const clone = join(it.folder, `clone-${message}`);
  it.gitIn(it.folder, 'clone', '-q', '-b', 'story/x', it.origin, clone);
  it.gitIn(clone, 'commit', '-q', '--allow-empty', '-m', message);
  it.gitIn(clone, 'push', '-q');
  return it.gitIn(clone, 'rev-parse', 'HEAD').trim();
}

const tipOf = (it: Project) => it.gitIn(it.origin, 'rev-parse', 'story/x').trim();

async function createBegun() {
  const it = createProject();
  it.story('x');
  const worker = it.worker({}, { fence: fence(1) });
  const worktree = await ensureWorktree(worker);
  await claimBranch(worker, worktree);
  await commit(worktree, 'one');
  expect(await publish(worker, worktree)).toMatchObject({ pushed: true });
  return Object.assign(it, { worktree });
}

test('a new branch needs no commit that names the lease', async () => {
  using it = await createBegun();
  expect(it.gitIn(it.origin, 'log', '--format=%B', 'story/x')).not.toContain('Saga-Lease');
});

test('a branch that is taken over begins with a commit that names the lease and changes nothing', async () => {
  using it = await createBegun();
  const before = tipOf(it);
  await claimBranch(it.worker({}, { fence: fence(2) }), it.worktree);
  const log = it.gitIn(
    it.origin,
    'log',
    '-1',
    '--format=%P %s %(trailers:key=Saga-Lease)',
    'story/x',
  );
  expect(log.trim()).toBe(`${before} saga: machine-2 goes on from here Saga-Lease: 2`);
  expect(it.gitIn(it.origin, 'diff', before, 'story/x')).toBe('');
  expect(await it.worktree.git.run(['status', '--porcelain'])).toBe('');
});

test('a machine whose lease is over pushes nothing, and says why', async () => {
  using it = await createBegun();
  const before = tipOf(it);
  await commit(it.worktree, 'two');
  const stale = it.worker({}, { fence: fence(1, 'lease 1 is over') });
  expect(await publish(stale, it.worktree)).toEqual({ pushed: false, reason: 'lease 1 is over' });
  expect(it.said('push:failed')).toMatchObject([{ reason: 'lease 1 is over' }]);
  expect(tipOf(it)).toBe(before);
});

test('a machine that was frozen between its last look and its push cannot push either', async () => {
  using it = await createBegun();
  const taken = pushAsOther(it, 'claimed');
  await commit(it.worktree, 'two');
  // The engine has not said so yet.
  const published = await publish(it.worker({}, { fence: fence(1) }), it.worktree);
  expect(published).toMatchObject({
    pushed: false,
    reason: expect.stringContaining('story/x has new commits'),
  });
  expect(tipOf(it)).toBe(taken);
});

test('also if it has seen what the other pushed, nothing is replaced', async () => {
  using it = await createBegun();
  const taken = pushAsOther(it, 'claimed');
  await commit(it.worktree, 'two');
  it.git('fetch', '-q', 'origin');
  const published = await publish(it.worker({}, { fence: fence(1) }), it.worktree);
  expect(published).toMatchObject({ pushed: false });
  expect(tipOf(it)).toBe(taken);
});

test('a push of a person just before the takeover is taken along', async () => {
  using it = await createBegun();
  const theirs = pushAsOther(it, 'answer');
  await claimBranch(it.worker({}, { fence: fence(2) }), it.worktree);
  expect(it.gitIn(it.origin, 'rev-parse', 'story/x^').trim()).toBe(theirs);
  expect(await it.worktree.git.run(['rev-parse', 'HEAD'])).toBe(tipOf(it));
});
