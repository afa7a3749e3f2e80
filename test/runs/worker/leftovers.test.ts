import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Policy, walkTasks } from '@saga-ai/model';
import { expect, test } from 'vitest';
import { bash } from '../../rig/worker/misbehave.ts';
import { createWorkshop } from '../../rig/worker/workshop.ts';

test('what a run leaves uncommitted never reaches the remote unasked; the next run is told of it and of all before', async () => {
  const walk = walkTasks();
  const prompts: string[] = [];
  let findList = () => '';
  /** The first run leaves a secret. The second finds it, but its task list vanishes. The third works. */
  const policy: Policy = (seen) => {
    if (seen.isSideQuestion) return walk(seen);
    if (seen.calls.length === 0) prompts.push(seen.prompt);
    const nth = prompts.length;
    if (nth > 2) return walk(seen);
    if (seen.calls.length > 0) return { text: 'I stop here.' };
    if (nth === 2) rmSync(findList(), { recursive: true });
    const leave =
      'echo a > a.txt && git add a.txt && git commit -qm "Add a" && echo key > secret.env';
    return { calls: [bash(nth === 1 ? leave : 'rm secret.env')] };
  };
  await using it = await createWorkshop({ model: { policy } });
  it.story('cart', {}, { one: { attempts: 1, lastOutcome: 'failed' } });
  const worktree = join(it.worktrees, 'cart');
  const journal = () => it.readStory('cart', 'journal.md');
  const hydrated = () => it.events().filter((event) => event.type === 'hydrate:done');

  const first = await it.saga(['worker', 'cart', '--max-cycles', '1']);
  expect(first).toMatchObject({ code: 2, stdout: expect.stringContaining('on this machine only') });
  expect(it.git('-C', worktree, 'log', '-1', '--format=%s').trim()).toBe(
    'wip: cart, left uncommitted by a run',
  );
  expect(journal()).toMatch(/ Note: SAGA: work began on story\/cart$/m);
  expect(journal()).toMatch(/ Note: SAGA: stopped by a limit: not done after 1 cycle$/m);
  expect(prompts[0]).not.toContain('## Done by earlier runs');

  findList = () => join(it.home, '.claude/tasks', hydrated().at(-1)?.list ?? '');
  expect(await it.saga(['worker', 'cart'])).toMatchObject({ code: 0 });
  expect(prompts).toHaveLength(3);
  expect(prompts[1]).toMatch(/^## Done by earlier runs\n.*\n- \w+ Add a$/m);
  expect(prompts[1]).toContain('- one: 1 attempt, the last one: failed');
  expect(prompts[1]).toMatch(/^## Left by an earlier run\n.*\n- secret\.env$/m);
  expect(hydrated().map((event) => event.tasks)).toEqual([1, 1]);
  expect(it.git('-C', it.origin, 'log', '--all', '--format=%h', '--', 'secret.env')).toBe('');
  expect(it.git('-C', it.origin, 'log', '--all', '--format=%s')).not.toContain('wip:');
  expect(journal()).toContain('SAGA: stopped by a limit');
});

test('a worktree that is removed under a run ends it at once, and the main checkout is not touched', async () => {
  const walk = walkTasks();
  let worktree = '';
  const policy: Policy = (seen) => {
    if (seen.calls.some(({ tool }) => tool === 'TaskUpdate')) {
      // In one step: a file that the worker writes at this moment cannot get in the way.
      renameSync(worktree, `${worktree}.gone`);
      return { fault: { kind: 'hang' } };
    }
    return walk(seen);
  };
  await using it = await createWorkshop({ model: { policy } });
  it.story('cart', {}, { one: {} });
  it.git('add', '-A');
  it.git('commit', '-qm', 'Plan');
  it.git('push', '-q', 'origin', 'main');
  worktree = join(it.worktrees, 'cart');
  const { code, stderr } = await it.saga(['worker', 'cart']);
  expect(code).toBe(1);
  expect(stderr).toContain(`The worktree ${worktree} is gone`);
  expect(stderr).toContain('[worktree-gone]');
  expect(stderr).toContain('saga run cart');
  expect(it.git('status', '--porcelain')).toBe('');
  expect(it.events()).toContainEqual(
    expect.objectContaining({ type: 'run:stopping', cause: 'worktree-gone' }),
  );
  expect(existsSync(worktree)).toBe(false);
});
