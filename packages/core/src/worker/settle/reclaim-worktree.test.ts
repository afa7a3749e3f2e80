import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTempFolder } from '../../../../../test/rig/project/temp-folder.ts';
import { identifyFolder } from '../../files/identify-folder.ts';
import { openPlainGit } from '../../git/plain-git.ts';
import { listLeft } from '../../git/refs/left-refs.ts';
import type { Worktree } from '../../git/worktree.ts';
import { reclaimWorktree } from './reclaim-worktree.ts';

const IDENTITY = { NAME: 'A', EMAIL: 'a@example.org' };
const ENV = {
  PATH: process.env.PATH ?? '',
  HOME: '/nonexistent',
  ...Object.fromEntries(
    Object.entries(IDENTITY).flatMap(([key, value]) => [
      [`GIT_AUTHOR_${key}`, value],
      [`GIT_COMMITTER_${key}`, value],
    ]),
  ),
};

let temp: ReturnType<typeof createTempFolder>;
let main: string;
let worktree: Worktree;
let types: string[];
/** The tip of the branch when the run began. */
let commit: string;

/** As a run would do it, in the worktree. */
const sh = (command: string) =>
  execFileSync('sh', ['-c', command], { cwd: worktree.folder, env: ENV, encoding: 'utf8' });

beforeEach(() => {
  temp = createTempFolder();
  main = join(realpathSync(temp.path), 'project');
  const folder = join(main, '.saga/worktrees/cart');
  mkdirSync(join(main, '.saga/epics'), { recursive: true });
  writeFileSync(join(main, '.saga/epics/shop.json'), '{}\n');
  writeFileSync(join(main, '.gitignore'), '/.saga/worktrees/\n');
  writeFileSync(join(main, 'a.txt'), 'a\n');
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: main, env: ENV, encoding: 'utf8' }).trim();
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-qm', 'First');
  git('worktree', 'add', '-q', '-b', 'story/cart', folder);
  worktree = {
    folder,
    identity: identifyFolder(folder),
    branch: 'story/cart',
    base: { branch: 'main', commit: git('rev-parse', 'main') },
    git: openPlainGit(folder, ENV),
    gitFolder: join(main, '.git/worktrees/cart'),
  };
  types = [];
  sh('echo begun > begun.txt && git add -A && git commit -qm Begun');
  commit = sh('git rev-parse HEAD').trim();
});
afterEach(() => temp[Symbol.dispose]());

const reclaim = (left: { ref: string; commit: string }[] = [], isEnclosed?: true) =>
  reclaimWorktree(worktree, openPlainGit(worktree.folder, ENV), (type) => types.push(type), {
    runId: '1a2b3c4d-5e6f',
    commit,
    left,
    ...(isEnclosed && { isEnclosed }),
  });
const left = async () =>
  (await listLeft(worktree.git, worktree.branch)).map(({ ref, what }) => {
    expect(ref).toBe(`refs/saga/left/cart/1a2b3c4d-${what}`);
    return what;
  });
const keptAs = (what: string) => `refs/saga/left/cart/1a2b3c4d-${what}`;
const branchOf = () => sh('git symbolic-ref --short HEAD').trim();
const subjects = () => sh('git log --reverse --format=%s story/cart').trim().split('\n').slice(1);

test('a worktree as it should be is left alone', async () => {
  sh('echo b > a.txt && echo new > new.txt && git add new.txt');
  await reclaim();
  expect(types).toEqual([]);
  expect(sh('git status --short')).toBe(' M a.txt\nA  new.txt\n');
});

describe('its tie to the repository', () => {
  test.each([
    ['is gone', 'rm .git'],
    [
      'became a repository of its own',
      'rm .git && git init -q . && git add -A && git commit -qm x',
    ],
    ['leads to the main checkout', 'echo "gitdir: ../../../.git" > .git'],
    ['is nonsense', 'echo nonsense > .git'],
  ])('%s', async (_, command) => {
    const before = readFileSync(join(main, '.git/HEAD'), 'utf8');
    sh(command);
    await reclaim();
    expect(types).toEqual(['git:repaired']);
    expect(branchOf()).toBe('story/cart');
    expect(sh('git status --short')).toBe('');
    expect(readFileSync(join(main, '.git/HEAD'), 'utf8')).toBe(before);
  });

  test('cannot be mended when its place is gone, and no other checkout is taken for it', async () => {
    rmSync(worktree.gitFolder, { recursive: true });
    await expect(reclaim()).rejects.toThrow('no longer a worktree of this repository');
  });

  test('is not believed when it leads through another repository', async () => {
    sh(
      'git init -q ../planted && echo "$PWD/../planted/.git" > "$(git rev-parse --git-dir)/commondir"',
    );
    await expect(reclaim()).rejects.toThrow('no longer a worktree of this repository');
  });
});

