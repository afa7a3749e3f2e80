import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createProject, type Project } from '../../../../test/rig/project/project.ts';
import { commitAll } from '../../../../test/rig/project/repository.ts';
import { openGit } from '../git/git.ts';
import type { Worktree } from '../git/worktree.ts';
import type { BranchMove } from './branch-after-run.ts';
import { createQuarantine, takeOver } from './git-quarantine.ts';

let project: Project;
let worktree: Worktree;
let quarantine: string;
/** What was told of a person who moved the branch. */
let moves: BranchMove[];

beforeEach(async () => {
  project = createProject();
  project.write('a.txt', 'one\ntwo\nthree\n');
  project.write('b.txt', 'b\n');
  commitAll(project.gitIn, project.root, 'Second');
  const folder = join(project.worktrees, 'x');
  project.git('worktree', 'add', '-q', '-b', 'story/x', folder);
  const gitFolder = join(project.root, '.git/worktrees/x');
  worktree = {
    folder,
    branch: 'story/x',
    git: openGit(folder, project.env),
    gitFolder,
  } as Worktree;
  quarantine = join(project.folder, 'quarantine');
  moves = [];
  await createQuarantine(worktree, quarantine);
  // As if it was behind the walls.
  writeFileSync(join(quarantine, 'objects/info/alternates'), `${project.root}/.git/objects\n`);
});
afterEach(() => project[Symbol.dispose]());

