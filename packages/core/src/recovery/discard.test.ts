import {
  chmodSync,
  existsSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type BegunStory, createBegunStory } from '../../../../test/rig/project/begun-story.ts';
import type { Project } from '../../../../test/rig/project/project.ts';
import { commitAll } from '../../../../test/rig/project/repository.ts';
import { acquireLock } from '../processes/lock.ts';
import { workerLock } from '../project/paths.ts';
import { discardWork } from './discard.ts';
import { restoreFromTrash } from './restore.ts';

const discard = (it: Project) =>
  discardWork({ paths: it.paths, id: 'x', env: it.env, why: 'discard' });
const restore = (it: Project) => restoreFromTrash(it.paths, 'x', it.env);

/** All kinds of changes that nobody committed. */
function change({ worktree, put, gitIn }: BegunStory): void {
  const git = (...args: string[]) => gitIn(worktree, ...args);
  // Staged, and changed again; with line ends and keywords that git would change.
  put('a.txt', 'staged\n');
  git('add', 'a.txt');
  put('a.txt', 'and more\r\n');
  put('crlf.txt', 'new\r\n');
  put('k.id', '$Id: something $\n');
  // New files: bytes that are no text, staged ones, one that is only announced.
  put('new/deep/file.bin', Buffer.from([0, 255, 13, 10, 254]));
  put('added.txt', 'added\n');
  git('add', 'added.txt');
  put('intended.txt', 'x\n');
  git('add', '-N', 'intended.txt');
  // Removed, and removed from the index only.
  rmSync(join(worktree, 'README.md'));
  git('rm', '-q', '--cached', 'work.txt');
  // Links, programs and odd names.
  symlinkSync('a.txt', join(worktree, 'link'));
  symlinkSync('/nowhere', join(worktree, 'dangling'));
  put('run.sh', '#!/bin/sh\n');
  chmodSync(join(worktree, 'run.sh'), 0o755);
  put('odd "name"\n\tü', 'x\n');
  put('-dash', 'x\n');
  // Tracked although ignored, and hidden from git.
  put('kept.log', 'changed\n');
  git('update-index', '--assume-unchanged', 'b.txt');
  put('b.txt', 'hidden from git\n');
}

const CASES: Record<string, (it: BegunStory) => void> = {
  'nothing uncommitted': () => {},
  'all kinds of changes': change,
  'a merge with conflicts': (it) => {
    it.write('work.txt', 'main\n');
    commitAll(it.gitIn, it.root, 'Main');
    expect(() => it.gitIn(it.worktree, 'merge', 'main')).toThrow();
    it.put('a.txt', 'beside it\n');
  },
  'a rebase under way': (it) => {
    it.write('work.txt', 'main\n');
    commitAll(it.gitIn, it.root, 'Main');
    expect(() => it.gitIn(it.worktree, 'rebase', 'main')).toThrow();
    it.put('work.txt', 'half resolved\n');
  },
};

describe('a discarded story comes back from the trash as it was', () => {
  test.each(Object.keys(CASES))('%s', async (name) => {
    using it = createBegunStory();
    CASES[name]?.(it);
    const before = it.look();
    const { ref } = await discard(it);
    expect(existsSync(it.worktree)).toBe(false);
    expect(readdirSync(it.worktrees)).toEqual([]);
    expect(it.git('branch', '--list', 'story/*')).toBe('');
    expect(it.git('worktree', 'list').split('\n').filter(Boolean)).toHaveLength(1);
    expect(ref).toMatch(/^refs\/saga\/trash\/x\/\d+$/);
    // Only the ref keeps the objects.
    it.git('reflog', 'expire', '--expire=now', '--all');
    it.git('gc', '-q', '--prune=now');
    const { folder } = await restore(it);
    expect(folder).toBe(it.worktree);
    expect(it.look()).toEqual(before);
    if (name.startsWith('a rebase')) it.gitIn(it.worktree, 'rebase', '--abort');
    if (name.startsWith('a merge')) it.gitIn(it.worktree, 'merge', '--abort');
  });
});

test('a worker that lives keeps its worktree', async () => {
  using it = createBegunStory();
  const { release } = await acquireLock(workerLock(it.paths, 'x'));
  await expect(discard(it)).rejects.toThrow('has a worker already');
  release();
  expect(existsSync(it.worktree)).toBe(true);
});

test('a repository inside the worktree is refused, and nothing is removed', async () => {
  using it = createBegunStory();
  it.put('inner/file', 'x\n');
  it.gitIn(join(it.worktree, 'inner'), 'init', '-q');
  commitAll(it.gitIn, join(it.worktree, 'inner'), 'Inner');
  await expect(discard(it)).rejects.toThrow('is a repository of its own');
  expect(existsSync(join(it.worktree, 'inner/file'))).toBe(true);
  expect(it.git('branch', '--list', 'story/x')).toContain('story/x');
});

test('killed after its folder was moved away, a discard is finished by the next, with the same entry', async () => {
  using it = createBegunStory();
  it.put('new.txt', 'new\n');
  const before = it.look();
  const { ref = '' } = await discard(it);
  await restore(it);
  // As a kill leaves it: the ref is there, the folder has its other name, branch and entry are still known.
  renameSync(it.worktree, join(it.worktrees, `.x.discarded-${ref.split('/').at(-1)}`));
  const again = await discard(it);
  expect(again.ref).toBe(ref);
  expect(readdirSync(it.worktrees)).toEqual([]);
  expect(it.git('branch', '--list', 'story/x')).toBe('');
  await restore(it);
  expect(it.look()).toEqual(before);
});

test('a restore that was killed is begun anew', async () => {
  using it = createBegunStory();
  it.put('new.txt', 'new\n');
  const before = it.look();
  await discard(it);
  const reason = 'saga is restoring it from the trash';
  it.git(
    'worktree',
    'add',
    '-q',
    '--no-checkout',
    '--detach',
    '--lock',
    '--reason',
    reason,
    it.worktree,
  );
  writeFileSync(join(it.worktree, 'half'), '');
  await restore(it);
  expect(it.look()).toEqual(before);
});

test('restore refuses where there is a branch or a worktree again', async () => {
  using it = createBegunStory();
  await discard(it);
  it.git('branch', 'story/x', it.git('commit-tree', '-m', 'Other', 'main^{tree}').trim());
  await expect(restore(it)).rejects.toThrow('story/x exists, and it has other commits');
});
