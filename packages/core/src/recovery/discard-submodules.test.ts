import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type BegunStory, createBegunStory } from '../../../../test/rig/project/begun-story.ts';
import { commitAll } from '../../../../test/rig/project/repository.ts';
import { buildPaths } from '../project/paths.ts';
import { discardWork } from './discard.ts';
import { restoreFromTrash } from './restore.ts';

const discard = (it: BegunStory) =>
  discardWork({ paths: it.paths, id: 'x', env: it.env, why: 'discard' });

const LOCAL = ['-c', 'protocol.file.allow=always', 'submodule', '--quiet'];

/** A story whose worktree has a submodule, checked out as `worktree.setup` does it, with another one inside. */
function createStoryWithSubmodule(): BegunStory & { lib: string } {
  const it = createBegunStory();
  const make = (name: string) => {
    const folder = join(it.folder, name);
    it.gitIn(it.folder, 'init', '-q', '-b', 'main', folder);
    writeFileSync(join(folder, 'file.txt'), `${name}\n`);
    writeFileSync(join(folder, '.gitignore'), 'built/\n');
    commitAll(it.gitIn, folder, 'First');
    return folder;
  };
  const [inner, outer] = [make('inner'), make('outer')];
  it.gitIn(outer, ...LOCAL, 'add', inner, 'inner');
  commitAll(it.gitIn, outer, 'Inner');
  it.gitIn(it.worktree, ...LOCAL, 'add', outer, 'vendor/lib');
  commitAll(it.gitIn, it.worktree, 'Library');
  it.gitIn(it.worktree, ...LOCAL, 'update', '--init', '--recursive');
  return { ...it, lib: join(it.worktree, 'vendor/lib') };
}

test('a story with a clean submodule goes into the trash, and comes back', async () => {
  using it = createStoryWithSubmodule();
  it.put('vendor/lib/built/out.o', 'ignored\n');
  const recorded = it.git('rev-parse', 'story/x:vendor/lib');
  await discard(it);
  expect(existsSync(it.worktree)).toBe(false);
  expect(readdirSync(it.worktrees)).toEqual([]);
  expect(it.git('branch', '--list', 'story/*')).toBe('');
  expect(existsSync(join(it.root, '.git/worktrees/x'))).toBe(false);
  await restoreFromTrash(it.paths, 'x', it.env);
  it.gitIn(it.worktree, ...LOCAL, 'update', '--init', '--recursive');
  expect(it.gitIn(it.lib, 'rev-parse', 'HEAD')).toBe(recorded);
  expect(readFileSync(join(it.lib, 'inner/file.txt'), 'utf8')).toBe('inner\n');
  expect(it.gitIn(it.worktree, 'status', '--porcelain')).toBe('');
});

test('a clean submodule is no obstacle after the project was renamed either', async () => {
  using it = createStoryWithSubmodule();
  const moved = join(it.folder, 'moved here');
  renameSync(it.root, moved);
  await discardWork({ paths: buildPaths(moved), id: 'x', env: it.env, why: 'discard' });
  expect(existsSync(it.worktree)).toBe(false);
});

test('commits that the same submodule of the main checkout has are not lost', async () => {
  using it = createStoryWithSubmodule();
  commitIn(it, it.lib);
  const main = join(it.root, 'vendor/lib');
  it.gitIn(it.root, 'clone', '-q', it.lib, main);
  await discard(it);
  expect(existsSync(it.worktree)).toBe(false);
});

function commitIn(it: BegunStory, folder: string): void {
  writeFileSync(join(folder, 'more.txt'), 'more\n');
  commitAll(it.gitIn, folder, 'More');
}

