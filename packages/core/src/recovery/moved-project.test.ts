import { cpSync, existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type BegunStory, createBegunStory } from '../../../../test/rig/project/begun-story.ts';
import { readWhole } from '../../../../test/rig/project/project.ts';
import { commitAll } from '../../../../test/rig/project/repository.ts';
import { buildPaths, type Paths } from '../project/paths.ts';
import { findUncommitted } from '../review/find-uncommitted.ts';
import { updateStory } from '../update/update-story.ts';
import { discardWork } from './discard.ts';

/** Renames the project; the worktree stays where it is. */
function rename(it: BegunStory): Paths {
  const root = join(it.folder, 'moved here');
  renameSync(it.root, root);
  return buildPaths(root);
}

/** Moves the project together with its worktree. */
function moveAll(it: BegunStory): Paths {
  mkdirSync(join(it.folder, 'there'));
  for (const name of ['project', 'project.stories'])
    renameSync(join(it.folder, name), join(it.folder, 'there', name));
  return buildPaths(join(it.folder, 'there/project'));
}

const discard = (it: BegunStory, paths: Paths) =>
  discardWork({ paths, id: 'x', env: it.env, why: 'discard' });

describe.each([
  ['renamed', rename],
  ['moved with its worktrees', moveAll],
])('a project that was %s', (_, move) => {
  test('shows what is uncommitted in a worktree, as diff and land ask for it', async () => {
    using it = createBegunStory();
    it.put('a.txt', 'changed\n');
    const paths = move(it);
    expect(await findUncommitted(paths, it.env, 'x', { isMerged: false })).toEqual(['a.txt']);
  });

  test('puts a worktree into the trash', async () => {
    using it = createBegunStory();
    it.put('a.txt', 'changed\n');
    const paths = move(it);
    const { folder, note } = await discard(it, paths);
    expect(note).toMatchObject({ changed: ['a.txt'], commits: 2 });
    expect(existsSync(folder ?? '')).toBe(false);
    expect(it.gitIn(paths.root, 'worktree', 'list').split('\n').filter(Boolean)).toHaveLength(1);
    expect(it.gitIn(paths.root, 'branch', '--list', 'story/*')).toBe('');
  });

  test('brings a plan and the base into a worktree', async () => {
    using it = createBegunStory();
    it.write('base.txt', 'new\n');
    commitAll(it.gitIn, it.root, 'Base');
    it.git('push', '-q', 'origin', 'main');
    const paths = move(it);
    const { emit: _, agent: __, lifeline: ___, network: ____, ...order } = it.worker({}, { paths });
    const parts = { plan: true, base: true };
    const updated = await updateStory({ ...order, parts, listen: () => {} });
    expect(updated).toMatchObject({ taken: { kind: 'merged', commits: 1 } });
  });
});

test('a copy of a project leaves the worktrees of the original alone', async () => {
  using it = createBegunStory();
  it.put('a.txt', 'changed\n');
  const copy = join(it.folder, 'copy');
  cpSync(it.root, copy, { recursive: true });
  const before = [it.root, it.worktrees].map(readWhole);
  const paths = buildPaths(copy);
  expect(await findUncommitted(paths, it.env, 'x', { isMerged: false })).toEqual([]);
  await expect(discard(it, paths)).rejects.toMatchObject({ code: 'worktree-taken' });
  expect([it.root, it.worktrees].map(readWhole)).toEqual(before);
});

test('a moved worktree that is not on its branch is not mended; the message says what does it', async () => {
  using it = createBegunStory();
  it.gitIn(it.worktree, 'switch', '-q', '--detach');
  const paths = rename(it);
  const link = readFileSync(join(it.worktree, '.git'), 'utf8');
  await expect(discard(it, paths)).rejects.toMatchObject({
    code: 'worktree-taken',
    hint: `If the project was moved, tie the worktree to it again: git -C '${paths.root}' worktree repair ${it.worktree}`,
  });
  expect(readFileSync(join(it.worktree, '.git'), 'utf8')).toBe(link);
  it.gitIn(paths.root, 'worktree', 'repair', it.worktree);
  expect((await discard(it, paths)).folder).toBe(it.worktree);
});
