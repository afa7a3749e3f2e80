import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runProgram } from '../../../../test/rig/programs/run-program.ts';
import { createProject, type Project } from '../../../../test/rig/project/project.ts';

/** A story with its worktree, as a person makes it by hand. */
function createBegun() {
  const it = createProject();
  it.story('cart', {}, { one: {}, two: {} });
  it.git('add', '-A');
  it.git('commit', '-qm', 'Plan');
  const worktree = join(it.worktrees, 'cart');
  it.git('worktree', 'add', '-q', '-b', 'story/cart', worktree);
  return { ...it, worktree };
}

const run = (it: Project, script: string, cwd: string, input: string) =>
  runProgram(join(import.meta.dirname, script), [], { cwd, env: it.env, input });

const update = (cwd: string, taskId: string, status: string) =>
  JSON.stringify({
    ...{ hook_event_name: 'PostToolUse', tool_name: 'TaskUpdate', cwd },
    tool_input: { taskId, status },
    tool_response: {
      ...{ success: true, taskId, updatedFields: ['status'] },
      statusChange: { from: 'pending', to: status },
    },
  });

test('a status set in a session is written into the worktree’s story, and told once', async () => {
  using it = createBegun();
  const sync = (taskId: string, status: string, cwd = it.worktree) =>
    run(it, 'sync-hook.ts', cwd, update(cwd, taskId, status));
  const status = (id: string) =>
    JSON.parse(it.gitIn(it.worktree, 'show', `:.saga/stories/cart/${id}.json`)).status;
  expect(await sync('one', 'completed')).toEqual({
    code: 0,
    stdout: '{"systemMessage":"SAGA: cart/one is completed"}\n',
    stderr: '',
  });
  it.gitIn(it.worktree, 'add', '-A');
  expect([status('one'), status('two')]).toEqual(['completed', 'pending']);
  expect(await sync('one', 'completed')).toEqual({ code: 0, stdout: '', stderr: '' });
  expect((await sync('nine', 'completed')).stdout).toContain('nine is not a task of story cart');
  // In the main checkout nobody works on a story.
  expect(await sync('two', 'completed', it.root)).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(it.git('status', '--porcelain')).toBe('');
});

test('an input that is none is told, and hinders nobody', async () => {
  using it = createBegun();
  const { code, stdout, stderr } = await run(it, 'sync-hook.ts', it.worktree, 'not json');
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  expect(stderr).toContain('SAGA did not sync the status:');
});

test('a call that cannot be checked is denied; outside a story nothing is', async () => {
  using it = createBegun();
  const check = (cwd: string, input: string) => run(it, 'scope-validator.ts', cwd, input);
  const { code, stdout } = await check(it.worktree, 'not json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    hookSpecificOutput: {
      permissionDecision: 'deny',
      permissionDecisionReason: expect.stringContaining('SAGA could not check the call'),
    },
  });
  const write = (cwd: string, file_path: string) =>
    JSON.stringify({
      ...{ hook_event_name: 'PreToolUse', tool_name: 'Write', cwd },
      tool_input: { file_path, content: '' },
    });
  const other = join(it.root, '.saga/stories/cart/story.json');
  expect((await check(it.worktree, write(it.worktree, other))).stdout).toContain('"deny"');
  expect((await check(it.root, write(it.root, other))).stdout).toBe('');
});
