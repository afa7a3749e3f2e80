import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  createProject,
  type Project,
  type ProjectOptions,
  readWhole,
} from '../../../../../test/rig/project/project.ts';
import { findStoryHome } from '../../project/story-home.ts';
import { readWorktreesFolder } from '../../project/worktrees-folder.ts';
import { publish } from '../deliver/publish.ts';
import { ensureWorktree } from './ensure-worktree.ts';

const inOther = ({ folder, gitIn }: Parameters<NonNullable<ProjectOptions['init']>>[0]) => {
  gitIn(folder, 'init', '-q', '-b', 'main', 'other');
  gitIn(join(folder, 'other'), 'commit', '-q', '--allow-empty', '-m', 'Other');
};

test.each<[string, ProjectOptions]>([
  ['a path with spaces and foreign letters', { name: "été's  Straße 東京 $HOME" }],
  [
    'its .git kept elsewhere',
    {
      init: ({ root, folder, gitIn }) =>
        gitIn(folder, 'init', '-q', '-b', 'main', '--separate-git-dir', join(folder, 'g'), root),
    },
  ],
  [
    'itself a worktree',
    {
      init: (it) => {
        inOther(it);
        it.gitIn(join(it.folder, 'other'), 'worktree', 'add', '-q', '-b', 'plan', it.root);
      },
    },
  ],
  [
    'itself a submodule',
    {
      init: (it) => {
        inOther(it);
        it.gitIn(it.folder, 'clone', '-q', 'other', 'outer');
        const add = [
          '-c',
          'protocol.file.allow=always',
          'submodule',
          '--quiet',
          'add',
          join(it.folder, 'other'),
        ];
        it.gitIn(join(it.folder, 'outer'), ...add, 'project');
        it.gitIn(it.root, 'remote', 'remove', 'origin');
      },
      name: 'outer/project',
    },
  ],
])('a repository with %s', async (_, options) => {
  using it = createProject(options);
  it.story('x');
  const first = await ensureWorktree(it.worker());
  expect(await publish(it.worker(), first)).toEqual({ pushed: true, isNew: true });
  const second = await ensureWorktree(it.worker());
  expect(second).toMatchObject({
    folder: join(readWorktreesFolder(it.paths), 'x'),
    branch: 'story/x',
  });
  expect(it.said('worktree:found')).toHaveLength(1);
  expect(await second.git.run(['status', '--porcelain'])).toBe('');
  rmSync(second.folder, { recursive: true });
  const third = await ensureWorktree(it.worker());
  expect(await third.git.run(['log', '-1', '--format=%s'])).toBe('saga: begin story x');
  expect(it.git('status', '--porcelain', '-uno')).toBe('');
});

test('submodules are left alone', async () => {
  using it = createProject();
  inOther(it);
  const add = ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add'];
  it.git(...add, join(it.folder, 'other'), 'lib');
  it.git('config', 'fetch.recurseSubmodules', 'true');
  it.git('commit', '-q', '-m', 'With a library');
  it.git('push', '-q');
  it.story('x');
  const before = [readWhole(join(it.root, 'lib')), readWhole(join(it.root, '.git/modules'))];
  const { folder, git } = await ensureWorktree(it.worker());
  expect(readdirSync(join(folder, 'lib'))).toEqual([]);
  expect(await git.run(['status', '--porcelain'])).toBe('');
  expect([readWhole(join(it.root, 'lib')), readWhole(join(it.root, '.git/modules'))]).toEqual(
    before,
  );
  expect(it.said('fetch:failed')).toEqual([]);
});

test.each([
  ['a hook that fails', 'core.hooksPath', 'hooks'],
  ['a key that cannot sign', 'commit.gpgsign', 'true'],
  ['line ends that git refuses', 'core.safecrlf', 'true'],
])('%s does not stop the bookkeeping', async (_, key, value) => {
  using it = createProject();
  it.git('config', key, value);
  it.git('config', 'core.autocrlf', 'true');
  it.git('config', 'gpg.program', '/bin/false');
  for (const name of ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-checkout']) {
    it.write(`hooks/${name}`, '#!/bin/sh\necho "no, says the hook" >&2\nexit 1\n');
    chmodSync(join(it.root, 'hooks', name), 0o755);
  }
  it.story('x');
  it.git('config', 'core.hooksPath', key === 'core.hooksPath' ? join(it.root, 'hooks') : '.none');
  const { git } = await ensureWorktree(it.worker());
  expect(await git.run(['log', '--format=%s %G?', 'main..HEAD'])).toBe('saga: begin story x N');
  expect(await git.run(['status', '--porcelain'])).toBe('');
});

