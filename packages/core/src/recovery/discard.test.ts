import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createProject, type Project } from '../../../../test/rig/project/project.ts';
import { commitAll } from '../../../../test/rig/project/repository.ts';
import { createRandom } from '../../../../test/rig/random/seeded-random.ts';
import { acquireLock } from '../processes/lock.ts';
import { workerLock } from '../project/paths.ts';
import { markWorktree } from '../project/story-worktrees.ts';
import { discardWork } from './discard.ts';
import { restoreFromTrash } from './restore.ts';

/** A project with story x, whose worktree has two commits. */
function createBegun(): Project & {
  worktree: string;
  put(path: string, text: string | Buffer): void;
} {
  const it = createProject();
  it.story('x', {}, { one: {} });
  it.write('.gitattributes', '*.txt text eol=lf\n*.id ident\n');
  it.write('.gitignore', 'ignored/\n*.log\n');
  it.write('a.txt', 'one\n');
  it.write('b.txt', 'two\n');
  it.write('kept.log', 'tracked, although ignored\n');
  it.git('add', '-f', 'kept.log');
  commitAll(it.gitIn, it.root, 'Plan');
  it.git('push', '-q', 'origin', 'main');
  const worktree = join(it.worktrees, 'x');
  it.git('worktree', 'add', '-q', '-b', 'story/x', worktree);
  markWorktree(join(it.root, '.git/worktrees/x'), 'story/x', it.root);
  const put = (path: string, text: string | Buffer) => {
    mkdirSync(dirname(join(worktree, path)), { recursive: true });
    writeFileSync(join(worktree, path), text);
  };
  for (const n of [1, 2]) {
    put('work.txt', `${n}\n`);
    commitAll(it.gitIn, worktree, `Work ${n}`);
  }
  return { ...it, worktree, put };
}

/** Everything of a worktree that must be the same after a way through the trash. */
function look(it: Project, worktree: string) {
  const script = `find . -path ./.git -prune -o ! -type d -printf '%p %y %m %l\\n' | sort
    find . -path ./.git -prune -o -type f -print0 | sort -z | xargs -0 sha256sum`;
  return {
    files: execFileSync('sh', ['-c', script], { cwd: worktree, encoding: 'utf8' }),
    head: it.gitIn(worktree, 'rev-parse', 'HEAD'),
    on: it.gitIn(worktree, 'rev-parse', '--abbrev-ref', 'HEAD'),
    branch: it.git('rev-parse', 'story/x'),
    index: it.gitIn(worktree, 'ls-files', '-s', '-v', '-z'),
    status: it.gitIn(worktree, 'status', '--porcelain=v2', '-z', '--untracked-files=all'),
  };
}

const discard = (it: Project) =>
  discardWork({ paths: it.paths, id: 'x', env: it.env, why: 'discard' });
const restore = (it: Project) => restoreFromTrash(it.paths, 'x', it.env);