const PUSH = /Push them \(git -C .* push origin .*submodule deinit -f vendor\/lib/;
const COMMIT = /Commit and push them there .*submodule deinit -f vendor\/lib/;

const REFUSED: Record<string, [change: (it: BegunStory & { lib: string }) => void, hint: RegExp]> =
  {
    'a changed file': [(it) => it.put('vendor/lib/file.txt', 'changed\n'), COMMIT],
    'a new file': [(it) => it.put('vendor/lib/new.txt', 'new\n'), COMMIT],
    'a new file in its own submodule': [(it) => it.put('vendor/lib/inner/new', 'x\n'), COMMIT],
    'something that is only staged': [
      (it) => {
        it.put('vendor/lib/file.txt', 'staged\n');
        it.gitIn(it.lib, 'add', 'file.txt');
        it.put('vendor/lib/file.txt', 'outer\n');
      },
      COMMIT,
    ],
    'a commit that was not pushed': [(it) => commitIn(it, it.lib), PUSH],
    'a commit that was not pushed, and that the story’s branch names': [
      (it) => {
        commitIn(it, it.lib);
        commitAll(it.gitIn, it.worktree, 'Newer library');
      },
      PUSH,
    ],
    'a branch that was not pushed': [
      (it) => {
        it.gitIn(it.lib, 'switch', '-q', '-c', 'other');
        commitIn(it, it.lib);
        it.gitIn(it.lib, 'switch', '-q', '--detach', 'origin/main');
      },
      PUSH,
    ],
    'a stash': [
      (it) => {
        it.put('vendor/lib/file.txt', 'later\n');
        it.gitIn(it.lib, '-c', 'user.name=W', '-c', 'user.email=w@w', 'stash', '-q');
      },
      PUSH,
    ],
  };

describe('a submodule with something that only it has is refused, and nothing is removed', () => {
  test.each(Object.keys(REFUSED))('%s', async (name) => {
    using it = createStoryWithSubmodule();
    const [change, hint] = REFUSED[name] ?? [];
    change?.(it);
    const refused = expect(discard(it)).rejects;
    await refused.toMatchObject({
      message: expect.stringContaining('is a repository of its own with'),
      hint: expect.stringMatching(hint ?? ''),
    });
    expect(existsSync(join(it.lib, '.git'))).toBe(true);
    expect(it.git('branch', '--list', 'story/x')).toContain('story/x');
  });
});

test('once the submodule is removed as the hint says, the story goes', async () => {
  using it = createStoryWithSubmodule();
  it.put('vendor/lib/new.txt', 'new\n');
  it.gitIn(it.worktree, 'submodule', '--quiet', 'deinit', '-f', 'vendor/lib');
  await discard(it);
  expect(existsSync(it.worktree)).toBe(false);
});

test('programs that the settings of a submodule name are not run', async () => {
  using it = createStoryWithSubmodule();
  const trace = join(it.folder, 'trace');
  const program = `touch ${trace}; cat`;
  for (const key of ['core.fsmonitor', 'filter.x.clean', 'filter.x.process', 'core.sshCommand'])
    it.gitIn(it.lib, 'config', key, program);
  const gitFolder = it.gitIn(it.lib, 'rev-parse', '--absolute-git-dir').trim();
  writeFileSync(join(gitFolder, 'info/attributes'), '* filter=x\n');
  it.put('vendor/lib/file.txt', 'outer\n');
  await discard(it);
  expect(existsSync(trace)).toBe(false);
  expect(existsSync(it.worktree)).toBe(false);
});

test('a folder that a killed discard moved away stays if its submodule was changed since', async () => {
  using it = createStoryWithSubmodule();
  // As a discard leaves it that is killed after it renamed the folder.
  const { ref } = await discard(it);
  await restoreFromTrash(it.paths, 'x', it.env);
  it.gitIn(it.worktree, ...LOCAL, 'update', '--init', '--recursive');
  const aside = join(it.worktrees, `.x.discarded-${ref?.split('/').at(-1)}`);
  it.put('vendor/lib/new.txt', 'new\n');
  renameSync(it.worktree, aside);
  await expect(discard(it)).rejects.toMatchObject({
    message: expect.stringContaining('with uncommitted changes'),
    hint: `Move the worktree back, then repeat the command: mv ${aside} ${it.worktree}`,
  });
  expect(readFileSync(join(aside, 'vendor/lib/new.txt'), 'utf8')).toBe('new\n');
  renameSync(aside, it.worktree);
  expect(it.gitIn(it.lib, 'status', '--porcelain')).toBe('?? new.txt\n');
});