describe('a run that left the branch', () => {
  const commitFile = (name: string) =>
    `echo ${name} > ${name}.txt && git add -A && git commit -qm ${name}`;

  test.each([
    ['for a new one', 'git checkout -qb other'],
    ['for no branch', 'git checkout -q --detach'],
    ['and deleted it', 'git checkout -qb other && git branch -qD story/cart'],
  ])('%s', async (_, leave) => {
    sh(`${leave} && ${commitFile('more')} && echo left > left.txt`);
    await reclaim();
    expect(branchOf()).toBe('story/cart');
    expect(subjects()).toEqual(['Begun', 'more']);
    expect(sh('git status --short')).toBe('?? left.txt\n');
  });

  test('for one that began earlier: what it committed there is brought over', async () => {
    sh(`git checkout -q --detach main && ${commitFile('more')} && ${commitFile('again')}`);
    await reclaim();
    expect(subjects()).toEqual(['Begun', 'more', 'again']);
    expect(types).toEqual(['branch:returned', 'branch:brought']);
  });

  test('and only looked at what others did', async () => {
    sh(
      `git checkout -qb theirs main && ${commitFile('theirs')} && git update-ref refs/remotes/o/theirs HEAD`,
    );
    await reclaim();
    expect(subjects()).toEqual(['Begun']);
    expect(existsSync(join(worktree.folder, 'begun.txt'))).toBe(true);
  });

  test('with files in the way: they are kept, not lost', async () => {
    sh(`${commitFile('begun2')} && git checkout -q --detach main && echo mine > begun2.txt`);
    await reclaim();
    expect(branchOf()).toBe('story/cart');
    expect(await left()).toEqual(['files']);
    expect(sh(`git show ${keptAs('files')}:begun2.txt`)).toBe('mine\n');
  });

  test('in the middle of a merge: both sides and the files are kept', async () => {
    sh(
      `git checkout -qb one main && ${commitFile('one')} && git update-ref refs/remotes/o/one HEAD`,
    );
    sh('git checkout -q --detach main && echo two > one.txt && git add -A && git commit -qm two');
    sh('! git merge one >/dev/null 2>&1; echo settled > one.txt; echo new > new.txt');
    await reclaim();
    expect(branchOf()).toBe('story/cart');
    expect(await left()).toEqual(['files']);
    expect(sh(`git show ${keptAs('files')}:one.txt ${keptAs('files')}:new.txt`)).toBe(
      'settled\nnew\n',
    );
    expect(sh(`git merge-base --is-ancestor one ${keptAs('files')} && echo yes`)).toBe('yes\n');
    expect(existsSync(join(worktree.gitFolder, 'MERGE_HEAD'))).toBe(false);
  });

  test('with commits that do not fit: they are kept, until a person merges or deletes them', async () => {
    sh(
      'git checkout -q --detach main && echo other > begun.txt && git add -A && git commit -qm Other',
    );
    await reclaim();
    expect(types).toEqual(['branch:returned', 'work:kept']);
    expect(branchOf()).toBe('story/cart');
    expect(sh('git status --short')).toBe('');
    expect(await left()).toEqual(['commits']);
    expect(sh(`git show ${keptAs('commits')}:begun.txt`)).toBe('other\n');
    await reclaim();
    expect(subjects()).toEqual(['Begun']);
    expect(await left()).toEqual(['commits']);
    sh(`git merge -q -X ours ${keptAs('commits')} -m Taken`);
    expect(await left()).toEqual([]);
  });
});

test.each([
  ['', ''],
  [', and removed the story’s branch', ' && git branch -qD story/cart'],
])(
  'what a person commits on a branch of theirs during a run in the sandbox is theirs alone%s',
  async (_, more) => {
    sh(`git checkout -qb mine${more} && echo mine > mine.txt && git add -A && git commit -qm Mine`);
    await reclaim([], true);
    expect(branchOf()).toBe('story/cart');
    expect(subjects()).toEqual(['Begun']);
    expect(sh('git log -1 --format=%s mine')).toBe('Mine\n');
  },
);

describe('a run that stopped in the middle of', () => {
  beforeEach(() => {
    sh('git checkout -qb side main && echo side > begun.txt && git add -A && git commit -qm Side');
    sh('git update-ref refs/remotes/o/side HEAD && git checkout -q story/cart');
  });

  test.each(['rebase', 'cherry-pick'])('a %s goes back to where it began', async (verb) => {
    sh(`! git ${verb} side 2>/dev/null >&2`);
    await reclaim();
    expect(types).toContain('git:abandoned');
    expect(branchOf()).toBe('story/cart');
    expect(subjects()).toEqual(['Begun']);
    expect(sh('git status --short')).toBe('');
  });

  test('a rebase loses nothing: conflict, index, new files and commits are kept', async () => {
    sh('echo more > more.txt && git add -A && git commit -qm More');
    sh('! git rebase side 2>/dev/null >&2; echo resolved > begun.txt');
    sh('echo staged > staged.txt && git add staged.txt && echo on disk > staged.txt');
    sh('echo new > new.txt');
    await reclaim();
    expect(types).toEqual(['work:kept', 'git:abandoned']);
    expect(subjects()).toEqual(['Begun', 'More']);
    expect(sh('git status --short')).toBe('?? new.txt\n');
    expect(await left()).toEqual(['rebase']);
    const kept = keptAs('rebase');
    const show = (path: string) => sh(`git show ${kept}${path}`).trim();
    expect(['begun', 'staged', 'new'].map((name) => show(`:${name}.txt`))).toEqual([
      'resolved',
      'on disk',
      'new',
    ]);
    expect(show('^2:staged.txt')).toBe('staged');
    expect(sh(`git log --format=%s ${kept}`).split('\n')).toEqual(
      expect.arrayContaining(['More', 'Begun', 'Side']),
    );
  });

  test('a merge leaves it to the next', async () => {
    sh('! git merge side 2>/dev/null >&2');
    await reclaim();
    expect(types).toEqual([]);
    expect(sh('git status --short')).toBe('AA begun.txt\n');
  });
});

