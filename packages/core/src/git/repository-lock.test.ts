import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NO_LIFELINE } from '../../../../test/rig/programs/no-lifeline.ts';
import { createProject, type Project } from '../../../../test/rig/project/project.ts';
import { isRehearsal, markRehearsal } from '../rehearsal/discard-rehearsal.ts';
import { ensureWorktree } from '../worker/prepare/ensure-worktree.ts';
import { findBase } from './find-base.ts';
import { openGit } from './git.ts';
import { withRepositoryLock } from './repository-lock.ts';

const MANY = Array.from({ length: 8 }, (_, i) => `story-${i}`);

/** Somebody else pushes to main. */
function moveMain(it: Project, message: string): string {
  const other = join(it.folder, 'other');
  if (!readdirSync(it.folder).includes('other'))
    it.gitIn(it.folder, 'clone', '-q', it.origin, other);
  it.gitIn(other, 'commit', '-q', '--allow-empty', '-m', message);
  it.gitIn(other, 'push', '-q');
  return it.gitIn(other, 'rev-parse', 'HEAD').trim();
}

test('workers that fetch at once after main moved all have it', async () => {
  using it = createProject();
  const worker = it.worker();
  for (let round = 0; round < 4; round++) {
    const commit = moveMain(it, `Theirs ${round}`);
    const bases = await Promise.all(
      MANY.map((id) =>
        findBase(openGit(it.root, it.env), worker.base.name, {
          emit: worker.emit,
          also: `story/${id}`,
        }),
      ),
    );
    expect(bases).toEqual(MANY.map(() => ({ branch: 'main', commit, remote: 'origin' })));
  }
  expect(it.said('fetch:failed')).toEqual([]);
});

test('workers that begin at once all have a worktree on what main is now', async () => {
  using it = createProject();
  for (const id of MANY) it.story(id);
  const commit = moveMain(it, 'Theirs');
  const worktrees = await Promise.all(
    MANY.map((storyId) => ensureWorktree(it.worker({}, { storyId }))),
  );
  expect(worktrees.map(({ base }) => base.commit)).toEqual(MANY.map(() => commit));
  expect(it.said('worktree:created')).toHaveLength(MANY.length);
  expect(it.said('fetch:failed')).toEqual([]);
});

test('rehearsals that mark their branches at once do not fail', async () => {
  using it = createProject();
  const branches = MANY.map((id) => `rehearsal/${id}`);
  const git = openGit(it.root, it.env);
  for (let round = 0; round < 4; round++) {
    await Promise.all(branches.map((branch) => markRehearsal(git, branch)));
    expect(await Promise.all(branches.map((it) => isRehearsal(git, it)))).not.toContain(false);
    for (const branch of branches) it.git('config', '--remove-section', `branch.${branch}`);
  }
});

test('it is held by one at a time, by workers in any worktree, and nothing is left of it', async () => {
  using it = createProject();
  it.git('worktree', 'add', '-q', '../beside');
  const folders = [it.root, join(it.folder, 'beside'), join(it.root, '.saga')];
  let inside = 0;
  const counts = await Promise.all(
    [...folders, ...folders].map((folder) =>
      withRepositoryLock(openGit(folder, it.env), async () => {
        inside++;
        await new Promise((resolve) => setImmediate(resolve));
        return inside--;
      }),
    ),
  );
  expect(counts).toEqual([1, 1, 1, 1, 1, 1]);
  expect(readdirSync(join(it.root, '.git')).filter((it) => it.startsWith('saga'))).toEqual([]);
});

test('whoever cannot get it goes on without it', async () => {
  using it = createProject();
  mkdirSync(join(it.root, '.git/saga-repository.lock'), { recursive: true });
  writeFileSync(join(it.root, '.git/saga-repository.lock/not-ours'), '');
  const git = openGit(it.root, it.env);
  expect(await withRepositoryLock(git, async () => 'went on')).toBe('went on');
});

test('after a stop nobody waits for it', async () => {
  using it = createProject();
  const stop = new AbortController();
  const never = new AbortController().signal;
  const limits = { ends: { asking: stop.signal, delivering: never }, lifeline: NO_LIFELINE };
  const git = openGit(it.root, it.env, limits);
  await withRepositoryLock(openGit(it.root, it.env), async () => {
    const waiting = withRepositoryLock(git, async () => 'went on');
    stop.abort();
    expect(await waiting).toBe('went on');
  });
});