test('who signs commits and can do so unattended gets them signed', async () => {
  using it = createProject();
  const key = join(it.folder, 'key');
  it.gitIn(it.folder, '-c', `alias.key=!ssh-keygen -q -t ed25519 -N "" -f ${key}`, 'key');
  for (const [name, value] of [
    ['commit.gpgsign', 'true'],
    ['gpg.format', 'ssh'],
    ['user.signingkey', key],
  ] as const) {
    it.git('config', name, value);
  }
  it.story('x');
  const { git } = await ensureWorktree(it.worker());
  expect(await git.run(['cat-file', 'commit', 'HEAD'])).toContain('BEGIN SSH SIGNATURE');
});

test('worktrees are made beside the repository, and nothing leads back into it', async () => {
  using it = createProject();
  it.story('x');
  const { folder } = await ensureWorktree(it.worker());
  expect(folder).toBe(join(it.folder, 'project.stories/x'));
  expect(existsSync(join(it.root, '.saga/worktrees'))).toBe(false);
  expect(readdirSync(it.worktrees)).toEqual(['x']);
  expect(it.git('status', '--porcelain', '-uall')).not.toContain('stories/x/README');
  expect(it.said('worktree:created')).toMatchObject([{ path: '../project.stories/x' }]);
  expect(it.read('../project.stories/x/.saga/stories/x/story.json')).toContain(
    '"worktree": "../project.stories/x"',
  );
});

test.each<[what: string, folder: (it: Project) => string, path: (it: Project) => string]>([
  ['in the repository', () => 'trees', (it) => join(it.root, 'trees/x')],
  ['absolute', (it) => join(it.folder, 'big disk'), (it) => join(it.folder, 'big disk/x')],
  ['from the home folder', () => '~/<repository>', (it) => join(it.env.HOME ?? '', 'project/x')],
])('another folder may be named: %s', async (_, folder, path) => {
  using it = createProject();
  it.story('x');
  const config = { worktree: { folder: folder(it) } };
  const worktree = await ensureWorktree(it.worker(config));
  expect(worktree.folder).toBe(path(it));
  expect(it.git('status', '--porcelain', '-uall').trim().split('\n')).toEqual([
    '?? .saga/stories/x/one.json',
    '?? .saga/stories/x/story.json',
    '?? .saga/stories/x/two.json',
  ]);
  // Whatever is set later, it is found where it is.
  expect((await ensureWorktree(it.worker())).folder).toBe(path(it));
  expect(findStoryHome(it.paths, 'x')).toBe(join(path(it), '.saga/stories/x'));
});

test('of a submodule, the repository around it does not see worktrees as new files', async () => {
  using it = createProject({
    name: 'outer/project',
    init: ({ folder, gitIn }) => {
      gitIn(folder, 'init', '-q', '-b', 'main', 'outer');
      gitIn(folder, 'init', '-q', '-b', 'main', 'outer/project');
    },
  });
  it.story('x');
  await ensureWorktree(it.worker());
  expect(it.gitIn(join(it.folder, 'outer'), 'status', '--porcelain', '-uall')).not.toContain(
    'stories',
  );
});

test('where nothing can be made beside the repository it is made inside, and that is said', async () => {
  using it = createProject();
  it.git('rm', '-q', '.saga/.gitignore');
  it.git('commit', '-q', '-m', 'Not needed, is it?');
  it.git('push', '-q');
  writeFileSync(it.worktrees, 'a file in the way');
  it.story('x');
  const { folder } = await ensureWorktree(it.worker());
  expect(folder).toBe(join(it.root, '.saga/worktrees/x'));
  expect(it.said('worktree:inside')).toMatchObject([
    { path: '.saga/worktrees/x', reason: `${it.worktrees} is a file` },
  ]);
  expect(it.git('status', '--porcelain', '-uall')).not.toContain('worktrees');
  // It stays there when the other place is free again.
  rmSync(it.worktrees);
  it.events.length = 0;
  expect((await ensureWorktree(it.worker())).folder).toBe(folder);
  expect(it.said('worktree:inside')).toEqual([]);
});

