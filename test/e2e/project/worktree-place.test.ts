import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildPaths } from '@saga-ai/core/project/paths';
import { WORKTREE_FOLDER } from '@saga-ai/types/words/names';
import { expect, test } from 'vitest';
import { createStoryBeside } from '../../projects/story-beside.ts';
import { NOBODY, withMode } from '../../rig/faults/nobody.ts';
import { runCommand } from '../../rig/programs/run-program.ts';
import { createTempFolder } from '../../rig/project/temp-folder.ts';

const one = (title: string) => `require('node:test').test('${title}', () => {});\n`;

const NODE_TEST = {
  manifest: { scripts: { test: 'node --test --test-reporter=tap' } },
  files: { 'test/one.test.js': one('of the main checkout') },
  added: ['test/added.test.js', one('of the story')] as [string, string],
};

test('the suite passes in the worktree; in the main checkout it runs its own tests only', async () => {
  using it = await createStoryBeside(NODE_TEST);
  expect(it.setup).toBeNull();
  const inStory = await it.test(it.worktree);
  expect(inStory).toMatchObject({ code: 0 });
  expect(inStory.output).toContain('ok 1 - of the story');
  const inMain = await it.test(it.project.root);
  expect(inMain).toMatchObject({ code: 0 });
  expect(inMain.output).toContain('ok 1 - of the main checkout');
  expect(inMain.output).not.toContain('of the story');
});

test('a package that is only in the main checkout is missing in the worktree', async () => {
  using it = await createStoryBeside({
    ...NODE_TEST,
    added: ['test/added.test.js', `require('left-out');\n`],
  });
  it.project.write('node_modules/left-out/index.js', '');
  const { code, output } = await it.test(it.worktree);
  expect({ code, found: output.includes("Cannot find module 'left-out'") }).toEqual({
    code: 1,
    found: true,
  });
});

test('a story goes where worktree.folder says, and the commands name that place', async () => {
  using it = await createStoryBeside({ ...NODE_TEST, folder: '../big disk/<repository>' });
  expect(it.worktree).toBe(join(it.project.folder, 'big disk/a package/x'));
  const story = readFileSync(join(it.worktree, '.saga/stories/x/story.json'), 'utf8');
  expect(JSON.parse(story).worktree).toBe('../big disk/a package/x');
});

test('where the folder around the repository is read-only, it is inside, with the reason', async () => {
  using it = createTempFolder();
  const paths = buildPaths(join(it.path, 'shop'));
  mkdirSync(paths.saga, { recursive: true });
  chmodSync(paths.saga, 0o777);
  using _mode = withMode(it.path, 0o555);
  const module = import.meta.resolve('@saga-ai/core/project/worktrees-folder');
  const asked = `const { chooseWorktreesFolder } = await import(${JSON.stringify(module)});
    const place = chooseWorktreesFolder(${JSON.stringify(paths)}, ${JSON.stringify(WORKTREE_FOLDER)});
    console.log(JSON.stringify(place));`;
  const args = ['--input-type=module', '-e', asked];
  const { stdout, stderr } = await runCommand(process.execPath, args, NOBODY);
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual({
    folder: paths.innerWorktrees,
    reason: `${it.path} cannot be written`,
  });
});
