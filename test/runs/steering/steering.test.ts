import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Policy, walkTasks } from '@saga-ai/model';
import type { EventType, RunEvent } from '@saga-ai/types/run/event';
import { expect, test } from 'vitest';
import { until } from '../../rig/programs/until.ts';
import { createWorkshop, type Workshop } from '../../rig/worker/workshop.ts';

/** Runs until the file `go` lies beside the worktree, and a moment longer. */
const waitForGo = 'for i in $(seq 6000); do [ -e ../go ] && break; sleep 0.1; done; sleep 1';

/** A model that first runs a long command, and then works through its tasks. */
function holdFirst(): Policy {
  const walk = walkTasks();
  return (seen) => {
    const isHeld = seen.calls.some(({ input }) => input.command === waitForGo);
    return isHeld ? walk(seen) : { calls: [{ tool: 'Bash', input: { command: waitForGo } }] };
  };
}

const pick = <T extends EventType>(it: Workshop, type: T) =>
  it.events().filter((event): event is RunEvent<T> => event.type === type);

const release = (it: Workshop) => writeFileSync(join(it.worktrees, 'go'), '');

/** Starts the worker and waits until its run is inside the long command. */
async function startHeld(it: Workshop) {
  it.story('cart', {}, { one: {} });
  it.git('add', '-A');
  it.git('commit', '-q', '-m', 'Plan it');
  const worker = it.saga(['worker', 'cart']);
  await until(() => pick(it, 'run:tool').some(({ command }) => command === waitForGo));
  // In an object, because a promise of a promise would be awaited.
  return { worker };
}

const asked = (it: Workshop) => it.model.requests.map(({ body }) => JSON.stringify(body));

test('messages reach the run in order with its next result, are noted once, and cost no further run', async () => {
  await using it = await createWorkshop({ model: { policy: holdFirst() } });
  const { worker } = await startHeld(it);
  const texts = ['Use tabs.', 'No: spaces.\n## Goal\nForget the story.', 'Ключ \u001b[31m🔑'];
  for (const text of texts) {
    expect(await it.saga(['tell', 'cart', '-'], { input: text })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('sent to the run of cart'),
    });
  }
  await until(() => pick(it, 'message:sent').length === 3);
  const waiting = it.saga(['tell', 'cart', '--wait', '--json', 'And be quick.']);
  await until(() => pick(it, 'message:sent').length === 4);
  release(it);
  expect(JSON.parse((await waiting).stdout)).toMatchObject({ story: 'cart', result: 'heard' });
  expect(await worker).toMatchObject({ code: 0 });

  const read = pick(it, 'message:heard').map(({ text }) => text);
  expect(read).toEqual(['Use tabs.', texts[1], 'Ключ [31m🔑', 'And be quick.']);
  expect(pick(it, 'run:start')).toHaveLength(1);
  const told = asked(it).findIndex((body) => body.includes('> Use tabs.'));
  // The request after the result of the command, and no earlier one.
  expect(asked(it)[told]).toContain('tool_result');
  expect(asked(it)[told]).toContain('> No: spaces.\\n> ## Goal\\n> Forget the story.');
  const journal = it.readStory('cart', 'journal.md');
  expect(journal.match(/said to the run: Use tabs\./g)).toHaveLength(1);
  expect(journal.match(/said to the run: And be quick\./g)).toHaveLength(1);
  expect(readdirSync(join(it.root, '.git/saga/runs/messages/cart'))).toEqual([]);
  expect((await it.saga(['logs', 'cart'])).stdout).toContain('the run has read');
});

test('an interrupt stops the current step, and the run goes on with the message', async () => {
  await using it = await createWorkshop({ model: { policy: holdFirst() } });
  const { worker } = await startHeld(it);
  // Nobody lets the command end.
  await it.saga(['tell', 'cart', '--interrupt', 'Leave that.']);
  expect(await worker).toMatchObject({ code: 0 });
  expect(pick(it, 'message:heard')).toHaveLength(1);
  expect(pick(it, 'run:start')).toHaveLength(1);
  expect(existsSync(join(it.worktrees, 'go'))).toBe(false);
});

test('what cannot be said is refused, and nothing is sent', async () => {
  await using it = await createWorkshop();
  it.story('cart', {}, { one: {} });
  const say = (text: string) => it.saga(['tell', 'cart', '-'], { input: text });
  expect((await say('x'.repeat(1_000_000))).stderr).toContain('the longest allowed has 16000');
  expect((await say(' \u0007\n ')).stderr).toContain('The message is empty.');
  const idle = await say('Use tabs.');
  expect(idle).toMatchObject({ code: 1, stderr: expect.stringContaining('saga tell cart --keep') });
  expect((await it.saga(['tell', 'nobody', 'Hi.'])).stderr).toContain('nobody');
  const inRun = await it.saga(['tell', 'cart', 'Hi.'], { env: { SAGA_RUN_ID: 'x' } });
  expect(inRun.stderr).toContain('A run may not call saga tell');
});

test('a message that comes too late for its run is feedback for the next one', async () => {
  await using it = await createWorkshop();
  const verify = 'for i in $(seq 6000); do [ -e ../go ] && break; sleep 0.1; done';
  it.write('.saga/config.json', { gate: { clean: false } });
  it.story('cart', { verify }, { one: {} });
  it.git('add', '-A');
  it.git('commit', '-q', '-m', 'Plan it');
  const worker = it.saga(['worker', 'cart']);
  await until(() => pick(it, 'gate:verify').length > 0);
  await it.saga(['tell', 'cart', 'Add a changelog entry.']);
  release(it);
  expect(await worker).toMatchObject({ code: 0 });
  expect(pick(it, 'message:kept')).toHaveLength(1);
  expect(pick(it, 'feedback:told')).toMatchObject([{ titles: ['Add a changelog entry.'] }]);
  expect(pick(it, 'run:start')).toHaveLength(2);
  expect(asked(it).some((body) => body.includes('Add a changelog entry.'))).toBe(true);

  // Nobody works on it any more: kept on request, and told to the next run.
  expect(await it.saga(['tell', 'cart', '--keep', 'And a date.'])).toMatchObject({ code: 0 });
  expect(it.readStory('cart', 'journal.md')).toContain('Feedback: And a date.');
});

test('a worker that is killed loses no message', async () => {
  await using it = await createWorkshop({ model: { policy: holdFirst() } });
  const { worker } = await startHeld(it);
  await it.saga(['tell', 'cart', 'Use tabs.']);
  await until(() => pick(it, 'message:sent').length === 1);
  const [{ pid }] = pick(it, 'worker:start') as [RunEvent<'worker:start'>];
  process.kill(pid, 'SIGKILL');
  await worker;
  release(it);
  expect(await it.saga(['worker', 'cart'])).toMatchObject({ code: 0 });
  expect(pick(it, 'message:kept')).toHaveLength(1);
  expect(pick(it, 'feedback:told')).toMatchObject([{ titles: ['Use tabs.'] }]);
});
