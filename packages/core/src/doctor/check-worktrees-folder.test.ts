import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject, type Project } from '../../../../test/rig/project/project.ts';
import { checkWorktreesFolder } from './check-worktrees-folder.ts';

const check = ({ paths, env }: Project, folder?: string) =>
  checkWorktreesFolder(paths, { ...env, ...(folder ? { SAGA_WORKTREE_FOLDER: folder } : {}) }).map(
    ({ name, state, message, fix }) => `${state} ${name}: ${message} → ${fix}`,
  );
const FIX = ' → Name another place: saga config worktree.folder "~/stories/<repository>"';

test('the default is fine, and so is a folder elsewhere', () => {
  using it = createProject();
  expect(check(it)).toEqual([]);
  expect(check(it, '~/stories/<repository>')).toEqual([]);
});

test('a hidden part, a folder inside the repository or inside another one', () => {
  using it = createProject();
  expect(check(it, '../.cache/x')).toEqual([
    `warning worktrees: ../.cache/x has a hidden part, .cache: that some test runners and servers refuse to read${FIX}`,
  ]);
  expect(check(it, '.saga/worktrees')).toEqual([
    `warning worktrees: .saga/worktrees is inside this repository: test runners and bundlers there read the worktrees too${FIX}`,
    `warning worktrees: .saga/worktrees has a hidden part, .saga: that some test runners and servers refuse to read${FIX}`,
  ]);
  const other = join(it.folder, 'other');
  it.gitIn(it.folder, 'init', '-q', 'other');
  expect(check(it, '../other/x')).toEqual([
    `warning worktrees: ../other/x is inside the repository ${other}: test runners and bundlers there read the worktrees too${FIX}`,
  ]);
});

test('a place that cannot be used: the default goes inside, one that was named is a problem', () => {
  using it = createProject();
  writeFileSync(it.worktrees, '');
  expect(check(it)).toEqual([
    `warning worktrees: ${it.worktrees} is a file, so worktrees are made in .saga/worktrees, which some test runners and servers refuse to read${FIX}`,
  ]);
  mkdirSync(join(it.folder, 'taken/.git'), { recursive: true });
  expect(check(it, '../taken')).toEqual([
    `problem worktrees: worktree.folder cannot be used: ${it.folder}/taken is a repository of its own${FIX}`,
  ]);
});
