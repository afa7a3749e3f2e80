import { type Conversation, type Policy, type Turn, walkTasks } from '@saga-ai/model';
import type { EventType, RunEvent } from '@saga-ai/types/run/event';
import { expect, test } from 'vitest';
import { until } from '../../rig/programs/until.ts';
import { createWorkshop, type Workshop } from '../../rig/worker/workshop.ts';

const pick = <T extends EventType>(it: Workshop, type: T) =>
  it.events().filter((event): event is RunEvent<T> => event.type === type);

const rolesOf = (it: Workshop) =>
  pick(it, 'run:start').map(({ role, taskId }) => (role ? `${role} ${taskId}` : 'all'));

const bash = (command: string): Turn => ({ calls: [{ tool: 'Bash', input: { command } }] });
const update = (taskId: string, status: string): Turn => ({
  calls: [{ tool: 'TaskUpdate', input: { taskId, status } }],
});

/** Says the turns one after the other. */
const play = ({ callsSincePrompt }: Conversation, turns: readonly Turn[]): Turn =>
  turns[callsSincePrompt.length] ?? { text: 'Done.' };

/** Each test names a file that must be there. */
const VERIFY =
  'for it in test/*.test.txt; do [ ! -e "$it" ] || [ -e "$(cat $it)" ] || exit 1; done';

const writeTest = (file: string) =>
  bash(`mkdir -p test; echo ${file} > test/a.test.txt; git add -A; git commit -qm 'a: tests'`);

test('in mode story a task with tests gets its own runs, and the others share one', async () => {
  await using it = await createWorkshop();
  it.story('cart', {}, { a: { needsTests: true }, b: {}, c: {} });
  expect(await it.saga(['worker', 'cart'])).toMatchObject({ code: 0 });
  expect(rolesOf(it)).toEqual(['all', 'tests a', 'work a']);
  expect(pick(it, 'tests:accepted')).toMatchObject([{ task: 'a' }]);
  const [shared = ''] = it.model.requests.map(({ conversation }) => conversation.prompt);
  expect(shared).toContain('Leave these tasks alone');
});

test('tests that pass at once are refused, and a run that changes its tests or completes other tasks gains nothing', async () => {
  const walk = walkTasks();
  let tries = 0;
  const policy: Policy = (seen) => {
    if (seen.prompt.includes('Write the tests for a')) {
      if (seen.callsSincePrompt.length === 0) tries += 1;
      return play(seen, [writeTest(tries === 1 ? 'README.md' : 'src/a.js')]);
    }
    if (seen.prompt.includes('What the checks found')) {
      // It cheats again, and also does the work.
      const work = 'mkdir -p src; echo 1 > src/a.js; rm test/a.test.txt; git add -A';
      return play(seen, [bash(`${work}; git commit -qm a`)]);
    }
    if (!seen.prompt.includes('one task only: a')) return walk(seen);
    const file_path = `${seen.cwd}/test/a.test.txt`;
    return play(seen, [
      update('a', 'in_progress'),
      { calls: [{ tool: 'Write', input: { file_path, content: 'README.md\n' } }] },
      bash(
        "echo README.md > test/a.test.txt; echo 2 > x.txt; git add -A; git commit -qm 'a: done'",
      ),
      update('a', 'completed'),
      update('b', 'completed'),
    ]);
  };
  await using it = await createWorkshop({ model: { policy } });
  it.story('cart', { verify: VERIFY }, { a: { needsTests: true }, b: { blockedBy: ['a'] } });
  expect(await it.saga(['worker', 'cart'])).toMatchObject({ code: 0 });
  expect(rolesOf(it).slice(0, 4)).toEqual(['tests a', 'tests a', 'work a', 'all']);
  expect(pick(it, 'tests:refused')).toMatchObject([
    { task: 'a', reason: expect.stringContaining('they pass before the work is done') },
  ]);
  expect(pick(it, 'guard:denied')).toMatchObject([{ tool: 'Write' }]);
  const kept = { files: ['test/a.test.txt'] };
  expect(pick(it, 'tests:kept')).toMatchObject([kept, kept]);
  expect(pick(it, 'sync:ignored')).toMatchObject([{ task: 'b', why: 'not-its-task' }]);
  // The cheat was found by the gate, and then the work was done.
  expect(pick(it, 'gate:failed')).toHaveLength(1);
  expect(it.git('show', 'story/cart:test/a.test.txt')).toBe('src/a.js\n');
  expect(it.pushedStatuses('cart')).toEqual({ a: 'completed', b: 'completed' });
});

