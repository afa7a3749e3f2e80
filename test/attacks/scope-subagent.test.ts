import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Policy, walkTasks } from '@saga-ai/model';
import { expect, test } from 'vitest';
import { createWorkshop } from '../rig/worker/workshop.ts';

test('what a subagent writes is guarded like the rest', async () => {
  const walk = walkTasks();
  const order = 'Write the file outside.';
  /** The run asks a subagent; that one tries twice and tells. */
  const delegate: Policy = (conversation) => {
    const { prompt, calls, cwd } = conversation;
    if (prompt.includes(order)) {
      const path = [`${cwd}/../sub.txt`, `${cwd}/sub.txt`][calls.length];
      if (path === undefined) return { text: 'I tried.' };
      return { calls: [{ tool: 'Write', input: { file_path: path, content: 'by a subagent' } }] };
    }
    if (calls.length > 0) return walk(conversation);
    const input = {
      description: 'Write it',
      prompt: order,
      subagent_type: 'general-purpose',
      run_in_background: false,
    };
    return { calls: [{ tool: 'Agent', input }] };
  };
  await using it = await createWorkshop({ model: { policy: delegate } });
  it.write('.saga/config.json', { worker: { tools: ['Agent'] } });
  it.story('cart', {}, { one: {} });
  const ended = await it.saga(['worker', 'cart']);
  expect(ended.code).toBe(0);

  const worktree = join(it.root, '../project.stories/cart');
  expect(existsSync(join(worktree, '../sub.txt'))).toBe(false);
  expect(existsSync(join(worktree, 'sub.txt'))).toBe(true);
  const denied = it.events().filter(({ type }) => type === 'guard:denied');
  expect(denied).toMatchObject([{ tool: 'Write', reason: expect.stringContaining('outside') }]);
  const told = it.model.requests
    .filter(({ conversation }) => conversation.prompt.includes(order))
    .flatMap(({ conversation }) => conversation.calls.map((call) => call.result?.text));
  expect(told[0]).toContain("outside this story's worktree");
});