describe('history', () => {
  beforeEach(() => {
    sh('echo more > more.txt && git add -A && git commit -qm More');
    commit = sh('git rev-parse HEAD').trim();
  });

  test.each([
    ['a reset', 'git reset -q --hard main'],
    [
      'a reset and new work',
      'git reset -q --hard HEAD~1 && echo x > x && git add x && git commit -qm x',
    ],
    [
      'a new root',
      'git update-ref -d refs/heads/story/cart && rm more.txt && git add -A && git commit -qm Root',
    ],
  ])('that was cut by %s is kept', async (_, command) => {
    sh(command);
    await reclaim();
    expect(types).toEqual(['work:kept']);
    expect(await left()).toEqual(['history']);
    expect(sh(`git show ${keptAs('history')}:more.txt`)).toBe('more\n');
  });

  test.each([
    ['a rebase', 'git rebase -q other'],
    ['an amend of the message', 'git commit -q --amend -m Other'],
    ['a squash', 'git reset -q --soft main && git commit -qm All'],
    ['a commit of bookkeeping that is gone', 'git reset -q --hard HEAD~1'],
  ])('that was written anew by %s is complete', async (_, command) => {
    sh('git checkout -qb other main && echo o > o.txt && git add -A && git commit -qm Other');
    sh('git checkout -q story/cart');
    if (command.endsWith('HEAD~1')) {
      sh('echo x > .saga/note && git add -A && git commit -qm Note');
      commit = sh('git rev-parse HEAD').trim();
    }
    sh(command);
    await reclaim();
    expect(types).toEqual([]);
    expect(await left()).toEqual([]);
  });

  test('of a branch that was deleted under HEAD is restored', async () => {
    sh('git update-ref -d refs/heads/story/cart && echo on > on.txt');
    await reclaim();
    expect(types).toEqual(['git:repaired']);
    expect(subjects()).toEqual(['Begun', 'More']);
    expect(sh('git status --short')).toBe('?? on.txt\n');
  });

  test('that was kept for a person cannot be deleted by a run', async () => {
    const ref = 'refs/saga/left/cart/00000000-commits';
    await reclaim([{ ref, commit: worktree.base.commit }]);
    expect(types).toEqual(['git:repaired']);
    expect(sh(`git rev-parse ${ref}`).trim()).toBe(worktree.base.commit);
  });
});

describe('files that git was told to overlook', () => {
  test.each(['assume-unchanged', 'skip-worktree'])('by %s are seen again', async (mark) => {
    // Of another size: within one tick of the clock git knows a change by nothing else.
    sh(`git update-index --${mark} a.txt .saga/epics/shop.json && echo longer > a.txt`);
    sh('rm .saga/epics/shop.json');
    expect(sh('git status --short')).not.toContain('a.txt');
    await reclaim();
    expect(types).toEqual(['git:index-flags-cleared']);
    expect(sh('git status --short')).toBe(' D .saga/epics/shop.json\n M a.txt\n');
  });

  test('a plan left out of the checkout comes back; what a user left out stays out', async () => {
    sh('git sparse-checkout set --no-cone "/*" "!/a.txt"');
    await reclaim();
    expect(types).toEqual([]);
    expect(existsSync(join(worktree.folder, 'a.txt'))).toBe(false);
    sh('git sparse-checkout set --no-cone /begun.txt');
    expect(existsSync(join(worktree.folder, '.saga'))).toBe(false);
    await reclaim();
    expect(existsSync(join(worktree.folder, '.saga/epics/shop.json'))).toBe(true);
    expect(sh('git status --short')).toBe('');
  });
});

test('no hook and no monitor that a run planted is run', async () => {
  const hooks = join(main, '.git/hooks');
  const planted = join(main, 'planted');
  const names = ['post-checkout', 'post-index-change', 'reference-transaction', 'post-commit'];
  mkdirSync(hooks, { recursive: true });
  for (const name of names) {
    writeFileSync(join(hooks, name), `#!/bin/sh\necho ${name} >> ${planted}\n`, { mode: 0o755 });
  }
  sh(`git config core.fsmonitor "echo fsmonitor >> ${planted}; false"`);
  sh('git checkout -q --detach main && echo x > x.txt && git add -A && git commit -qm x');
  expect(readFileSync(planted, 'utf8')).toContain('fsmonitor');
  rmSync(planted);
  await reclaim();
  expect(types).toContain('branch:brought');
  expect(existsSync(planted)).toBe(false);
});