test('a name that is too long with its ending is made inside, too', async () => {
  using it = createProject({ name: 'n'.repeat(250) });
  it.story('x');
  const { folder } = await ensureWorktree(it.worker());
  expect(folder).toBe(join(it.root, '.saga/worktrees/x'));
  expect(it.said('worktree:inside')).toMatchObject([
    { reason: expect.stringContaining('TOOLONG') },
  ]);
});

test('a folder that a person named and that cannot be made is an error', async () => {
  using it = createProject();
  it.story('x');
  const worker = it.worker({ worktree: { folder: 'README.md/trees' } });
  await expect(ensureWorktree(worker)).rejects.toMatchObject({
    code: 'unreadable-file',
    message: expect.stringContaining('README.md/trees is in the way'),
  });
});

test('a branch called story is an error that says what to rename', async () => {
  using it = createProject();
  it.story('x');
  it.git('branch', 'story');
  await expect(ensureWorktree(it.worker())).rejects.toMatchObject({
    code: 'worktree-taken',
    message: 'A branch called story exists, so git cannot create one called story/x.',
    hint: 'Rename it: git branch -m story story-old',
  });
  it.git('branch', '-m', 'story', 'story-old');
  expect(await ensureWorktree(it.worker())).toMatchObject({ branch: 'story/x' });
});

test('what somebody else pushed to the branch since is taken in; what needs a merge is not', async () => {
  using it = createProject();
  it.story('x');
  await publish(it.worker(), await ensureWorktree(it.worker()));
  const other = join(it.folder, 'other');
  it.gitIn(it.folder, 'clone', '-q', '-b', 'story/x', it.origin, other);
  const push = (name: string) => {
    writeFileSync(join(other, name), name);
    it.gitIn(other, 'add', '-A');
    it.gitIn(other, 'commit', '-q', '-m', name);
    it.gitIn(other, 'push', '-q');
  };
  push('theirs.txt');
  const second = await ensureWorktree(it.worker());
  expect(existsSync(join(second.folder, 'theirs.txt'))).toBe(true);
  expect(it.said('branch:updated')).toHaveLength(1);
  push('more.txt');
  await second.git.run(['commit', '-q', '--allow-empty', '-m', 'Ours']);
  const third = await ensureWorktree(it.worker());
  expect(existsSync(join(third.folder, 'more.txt'))).toBe(false);
  const published = await publish(it.worker(), third);
  expect(published).toEqual({
    pushed: false,
    reason: `story/x has new commits on the remote; merge them: git -C ${third.folder} pull --rebase origin story/x`,
  });
  await third.git.run(['pull', '-q', '--rebase', 'origin', 'story/x']);
  expect(await publish(it.worker(), third)).toEqual({ pushed: true, isNew: true });
});

test('a remote that refuses is quoted', async () => {
  using it = createProject();
  const hook = join(it.origin, 'hooks/pre-receive');
  mkdirSync(join(it.origin, 'hooks'), { recursive: true });
  writeFileSync(hook, '#!/bin/sh\necho "Only on Mondays." >&2\nexit 1\n', { mode: 0o755 });
  it.story('x');
  expect(await publish(it.worker(), await ensureWorktree(it.worker()))).toEqual({
    pushed: false,
    reason: 'origin refuses story/x (pre-receive hook declined): Only on Mondays.',
  });
});

test('many stories may begin at the same time', async () => {
  using it = createProject();
  const ids = Array.from({ length: 8 }, (_, i) => `s${i}`);
  for (const id of ids) it.story(id);
  const begun = ids.map(async (storyId) => {
    const worker = it.worker({}, { storyId });
    return publish(worker, await ensureWorktree(worker));
  });
  expect(await Promise.all(begun)).toEqual(ids.map(() => ({ pushed: true, isNew: true })));
});
