import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pathWithout } from '../../rig/programs/path-without.ts';
import { readWhole } from '../../rig/project/project.ts';
import { createWorkshop } from '../../rig/worker/workshop.ts';

/** The model's own commit, where hooks and keys of the project would refuse it. */
const COMMIT =
  'git add -A && git -c commit.gpgsign=false -c core.hooksPath=/dev/null commit -q -m work';

test('a hard repository: foreign letters, CRLF, failing hooks and keys, trunk, a changed plan', async () => {
  await using it = await createWorkshop({
    defaultBranch: 'trunk',
    rehearsals: { a: { write: { 'src/ü.txt': 'ü\n' }, run: [COMMIT] } },
  });
  const hook = '#!/bin/sh\necho "the hook says no" >&2\nexit 1\n';
  it.write('.git/hooks/pre-commit', hook);
  it.write('.git/hooks/prepare-commit-msg', hook);
  for (const name of ['pre-commit', 'prepare-commit-msg']) {
    it.git('-c', `alias.x=!chmod +x .git/hooks/${name}`, 'x');
  }
  it.git('config', 'core.autocrlf', 'true');
  it.git('config', 'commit.gpgsign', 'true');
  it.git('config', 'gpg.program', '/bin/false');
  it.git('remote', 'set-head', 'origin', '--delete');
  it.story('x', { verify: 'test -f src/ü.txt' }, { a: {} });
  const root = join(it.root, "../Straße d'été 東京");
  renameSync(it.root, root);
  const { code, stderr } = await it.saga(['worker', 'x'], { cwd: root });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(it.pushedStatuses('x')).toEqual({ a: 'completed' });
  expect(it.github.pulls).toMatchObject([{ base: 'trunk', isDraft: false }]);
  expect(await it.saga(['verify', 'x'], { cwd: root })).toMatchObject({ code: 0 });
});

test('without remote and gh the work is done all the same, and a dirty checkout stays as it is', async () => {
  await using it = await createWorkshop({ remote: false });
  it.story('x', {}, { a: {} });
  it.write('README.md', 'staged\n');
  it.git('add', 'README.md');
  it.write('README.md', 'changed\n');
  it.write('new.txt', 'new\n');
  const look = () => [
    it.git('ls-files', '-s'),
    it.git('hash-object', '--no-filters', '.git/index'),
    it.git('--no-optional-locks', 'status', '--porcelain', '--branch'),
    readWhole(it.paths.stories),
    readFileSync(join(it.root, 'README.md'), 'utf8'),
  ];
  const before = look();
  const PATH = pathWithout(it, 'gh');
  const { code, stdout, stderr } = await it.saga(['worker', 'x'], { env: { PATH } });
  expect(code, stdout + stderr).toBe(0);
  expect(stdout).toContain('no gh');
  expect(stdout).toContain('! pull request   none: there is no remote');
  const { checks } = JSON.parse(it.readStory('x', 'evidence.json'));
  expect(checks).toContainEqual(expect.objectContaining({ name: 'pushed', outcome: 'skipped' }));
  expect(look()).toEqual(before);
});

test('an unreachable remote does not hang it: the work is done, the push is for a person', async () => {
  await using it = await createWorkshop();
  it.story('x', {}, { a: {} });
  it.git('remote', 'set-url', 'origin', `file://${join(it.root, '../gone.git')}`);
  const { code, stdout } = await it.saga(['worker', 'x']);
  expect(code).toBe(3);
  expect(stdout).toContain('! pull request   none: origin cannot be reached');
  expect(stdout).toMatch(/✗ pushed {9}fatal: '.*gone\.git' does not appear to be a git repository/);
  expect(it.readStory('x', 'a.json')).toContain('"completed"');
  it.git('remote', 'set-url', 'origin', it.origin);
  const asked = it.model.requests.length;
  expect((await it.saga(['worker', 'x'])).code).toBe(0);
  expect(it.model.requests).toHaveLength(asked);
  expect(it.github.pulls).toMatchObject([{ isDraft: false }]);
});

test('--no-pr pushes the branch and opens nothing', async () => {
  await using it = await createWorkshop();
  it.story('x', {}, { a: {} });
  const { code, stdout } = await it.saga(['worker', 'x', '--no-pr']);
  expect(code).toBe(0);
  expect(stdout).toContain('none: pull requests are switched off');
  expect(it.pushedStatuses('x')).toEqual({ a: 'completed' });
  expect(it.github.requests).toEqual([]);
});