test('after a restart git knows which tests are written', async () => {
  const walk = walkTasks();
  let isHeld = true;
  const policy: Policy = (seen) =>
    isHeld && seen.prompt.includes('one task only: a') ? { fault: { kind: 'hang' } } : walk(seen);
  await using it = await createWorkshop({ model: { policy } });
  it.story('cart', {}, { a: { needsTests: true } });
  const worker = it.saga(['worker', 'cart']);
  await until(() => rolesOf(it).includes('work a'));
  const [{ pid }] = pick(it, 'worker:start') as [RunEvent<'worker:start'>];
  process.kill(pid, 'SIGKILL');
  await worker;
  isHeld = false;
  expect(await it.saga(['worker', 'cart'])).toMatchObject({ code: 0 });
  expect(rolesOf(it)).toEqual(['work a']);
  expect(JSON.parse(it.readStory('cart', 'a.json'))).not.toHaveProperty('attempts');
});

test('a task that waits for a person holds up only what depends on it', async () => {
  const walk = walkTasks();
  const policy: Policy = (seen) => {
    const last = seen.callsSincePrompt.at(-1);
    const isStuck = last?.tool === 'TaskUpdate' && last.input.taskId === 'a';
    return isStuck ? { text: 'I give up.' } : walk(seen);
  };
  await using it = await createWorkshop({ model: { policy } });
  it.write('.saga/config.json', { worker: { maxAttempts: 1, resplit: false, mode: 'task' } });
  it.story('cart', {}, { a: {}, b: { blockedBy: ['a'] }, c: {} });
  expect(await it.saga(['worker', 'cart'])).toMatchObject({ code: 3 });
  expect(pick(it, 'task:escalated')).toMatchObject([{ task: 'a' }]);
  expect(it.pushedStatuses('cart')).toEqual({ a: 'pending', b: 'pending', c: 'completed' });
});

test('a run for one task changes only what the task names, by its tools and by its shell', async () => {
  const policy: Policy = (seen) => {
    const task = seen.prompt.includes('one task only: b') ? 'b' : 'a';
    const file_path = `${seen.cwd}/b/by-tool.txt`;
    return play(seen, [
      update(task, 'in_progress'),
      { calls: [{ tool: 'Write', input: { file_path, content: `${task}\n` } }] },
      bash(
        `mkdir -p a b; echo ${task} > a/x.txt; echo ${task} > b/y.txt; git add -A; git commit -qm ${task}`,
      ),
      update(task, 'completed'),
    ]);
  };
  await using it = await createWorkshop({ model: { policy } });
  it.write('.saga/config.json', { worker: { mode: 'task' } });
  it.story('cart', {}, { a: { writeFiles: ['a/**'] }, b: { blockedBy: ['a'] } });
  expect(await it.saga(['worker', 'cart'])).toMatchObject({ code: 0 });
  expect(rolesOf(it)).toEqual(['work a', 'work b']);
  // The tool is refused, the shell is undone. Task b names nothing, so it may write anything.
  expect(pick(it, 'guard:denied')).toMatchObject([
    { path: expect.stringContaining('by-tool.txt') },
  ]);
  expect(pick(it, 'task:restored')).toMatchObject([{ files: ['b/y.txt'] }]);
  const show = (path: string) => it.git('show', `story/cart:${path}`).trim();
  expect([show('a/x.txt'), show('b/y.txt'), show('b/by-tool.txt')]).toEqual(['b', 'b', 'b']);
  expect(it.git('log', '--format=%s', 'story/cart')).toContain('put back files of other tasks');
  const [first = ''] = it.model.requests.map(({ conversation }) => conversation.prompt);
  expect(first).toContain('changes only files that match: a/**');
  expect(it.readStory('cart', 'journal.md')).toContain('its writeFiles do not name');
});
