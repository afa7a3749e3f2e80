import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Policy, walkTasks } from '@saga-ai/model';
import type { EventType, RunEvent } from '@saga-ai/types/run/event';
import { expect, test } from 'vitest';
import { createWorkshop, type Workshop } from '../../rig/worker/workshop.ts';

const pick = <T extends EventType>(it: Workshop, type: T) =>
  it.events().filter((event): event is RunEvent<T> => event.type === type);

const part = (id: string, blockedBy: string[] = []) => ({
  id,
  subject: `Build ${id}`,
  description: `Everything about ${id}.`,
  doneWhen: `${id} works.`,
  blockedBy,
  files: 1,
  lines: 20,
});

/** Takes the task `big` and gives up; as Shaper it answers; everything else it does as usual. */
function giveUp(answer: object, tried: string[] = []): Policy {
  const walk = walkTasks();
  return (seen) => {
    if (seen.prompt.includes('You are the Shaper')) {
      tried.push(seen.tools.join(','));
      return seen.callsSincePrompt.length > 0
        ? { text: 'Done.' }
        : { calls: [{ tool: 'StructuredOutput', input: { ...answer } }] };
    }
    const last = seen.callsSincePrompt.at(-1);
    const isBig = last?.tool === 'TaskUpdate' && last.input.taskId === 'big';
    return isBig && last.input.status === 'in_progress' ? { text: 'I give up.' } : walk(seen);
  };
}

async function openWorkshop(policy: Policy): Promise<Workshop> {
  const it = await createWorkshop({ model: { policy } });
  it.story('cart', {}, { big: {}, docs: { blockedBy: ['big'] } });
  it.git('add', '-A');
  it.git('commit', '-q', '-m', 'Plan it');
  return it;
}

const readTask = (it: Workshop, id: string) => JSON.parse(it.readStory('cart', `${id}.json`));

test('a task that was tried twice is split, its parts take its place, and the story gets done', async () => {
  const tools: string[] = [];
  const answer = { tasks: [part('read'), part('write', ['read'])] };
  await using it = await openWorkshop(giveUp(answer, tools));
  const ended = await it.saga(['worker', 'cart']);
  expect(ended).toMatchObject({ code: 0 });
  expect(pick(it, 'task:split')).toMatchObject([
    { task: 'big', into: ['read', 'write'], why: 'tried' },
  ]);
  // The Shaper may only look.
  expect([...new Set(tools[0]?.split(','))].toSorted()).toEqual([
    'Glob',
    'Grep',
    'Read',
    'StructuredOutput',
  ]);
  expect(pick(it, 'run:start').map(({ role }) => role)).toEqual([
    undefined,
    undefined,
    'split',
    undefined,
  ]);
  expect(it.pushedStatuses('cart')).toEqual({
    docs: 'completed',
    read: 'completed',
    write: 'completed',
  });
  expect(readTask(it, 'docs').blockedBy).toEqual(['write']);
  expect(readTask(it, 'read')).toMatchObject({ splitFrom: 'big', blockedBy: [] });
  expect(it.readStory('cart', 'journal.md')).toContain('split big into read, write');
  const subjects = it.git('log', '--format=%s', 'main..story/cart');
  expect(subjects).toContain('saga: cart big split into read, write');
  expect(existsSync(join(it.root, '.git/saga/runs/splits/cart.json'))).toBe(false);
  expect((await it.saga(['list'])).stdout).not.toContain('saga update');
  expect((await it.saga(['check'])).code).toBe(0);
});

test.each<[string, object]>([
  ['nonsense', { nothing: true }],
  ['a circle', { tasks: [part('a', ['b']), part('b', ['a'])] }],
  ['a task that is as large as before', { tasks: [part('a'), { ...part('b'), lines: 900 }] }],
])('an answer with %s changes nothing, and the task waits for a person', async (_, answer) => {
  await using it = await openWorkshop(giveUp(answer));
  expect(await it.saga(['worker', 'cart'])).toMatchObject({ code: 3 });
  expect(pick(it, 'task:split')).toEqual([]);
  expect(pick(it, 'task:not-split')).toHaveLength(1);
  expect(pick(it, 'task:escalated')).toMatchObject([{ task: 'big', attempts: 2 }]);
  expect(Object.keys(it.pushedStatuses('cart')).toSorted()).toEqual(['big', 'docs']);
  expect(readTask(it, 'big')).toMatchObject({ status: 'pending', escalated: true });
});

test('switched off, nobody is asked', async () => {
  await using it = await openWorkshop(giveUp({ tasks: [] }));
  it.write('.saga/config.json', { worker: { resplit: false } });
  expect(await it.saga(['worker', 'cart'])).toMatchObject({ code: 3 });
  expect(pick(it, 'task:not-split')).toEqual([]);
  expect(pick(it, 'task:escalated')).toMatchObject([{ task: 'big', attempts: 3 }]);
});

test('a task for which a run changed too much without completing it is split at once', async () => {
  const giveUpLater = giveUp({ tasks: [part('read'), part('write', ['read'])] });
  const command =
    'for i in 1 2 3 4 5 6; do echo $i > f$i.txt; done; git add -A; git commit -qm much';
  const policy: Policy = (seen) => {
    const turn = giveUpLater(seen);
    const isGivenUp = 'text' in turn && (turn as { text?: string }).text === 'I give up.';
    return isGivenUp ? { calls: [{ tool: 'Bash', input: { command } }] } : stopAfter(seen, turn);
  };
  const stopAfter: (...given: [Parameters<Policy>[0], ReturnType<Policy>]) => ReturnType<Policy> = (
    seen,
    turn,
  ) => (seen.callsSincePrompt.at(-1)?.input.command === command ? { text: 'Too much.' } : turn);
  await using it = await openWorkshop(policy);
  expect(await it.saga(['worker', 'cart'])).toMatchObject({ code: 0 });
  expect(pick(it, 'task:split')).toMatchObject([{ task: 'big', why: 'grown' }]);
});

test('a split that a killed worker began to write is completed by the next one', async () => {
  await using it = await openWorkshop(giveUp({}));
  expect(await it.saga(['worker', 'cart', '--max-cycles', '1'])).toMatchObject({ code: 2 });
  const home = join(it.worktrees, 'cart/.saga/stories/cart');
  const { files: _, lines: __, ...read } = part('read');
  const notes = join(it.root, '.git/saga/runs/splits');
  const files = {
    'read.json': `${JSON.stringify({ ...read, status: 'pending', splitFrom: 'big' })}\n`,
    'docs.json': `${JSON.stringify({ ...readTask(it, 'docs'), blockedBy: ['read'] })}\n`,
    'big.json': null,
  };
  // Killed after the first file.
  mkdirSync(notes, { recursive: true });
  writeFileSync(join(notes, 'cart.json'), JSON.stringify({ folder: home, files }));
  writeFileSync(join(home, 'read.json'), files['read.json']);
  expect(await it.saga(['worker', 'cart'])).toMatchObject({ code: 0 });
  expect(it.pushedStatuses('cart')).toEqual({ docs: 'completed', read: 'completed' });
  expect(existsSync(join(notes, 'cart.json'))).toBe(false);
});
