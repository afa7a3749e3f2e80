import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runProgram } from '../../../../test/rig/programs/run-program.ts';
import { createProject, type Project } from '../../../../test/rig/project/project.ts';
import { findStoryContext } from './story-context.ts';

function addWorktree(it: Project, id: string): string {
  it.story(id);
  it.git('add', '-A');
  it.git('commit', '-qm', `Plan ${id}`);
  const worktree = join(it.worktrees, id);
  it.git('worktree', 'add', '-q', '-b', `story/${id}`, worktree);
  return realpathSync(worktree);
}

const DEPRECATED = expect.stringContaining('set SAGA_STORY_ID');

test('the older variables name a story for a session in another folder, and say that they are old', () => {
  using it = createProject();
  const worktree = addWorktree(it, 'cart');
  const older = { SAGA_EPIC_SLUG: 'shop', SAGA_STORY_SLUG: 'cart' };
  const expected = { storyId: 'cart', worktree, project: it.root, note: DEPRECATED };
  expect(findStoryContext({ ...older, SAGA_PROJECT_DIR: it.root }, it.folder)).toEqual(expected);
  expect(findStoryContext(older, it.root)).toEqual(expected);
  expect(findStoryContext({ SAGA_STORY_SLUG: 'cart' }, it.root)).toEqual(expected);
});

test('the older variables count least, and a story without a worktree has no scope', () => {
  using it = createProject();
  const cart = addWorktree(it, 'cart');
  const pay = addWorktree(it, 'pay');
  const older = { SAGA_EPIC_SLUG: 'shop', SAGA_STORY_SLUG: 'cart', SAGA_PROJECT_DIR: it.root };
  expect(findStoryContext(older, pay)).toEqual({ storyId: 'pay', worktree: pay, project: it.root });
  expect(findStoryContext({ ...older, SAGA_STORY_ID: 'pay' }, it.folder)).toMatchObject({
    worktree: pay,
  });
  expect(findStoryContext({ ...older, SAGA_STORY_SLUG: 'gone' }, it.folder)).toBeUndefined();
  expect(findStoryContext({ ...older, SAGA_STORY_SLUG: '../cart' }, it.folder)).toBeUndefined();
  expect(findStoryContext({ SAGA_STORY_SLUG: 'cart' }, it.folder)).toBeUndefined();
  expect(cart).not.toBe(pay);
});

test('a worktree below the folder of its epic, as still older versions made it, is found', () => {
  using it = createProject();
  const nested = join(it.root, '.saga/worktrees/shop/old');
  mkdirSync(join(nested, '.git'), { recursive: true });
  const older = { SAGA_EPIC_SLUG: 'shop', SAGA_STORY_SLUG: 'old', SAGA_PROJECT_DIR: it.root };
  expect(findStoryContext(older, it.folder)).toMatchObject({ storyId: 'old', worktree: nested });
});

test('a call that the scope check denies is told that the variables are old', async () => {
  using it = createProject();
  addWorktree(it, 'cart');
  const env = {
    ...it.env,
    SAGA_EPIC_SLUG: 'shop',
    SAGA_STORY_SLUG: 'cart',
    SAGA_PROJECT_DIR: it.root,
  };
  const ask = (file_path: string) =>
    runProgram(join(import.meta.dirname, 'scope-validator.ts'), [], {
      cwd: it.folder,
      env,
      input: JSON.stringify({
        ...{ hook_event_name: 'PreToolUse', tool_name: 'Write', cwd: it.folder },
        tool_input: { file_path, content: '' },
      }),
    });
  const denied = await ask(join(it.root, '.saga/stories/other/story.json'));
  expect(denied).toMatchObject({ code: 0, stdout: expect.stringContaining('"deny"') });
  expect(denied.stdout).toContain('SAGA_STORY_SLUG are deprecated: set SAGA_STORY_ID');
  expect(await ask(join(it.worktrees, 'cart/src/cart.js'))).toMatchObject({ code: 0, stdout: '' });
});