const sh = (command: string, env: Record<string, string>) =>
  execFileSync('sh', ['-ec', command], {
    cwd: worktree.folder,
    env: { ...project.env, ...env },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
const person = (command: string) =>
  sh(command, { GIT_AUTHOR_NAME: 'Ada', GIT_COMMITTER_NAME: 'Ada' });
const run = (command: string) =>
  sh(command, {
    GIT_DIR: join(quarantine, 'worktrees/x'),
    GIT_COMMON_DIR: quarantine,
    GIT_WORK_TREE: worktree.folder,
  });

const leave = (onMoved = (move: BranchMove) => void moves.push(move)) =>
  takeOver(worktree, quarantine, 'run-1', project.env, onMoved);
const subjects = (from = 'story/x') =>
  project.git('log', '--format=%s', '--no-merges', `main..${from}`).trim().split('\n').sort();
const status = () => project.gitIn(worktree.folder, 'status', '--short');
const tip = () => project.git('rev-parse', 'story/x').trim();
const read = (path: string) => readFileSync(join(worktree.folder, path), 'utf8');
const commit = (path: string, text: string, subject: string) =>
  `printf '${text}' > ${path}; git add -f ${path}; git commit -qm '${subject}' -- ${path}`;
const APART = 'refs/saga/left/x/run-1-apart';

describe('a person commits in the worktree while a run works', () => {
  test('on the branch of a run that committed nothing the commit is the tip', async () => {
    person(commit('person.txt', 'mine\\n', 'By a person'));
    const theirs = tip();
    await leave();
    expect([tip(), status()]).toEqual([theirs, '']);
    expect(moves).toMatchObject([{ to: theirs, how: 'alone' }]);
  });

  test('and so does the run: the branch has the commits of both as they are', async () => {
    run(commit('run.txt', 'run\\n', 'By the run'));
    person(commit('person.txt', 'mine\\n', 'By a person'));
    run(commit('a.txt', 'ONE\\ntwo\\nthree\\n', 'More of the run'));
    person(`${commit('b.txt', 'B\\n', 'More of the person')}; git tag theirs`);
    await leave();
    expect(subjects()).toEqual([
      'By a person',
      'By the run',
      'More of the person',
      'More of the run',
    ]);
    expect(project.git('log', '--format=%an', '--author=Ada', 'story/x')).toBe('Ada\nAda\n');
    expect(project.git('rev-parse', 'story/x^1', 'theirs^{commit}').split('\n')[0]).toBe(
      project.git('rev-parse', 'theirs').trim(),
    );
    expect(status()).toBe('');
    expect(['run.txt', 'person.txt', 'a.txt', 'b.txt'].map(read)).toEqual([
      'run\n',
      'mine\n',
      'ONE\ntwo\nthree\n',
      'B\n',
    ]);
    expect(moves).toMatchObject([{ how: 'merged' }]);
  });

  test('the run tidies up, which removes their files: they come back', async () => {
    person(`${commit('person.txt', 'mine\\n', 'New')}; git rm -q b.txt; git commit -qm Removed`);
    person(commit('a.txt', 'one\\ntwo\\nTHREE\\n', 'Changed'));
    run('git checkout -q -- .; git clean -qfd');
    run(commit('run.txt', 'run\\n', 'By the run'));
    expect([existsSync(join(worktree.folder, 'person.txt')), read('a.txt')]).toEqual([
      false,
      'one\ntwo\nthree\n',
    ]);
    await leave();
    expect(status()).toBe('');
    expect([read('person.txt'), read('a.txt')]).toEqual(['mine\n', 'one\ntwo\nTHREE\n']);
    expect(existsSync(join(worktree.folder, 'b.txt'))).toBe(false);
  });

  test.each([
    ['nothing', 'true'],
    ['something', commit('run.txt', 'run\\n', 'By the run')],
  ])('the run commits %s: what both did not commit stays as it is', async (_, command) => {
    person(commit('person.txt', 'mine\\n', 'By a person'));
    run(command);
    run("printf 'half\\n' > half.txt; printf 'mine, and more\\n' > person.txt; rm b.txt");
    person("printf 'theirs\\n' > other.txt; printf 'changed\\n' > a.txt");
    await leave();
    expect(status().trimEnd().split('\n')).toEqual([
      ' M a.txt',
      ' D b.txt',
      ' M person.txt',
      '?? half.txt',
      '?? other.txt',
    ]);
    expect(read('person.txt')).toBe('mine, and more\n');
  });

  test('the run merges a newer base and settles its conflicts: both stay', async () => {
    project.write('a.txt', 'one\ntwo\nnewer\n');
    commitAll(project.gitIn, project.root, 'Newer');
    project.git('push', '-q', 'origin', 'main');
    run(commit('a.txt', 'one\\ntwo\\nmine\\n', 'By the run'));
    run('git fetch -q origin; git merge -q origin/main || true');
    run("printf 'one\\ntwo\\nsettled\\n' > a.txt; git commit -qam Merged");
    person(commit('person.txt', 'mine\\n', 'By a person'));
    await leave();
    expect(read('a.txt')).toBe('one\ntwo\nsettled\n');
    expect([read('person.txt'), status()]).toEqual(['mine\n', '']);
    expect(subjects()).toEqual(['By a person', 'By the run']);
  });

  test('both change one place: the branch stays with the person, and the commits of the run are kept', async () => {
    run(commit('a.txt', 'run\\ntwo\\nthree\\n', 'By the run'));
    person(commit('a.txt', 'person\\ntwo\\nthree\\n', 'By a person'));
    const theirs = tip();
    await leave();
    expect(tip()).toBe(theirs);
    expect(subjects(APART)).toEqual(['By the run']);
    expect([read('a.txt'), status()]).toEqual(['person\ntwo\nthree\n', '']);
    expect(moves).toMatchObject([{ how: 'apart', kept: { ref: APART, files: ['a.txt'] } }]);
  });

  test('what SAGA keeps about the story is never in the way', async () => {
    const file = '.saga/stories/x/one.json';
    run(`mkdir -p .saga/stories/x; ${commit(file, '{"status":"completed"}\\n', 'By the run')}`);
    person(commit(file, '{"status":"in_progress"}\\n', 'By a person'));
    await leave();
    expect(moves).toMatchObject([{ how: 'merged' }]);
    expect(project.git('show', `story/x:${file}`)).toBe('{"status":"completed"}\n');
    expect(read(file)).toBe('{"status":"in_progress"}\n');
  });

  test('and once more at the very moment when the branch is moved', async () => {
    run(commit('run.txt', 'run\\n', 'By the run'));
    person(commit('person.txt', 'mine\\n', 'By a person'));
    await leave((move) => {
      if (moves.push(move) === 1) person(commit('late.txt', 'late\\n', 'Late'));
    });
    expect(subjects()).toEqual(['By a person', 'By the run', 'Late']);
    expect(status()).toBe('');
  });

  test('a worker that was killed after it had moved the branch goes on where it was', async () => {
    person(commit('person.txt', 'mine\\n', 'By a person'));
    run('git clean -qfd');
    run(commit('run.txt', 'run\\n', 'By the run'));
    const copy = `${quarantine}.copy`;
    cpSync(quarantine, copy, { recursive: true });
    await leave();
    const taken = tip();
    rmSync(`${quarantine}.done`, { recursive: true });
    renameSync(copy, quarantine);
    rmSync(join(worktree.folder, 'person.txt'));
    await leave();
    expect([tip(), status(), moves.length]).toEqual([taken, '', 1]);
    expect(read('person.txt')).toBe('mine\n');
  });
});

describe('a person rewrites the branch while a run works', () => {
  test.each([
    ['resets it', 'git reset -q --hard HEAD~1'],
    ['amends its last commit', 'git commit -q --amend --allow-empty -m Amended'],
    ['rebases it', 'git reset -q --soft HEAD~1; git commit -q --allow-empty -m Again'],
  ])('%s: it stays as they left it, and the commits of the run are kept', async (_, command) => {
    run(commit('run.txt', 'run\\n', 'By the run'));
    person(command);
    const theirs = tip();
    await leave();
    expect(tip()).toBe(theirs);
    expect(project.git('log', '-1', '--format=%s', APART)).toBe('By the run\n');
    expect(moves).toMatchObject([{ to: theirs, how: 'apart', kept: { ref: APART } }]);
  });

  test('of a run that committed nothing, it stays as they left it', async () => {
    person('git reset -q --hard HEAD~1');
    const theirs = tip();
    await leave();
    expect([tip(), status()]).toEqual([theirs, '']);
    expect(moves).toMatchObject([{ to: theirs, how: 'alone' }]);
  });
});

describe('a person moves HEAD while a run works', () => {
  test('to another branch: that one is not touched, and the run’s commits are on the story’s', async () => {
    run(commit('run.txt', 'run\\n', 'By the run'));
    person('git switch -qc topic');
    person(commit('person.txt', 'mine\\n', 'By a person'));
    await leave();
    expect(project.gitIn(worktree.folder, 'symbolic-ref', 'HEAD')).toBe('refs/heads/topic\n');
    expect([subjects(), subjects('topic')]).toEqual([['By the run'], ['By a person']]);
  });

  test('off every branch, and so does the run: the commits of both are kept', async () => {
    run('git switch -q --detach');
    run(commit('run.txt', 'run\\n', 'By the run'));
    person('git switch -q --detach');
    person(commit('person.txt', 'mine\\n', 'By a person'));
    const { left } = await leave();
    expect(project.gitIn(worktree.folder, 'log', '-1', '--format=%s')).toBe('By the run\n');
    expect(left.map(({ ref }) => project.git('log', '-1', '--format=%s', ref))).toEqual([
      'By a person\n',
    ]);
  });
});

test('a run that reset its own branch moves it, if no person did', async () => {
  run('git reset -q --hard HEAD~1');
  await leave();
  expect(project.git('log', '-1', '--format=%s', 'story/x')).toBe('First\n');
  expect(moves).toEqual([]);
});

test('commits beside the branch are there also if taking over failed at first', async () => {
  run('git switch -q --detach');
  run(commit('run.txt', 'run\\n', 'By the run'));
  renameSync(join(quarantine, 'objects'), join(quarantine, 'elsewhere'));
  await expect(leave()).rejects.toMatchObject({ code: 'git-failed' });
  rmSync(join(quarantine, 'objects'), { recursive: true });
  renameSync(join(quarantine, 'elsewhere'), join(quarantine, 'objects'));
  await leave();
  expect(project.gitIn(worktree.folder, 'log', '-1', '--format=%s')).toBe('By the run\n');
});
