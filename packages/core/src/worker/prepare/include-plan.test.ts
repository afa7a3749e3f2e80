import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject, type Project } from '../../../../../test/rig/project/project.ts';
import { commitAll } from '../../git/commit.ts';
import { openGit } from '../../git/git.ts';
import { ensureWorktree } from './ensure-worktree.ts';

/** A project whose main checkout leaves out everything but one folder. */
function createSparse(before: (it: Project) => void = () => {}): Project {
  const it = createProject();
  for (const name of ['a', 'b']) it.write(`${name}/file.txt`, `${name}\n`);
  before(it);
  it.git('add', '-A');
  it.git('commit', '-q', '-m', 'Folders');
  it.git('push', '-q');
  it.git('sparse-checkout', 'set', '--cone', 'a');
  return it;
}

const listPatterns = (it: Project) =>
  readFileSync(join(it.root, '.git/info/sparse-checkout'), 'utf8');

test('in a sparse checkout a plan that nobody committed is carried into the worktree', async () => {
  using it = createSparse();
  it.story('x');
  const patterns = listPatterns(it);
  const { folder, git } = await ensureWorktree(it.worker());
  expect(existsSync(join(folder, '.saga/stories/x/story.json'))).toBe(true);
  expect(await git.run(['ls-tree', '-r', '--name-only', 'HEAD', '.saga/stories/x'])).toContain(
    '.saga/stories/x/story.json',
  );
  expect(await git.run(['status', '--porcelain'])).toBe('');
  // What the person leaves out stays out, and their own checkout stays as it is.
  expect(existsSync(join(folder, 'a/file.txt'))).toBe(true);
  expect(existsSync(join(folder, 'b'))).toBe(false);
  expect(listPatterns(it)).toBe(patterns);
});

test('a plan that the sparse checkout leaves out is in the worktree, and stays there', async () => {
  using it = createSparse((project) => {
    project.story('x');
    project.story('y');
  });
  expect(existsSync(join(it.root, '.saga/stories/x'))).toBe(false);
  const { folder, git } = await ensureWorktree(it.worker());
  const story = join(folder, '.saga/stories/x/story.json');
  expect(existsSync(story)).toBe(true);
  expect(existsSync(join(folder, '.saga/stories/y/story.json'))).toBe(true);
  await git.run(['sparse-checkout', 'reapply']);
  expect(existsSync(story)).toBe(true);
});

test('patterns that are not folders get the plan too', async () => {
  using it = createSparse((project) => project.story('x'));
  it.git('sparse-checkout', 'set', '--no-cone', '/*.md', '/a/');
  const { folder } = await ensureWorktree(it.worker());
  expect(existsSync(join(folder, '.saga/stories/x/story.json'))).toBe(true);
  expect(existsSync(join(folder, 'b'))).toBe(false);
});

test('files that a run wrote outside of the sparse checkout are committed', async () => {
  using it = createSparse();
  it.story('x');
  const { folder, git } = await ensureWorktree(it.worker());
  mkdirSync(join(folder, 'b'));
  writeFileSync(join(folder, 'b/new.txt'), 'new\n');
  expect(await commitAll(git, 'Work')).toBe(true);
  expect(await git.run(['show', '--name-only', '--format=', 'HEAD'])).toBe('b/new.txt');
  expect(await git.run(['ls-tree', '--name-only', 'HEAD', 'b/'])).toBe('b/file.txt\nb/new.txt');
});

test('a git that has no --sparse is not asked for it', async () => {
  using it = createSparse();
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const programs = join(it.folder, 'programs');
  mkdirSync(programs);
  const script = `case " $* " in
    *" add -h "*) echo 'usage: git add'; exit 129;;
    *" --sparse "*) echo 'error: unknown option' >&2; exit 129;;
  esac
  exec ${real} "$@"`;
  writeFileSync(join(programs, 'git'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(programs, 'git'), 0o755);
  const git = openGit(it.root, { ...it.env, PATH: `${programs}:${it.env.PATH}` });
  it.write('a/new.txt', 'new\n');
  // In this checkout git itself would refuse the plan.
  it.git('sparse-checkout', 'add', '.saga');
  expect(await commitAll(git, 'Work')).toBe(true);
});