const CASES: Record<string, (it: ReturnType<typeof createBegun>) => void> = {
  'nothing uncommitted': () => {},
  'edits, staged and not': (it) => {
    it.put('a.txt', 'staged\n');
    it.gitIn(it.worktree, 'add', 'a.txt');
    it.put('a.txt', 'and more\n');
    it.put('b.txt', 'not staged\n');
  },
  'new files, also in folders, with bytes that are no text': (it) => {
    it.put('new/deep/file.bin', Buffer.from([0, 255, 13, 10, 254]));
    it.put('added.txt', 'added\n');
    it.gitIn(it.worktree, 'add', 'added.txt');
    it.put('intended.txt', 'x\n');
    it.gitIn(it.worktree, 'add', '-N', 'intended.txt');
  },
  'line ends and keywords that git would change': (it) => {
    it.put('a.txt', 'one\r\ntwo\r\n');
    it.put('crlf.txt', 'new\r\n');
    it.put('k.id', '$Id: something $\n');
  },
  'removed files': (it) => {
    rmSync(join(it.worktree, 'a.txt'));
    it.gitIn(it.worktree, 'rm', '-q', 'b.txt');
    it.gitIn(it.worktree, 'rm', '-q', '--cached', 'work.txt');
  },
  'links, programs and odd names': (it) => {
    symlinkSync('a.txt', join(it.worktree, 'link'));
    symlinkSync('/nowhere', join(it.worktree, 'dangling'));
    it.put('run.sh', '#!/bin/sh\n');
    chmodSync(join(it.worktree, 'run.sh'), 0o755);
    it.put('odd "name"\n\tü', 'x\n');
    it.put('-dash', 'x\n');
    renameSync(join(it.worktree, 'b.txt'), join(it.worktree, 'moved'));
  },
  'a file that is tracked although it is ignored': (it) => {
    it.put('kept.log', 'changed\n');
    it.gitIn(it.worktree, 'update-index', '--assume-unchanged', 'a.txt');
    it.put('a.txt', 'hidden from git\n');
  },
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
    using it = createBegun();
    CASES[name]?.(it);
    const before = look(it, it.worktree);
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
    expect(look(it, it.worktree)).toEqual(before);
    if (name.startsWith('a rebase')) it.gitIn(it.worktree, 'rebase', '--abort');
    if (name.startsWith('a merge')) it.gitIn(it.worktree, 'merge', '--abort');
  });

  test('contents by chance', async () => {
    const random = createRandom(20_261_116);
    const pick = (n: number) => Math.floor(random() * n);
    for (let round = 0; round < 4; round++) {
      using it = createBegun();
      const paths = ['a.txt', 'b.txt', 'work.txt', 'n/1', 'n/2.txt', 'n/m/3.id', 'ü', 'x y.txt'];
      for (let step = 0; step < 25; step++) {
        const path = paths[pick(paths.length)] ?? 'a.txt';
        const file = join(it.worktree, path);
        const bytes = Buffer.from(Array.from({ length: pick(40) }, () => pick(256)));
        const kind = pick(6);
        if (kind === 0) rmSync(file, { force: true });
        else if (kind === 1 && existsSync(file)) chmodSync(file, 0o755);
        else if (kind === 2) it.gitIn(it.worktree, 'add', '-A');
        else if (kind === 3) it.gitIn(it.worktree, 'commit', '-q', '--allow-empty', '-am', 'More');
        else it.put(path, bytes);
      }
      const before = look(it, it.worktree);
      await discard(it);
      await restore(it);
      expect(look(it, it.worktree), `round ${round}`).toEqual(before);
    }
  });
});

test('a worker that lives keeps its worktree', async () => {
  using it = createBegun();
  const { release } = await acquireLock(workerLock(it.paths, 'x'));
  await expect(discard(it)).rejects.toThrow('has a worker already');
  release();
  expect(existsSync(it.worktree)).toBe(true);
});

test('a repository inside the worktree is refused, and nothing is removed', async () => {
  using it = createBegun();
  it.put('inner/file', 'x\n');
  it.gitIn(join(it.worktree, 'inner'), 'init', '-q');
  commitAll(it.gitIn, join(it.worktree, 'inner'), 'Inner');
  await expect(discard(it)).rejects.toThrow('is a repository of its own');
  expect(existsSync(join(it.worktree, 'inner/file'))).toBe(true);
  expect(it.git('branch', '--list', 'story/x')).toContain('story/x');
});

test('killed after its folder was moved away, a discard is finished by the next, with the same entry', async () => {
  using it = createBegun();
  it.put('new.txt', 'new\n');
  const before = look(it, it.worktree);
  const { ref = '' } = await discard(it);
  await restore(it);
  // As a kill leaves it: the ref is there, the folder has its other name, branch and entry are still known.
  renameSync(it.worktree, join(it.worktrees, `.x.discarded-${ref.split('/').at(-1)}`));
  const again = await discard(it);
  expect(again.ref).toBe(ref);
  expect(readdirSync(it.worktrees)).toEqual([]);
  expect(it.git('branch', '--list', 'story/x')).toBe('');
  await restore(it);
  expect(look(it, it.worktree)).toEqual(before);
});

test('a restore that was killed is begun anew', async () => {
  using it = createBegun();
  it.put('new.txt', 'new\n');
  const before = look(it, it.worktree);
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
  expect(look(it, it.worktree)).toEqual(before);
});

test('restore refuses where there is a branch or a worktree again', async () => {
  using it = createBegun();
  await discard(it);
  it.git('branch', 'story/x', 'main');
  await expect(restore(it)).rejects.toThrow('story/x exists, and it has other commits');
});
