import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hydrate } from '@saga-ai/core/agents/claude/tasklist/hydrate';
import { loadStory } from '@saga-ai/core/plan/stories';
import { expect, test } from 'vitest';
import { runCommand } from '../../rig/programs/run-program.ts';
import { createTempFolder } from '../../rig/project/temp-folder.ts';
import { answersOf, PLUGIN, runPluginSession } from '../../rig/worker/plugin-session.ts';
import { createWorkshop, type Workshop } from '../../rig/worker/workshop.ts';

const ALLOW = ['--plugin-dir', PLUGIN, '--permission-mode', 'acceptEdits'];

/** A story's worktree as a person would make it by hand. */
function addWorktree(it: Workshop, id: string): string {
  it.story(id, {}, { one: {} });
  it.git('add', '-A');
  it.git('commit', '-qm', `Plan ${id}`);
  const worktree = join(it.worktrees, id);
  it.git('worktree', 'add', '-q', '-b', `story/${id}`, worktree);
  return worktree;
}

const write = (path: string) => ({
  calls: [{ tool: 'Write', input: { file_path: path, content: 'x' } }],
});
const playing = (turns: () => readonly object[]) => ({
  model: {
    policy: ({ callsSincePrompt }: { callsSincePrompt: readonly unknown[] }) =>
      turns()[callsSincePrompt.length] ?? { text: 'Done.' },
  },
});

test('in a story worktree another story cannot be written, the journal and the code can', async () => {
  let root = '';
  await using it = await createWorkshop(
    playing(() => [
      write(`${root}/.saga/stories/other/story.json`),
      write(`${root}/../../project/.saga/stories/cart/mine.txt`),
      write(`${root}/.saga/stories/cart/journal.md`),
      write(`${root}/src/cart.js`),
    ]),
  );
  root = addWorktree(it, 'cart');
  const { code } = await runPluginSession(it, { prompt: 'Go.', cwd: root, args: ALLOW });
  expect(code).toBe(0);
  const [other, plan, journal, code_] = answersOf(it.model, 'Go.');
  expect(other).toContain('not part of this story');
  expect(plan).toContain("outside this story's worktree");
  expect(journal).toContain('created successfully');
  expect(code_).toContain('created successfully');
  expect(existsSync(join(root, '.saga/stories/other'))).toBe(false);
});

test('in a story worktree, a plugin that does not find saga lets no file tool through and says what to install', async () => {
  let root = '';
  await using it = await createWorkshop(playing(() => [write(`${root}/src/cart.js`)]));
  root = addWorktree(it, 'cart');
  using folder = createTempFolder();
  const plugin = join(folder.path, 'copied plugin');
  cpSync(PLUGIN, plugin, { recursive: true });
  const args = ['--plugin-dir', plugin, '--permission-mode', 'acceptEdits'];
  const env = { PATH: `${join(process.execPath, '..')}:/usr/bin:/bin` };
  await runPluginSession(it, { prompt: 'Go.', cwd: root, args, env });
  expect(answersOf(it.model, 'Go.')[0]).toContain('SAGA is not installed. In a clone of it, type');
  expect(existsSync(join(root, 'src/cart.js'))).toBe(false);
});

test('in the main checkout nothing is hindered, and nothing is said', async () => {
  let root = '';
  await using it = await createWorkshop(
    playing(() => [write(`${root}/.saga/stories/other/story.json`), write(`${root}/a.txt`)]),
  );
  root = it.root;
  it.story('other');
  const run = await runPluginSession(it, { prompt: 'Go.', args: ALLOW });
  expect(run.code).toBe(0);
  expect(existsSync(join(root, 'a.txt'))).toBe(true);
  expect(run.result?.permission_denials).toEqual([]);
});

