import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Turn, walkTasks } from '@saga-ai/model';
import { expect, test } from 'vitest';
import { createWorkshop } from '../../rig/worker/workshop.ts';

test('with a run for each task, every run is told of one and starts afresh', async () => {
  await using it = await createWorkshop();
  it.write('.saga/config.json', { worker: { mode: 'task', maxCycles: 1 } });
  it.story('cart', {}, { b: { blockedBy: ['a'] }, a: {}, c: { blockedBy: ['b'] } });
  const { code, stdout } = await it.saga(['worker', 'cart']);
  expect(code).toBe(0);
  expect(stdout).toContain('3 runs');
  const runs = it.events().filter((event) => event.type === 'run:start');
  expect(runs.map((event) => [event.cycle, event.taskId])).toEqual([
    [1, 'a'],
    [2, 'b'],
    [3, 'c'],
  ]);
  const prompts = new Set(it.model.requests.map(({ conversation }) => conversation.prompt));
  const told = [...prompts].flatMap((prompt) => /one task only: (\w+)/.exec(prompt)?.[1] ?? []);
  expect(told).toEqual(['a', 'b', 'c']);
});

test('tests are written first, by a run that can write nothing else', async () => {
  await using it = await createWorkshop();
  it.write('.saga/config.json', { worker: { mode: 'task' } });
  it.story('cart', {}, { a: { needsTests: true } });
  expect(await it.saga(['worker', 'cart'])).toMatchObject({ code: 0 });
  const runs = it.events().filter((event) => event.type === 'run:start');
  expect(runs.map((event) => event.role)).toEqual(['tests', 'work']);
  const commits = it.git('log', '--reverse', '--format=%s', 'main..story/cart').split('\n');
  expect(commits.filter((subject) => subject.startsWith('a:'))).toEqual(['a: tests', 'a: Do a']);
});

test('what a run for tests writes beside them is denied, or put back when a shell did it', async () => {
  const walk = walkTasks();
  const turns = (root: string): Turn[] => [
    { calls: [{ tool: 'Write', input: { file_path: `${root}/src/a.js`, content: 'x' } }] },
    { calls: [{ tool: 'Write', input: { file_path: `${root}/test/a.test.js`, content: 'x' } }] },
    { calls: [{ tool: 'Bash', input: { command: 'echo y > b.js; echo z >> README.md' } }] },
    { calls: [{ tool: 'Bash', input: { command: 'git add -A && git commit -qm "a: tests"' } }] },
  ];
  await using it = await createWorkshop({
    model: {
      policy: (seen) => {
        if (!seen.prompt.includes('Write the tests for')) return walk(seen);
        return turns(seen.cwd ?? '')[seen.callsSincePrompt.length] ?? { text: 'Done.' };
      },
    },
  });
  it.write('.saga/config.json', { worker: { mode: 'task' } });
  it.story('cart', {}, { a: { needsTests: true } });
  expect(await it.saga(['worker', 'cart'])).toMatchObject({ code: 0 });
  const worktree = join(it.root, '../project.stories/cart');
  expect(existsSync(join(worktree, 'test/a.test.js'))).toBe(true);
  for (const path of ['src/a.js', 'b.js']) expect(existsSync(join(worktree, path))).toBe(false);
  expect(it.git('diff', '--name-only', 'main', 'story/cart', '--', 'README.md')).toBe('');
  const put = it.events().filter((event) => event.type === 'tests:restored');
  expect(put.map((event) => event.files)).toEqual([['README.md', 'b.js']]);
});