test('a status that a person sets in a session reaches the story', async () => {
  const update = (taskId: string, status: string) => ({
    calls: [{ tool: 'TaskUpdate', input: { taskId, status } }],
  });
  await using it = await createWorkshop(
    playing(() => [
      update('one', 'in_progress'),
      { calls: [{ tool: 'TaskUpdate', input: { taskId: 'one', status: 'deleted' } }] },
      update('one', 'completed'),
    ]),
  );
  const root = addWorktree(it, 'cart');
  const { listId } = hydrate({ config: `${it.home}/.claude` }, loadStory(it.paths, 'cart'), 1);
  const env = {
    CLAUDE_CODE_TASK_LIST_ID: listId,
    CLAUDE_CODE_ENABLE_TASKS: 'true',
    CLAUDE_CODE_ENABLE_TODO_TOOLS: '1',
    ENABLE_TOOL_SEARCH: 'false',
  };
  await runPluginSession(it, { prompt: 'Go.', cwd: root, args: ALLOW, env });
  expect(answersOf(it.model, 'Go.')[1]).toContain('cannot be deleted');
  expect(JSON.parse(it.readStory('cart', 'one.json'))).toMatchObject({ status: 'completed' });
  const main = readFileSync(join(it.root, '.saga/stories/cart/one.json'), 'utf8');
  expect(JSON.parse(main)).toMatchObject({ status: 'pending' });
});

test('a session is told where it is, and Bash has the variables', async () => {
  await using it = await createWorkshop(
    playing(() => [{ calls: [{ tool: 'Bash', input: { command: 'env | grep ^SAGA_ | sort' } }] }]),
  );
  const root = addWorktree(it, 'cart');
  const args = [...ALLOW, '--allowedTools', 'Bash'];
  await runPluginSession(it, { prompt: 'Go.', cwd: root, args });
  const variables = answersOf(it.model, 'Go.')[0] ?? '';
  // The rig sets these two for every program.
  const given = /^SAGA_(SESSION_DIR|TRUST)=/;
  expect(variables.split('\n').filter((line) => !given.test(line))).toEqual([
    `SAGA_PLUGIN_ROOT=${PLUGIN}`,
    `SAGA_PROJECT_DIR=${it.root}`,
    'SAGA_STORY_ID=cart',
    'SAGA_TASK_CONTEXT=story-worktree',
  ]);
  const shown = JSON.stringify(it.model.requests.at(-1)?.body);
  expect(shown).toContain('this is the worktree of story cart');
});

const hook = (name: string, input: string, cwd: string, env: Record<string, string> = {}) =>
  runCommand('/bin/sh', [join(PLUGIN, 'hooks', name)], {
    cwd,
    input,
    env: { PATH: `${join(process.execPath, '..')}:/usr/bin:/bin`, ...env },
  });

test('hooks stand a missing .saga, malformed and huge input, and a missing node', async () => {
  using folder = createTempFolder();
  const quiet = { code: 0, stdout: '', stderr: '' };
  for (const name of ['session-init.sh', 'scope-check.sh', 'sync-status.sh']) {
    expect(await hook(name, 'garbage', folder.path)).toEqual(quiet);
    expect(await hook(name, '{}', folder.path, { PATH: '/nowhere' })).toEqual(quiet);
  }
  const worktree = join(folder.path, '.saga/worktrees/cart');
  mkdirSync(worktree, { recursive: true });
  writeFileSync(join(worktree, '.git'), 'gitdir: elsewhere\n');
  const denied = expect.stringContaining('"permissionDecision":"deny"');
  expect(await hook('scope-check.sh', 'garbage', worktree)).toMatchObject({ stdout: denied });
  expect(await hook('scope-check.sh', '[]', worktree)).toMatchObject({ stdout: denied });
  expect(await hook('scope-check.sh', '{}', worktree, { PATH: '/nowhere' })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('node is not on PATH'),
  });
  const content = 'x'.repeat(30_000_000);
  const huge = { cwd: worktree, tool_name: 'Write', tool_input: { file_path: 'a', content } };
  expect(await hook('scope-check.sh', JSON.stringify(huge), worktree)).toEqual(quiet);
  expect(await hook('sync-status.sh', 'garbage', worktree)).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('SAGA did not sync the status'),
  });
  expect(await hook('sync-status.sh', '{}', worktree, { PATH: '/nowhere' })).toMatchObject({
    code: 0,
  });
});
