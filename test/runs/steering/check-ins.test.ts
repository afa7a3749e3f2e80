import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openProcessTable } from '@saga-ai/core/processes/table';
import { type Call, type Policy, type Turn, walkTasks } from '@saga-ai/model';
import type { EventType, RunEvent } from '@saga-ai/types/run/event';
import { expect, test } from 'vitest';
import { CHECK_IN, type Looks, openLooks } from '../../rig/faults/looks.ts';
import type { Ended } from '../../rig/programs/run-program.ts';
import { signalAll } from '../../rig/programs/signal-all.ts';
import { until } from '../../rig/programs/until.ts';
import { findSandboxRefusal } from '../../rig/worker/find-sandbox-refusal.ts';
import { createWorkshop, type Workshop } from '../../rig/worker/workshop.ts';

/** Plays one turn, once it has taken its task or before that, and then works as usual. */
function first(turn: Turn, when: 'before' | 'in task' = 'in task'): Policy {
  const walk = walkTasks();
  let wasPlayed = false;
  return (seen) => {
    const hasTask = seen.callsSincePrompt.some(({ tool }) => tool === 'TaskUpdate');
    if (wasPlayed || (when === 'in task' && !hasTask)) return walk(seen);
    wasPlayed = true;
    return turn;
  };
}

const command = (text: string): Turn => ({ calls: [{ tool: 'Bash', input: { command: text } }] });

const pick = <T extends EventType>(it: Workshop, type: T) =>
  it.events().filter((event): event is RunEvent<T> => event.type === type);

const has = (it: Workshop, type: EventType) => () => pick(it, type).length > 0;

/** A worker that looks at its run when the test says so. */
interface Worked extends AsyncDisposable {
  it: Workshop;
  looks: Looks;
  worker: Promise<Ended>;
}

async function startWorker(policy: Policy, sandbox = 'off'): Promise<Worked> {
  const it = await createWorkshop({ model: { policy } });
  it.write('.saga/config.json', { checkIn: CHECK_IN, worker: { resplit: false, sandbox } });
  it.story('cart', {}, { one: {} });
  it.git('add', '-A');
  it.git('commit', '-q', '-m', 'Plan it');
  const looks = openLooks();
  return {
    it,
    looks,
    worker: it.saga(['worker', 'cart'], looks.worker),
    async [Symbol.asyncDispose]() {
      looks[Symbol.dispose]();
      await it[Symbol.asyncDispose]();
    },
  };
}

/** The processes that carry the mark of a run. */
function findMarked(runId: string): number[] {
  return openProcessTable()
    .listCarriers('SAGA_RUN_ID')
    .filter(({ value }) => value === runId)
    .map(({ pid }) => pid);
}

const firstRun = (it: Workshop) => pick(it, 'run:start')[0]?.run ?? '';

const fileBeside = ({ worktrees }: Workshop, name: string) => join(worktrees, name);

/** A command that hangs, once it has said so with a file beside the worktree. */
const hanging = (text: string) => command(`touch ../hangs; ${text}`);
const untilHung = (it: Workshop) => until(() => existsSync(fileBeside(it, 'hangs')));
const SLEEP = 'bash -c "exec sleep infinity"';

/** What is known of all sessions, as text. */
function readRecords({ paths }: Workshop): string {
  const folder = join(paths.runs, 'sessions');
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('');
}

function expectStall(it: Workshop): void {
  const [started, again] = pick(it, 'run:start');
  expect(pick(it, 'run:silent')).toHaveLength(1);
  expect(pick(it, 'run:stopping')).toMatchObject([{ cause: 'stalled' }]);
  expect(pick(it, 'run:end')[0]).toMatchObject({ stoppedBy: 'stalled' });
  expect(findMarked(started?.run ?? '')).toEqual([]);
  // The next run is told, and does the work.
  expect(again).toBeDefined();
  const prompts = it.model.requests.map(({ conversation }) => conversation.prompt);
  expect(prompts.some((text) => text.includes('SAGA ended it: no sign of life for'))).toBe(true);
  expect(it.readStory('cart', 'journal.md')).toContain('ended a run: no sign of life for');
}

test.each<[string, string]>([
  ['a command that waits for ever', SLEEP],
  [
    'a question for a password',
    'd=$(mktemp -d); mkfifo $d/tty; exec 3<>$d/tty; echo "Password: "; read -r password <&3',
  ],
  [
    'two processes that wait for each other',
    'd=$(mktemp -d); mkfifo $d/a $d/b; (read -r x < $d/a; echo > $d/b) & (read -r x < $d/b; echo > $d/a) & wait',
  ],
])('hung: %s', async (_, text) => {
  await using site = await startWorker(first(hanging(text)));
  const { it, looks, worker } = site;
  await untilHung(it);
  await looks.lookUntil(has(it, 'run:silent'));
  expect(pick(it, 'run:silent')[0]?.call).toMatch(/^Bash /);
  expect(pick(it, 'run:stopping')).toEqual([]);
  await looks.lookUntil(has(it, 'run:stopping'));
  expect(await worker).toMatchObject({ code: 0 });
  expectStall(it);
  expect(JSON.parse(it.readStory('cart', 'one.json'))).toMatchObject({
    status: 'completed',
    attempts: 1,
    lastOutcome: 'completed',
  });
  expect(pick(it, 'task:status')).toContainEqual(
    expect.objectContaining({ task: 'one', to: 'pending' }),
  );
});

test('hung, although the client says every half minute that its tool still runs', async () => {
  await using site = await startWorker(first(hanging(SLEEP)));
  const { it, looks, worker } = site;
  await untilHung(it);
  await looks.lookUntil(has(it, 'run:silent'));
  // A word of the client comes between the question and the end.
  const countBeats = () => pick(it, 'run:event').filter(({ claude }) => isBeat(claude)).length;
  const before = countBeats();
  await until(() => countBeats() > before);
  // The first look comes late, so it proves nothing.
  await looks.lookUntil(has(it, 'run:stopping'));
  expect(await worker).toMatchObject({ code: 0 });
  expectStall(it);
});

const isBeat = (line: unknown) => (line as { type?: string }).type === 'tool_progress';

test('hung: a model that never answers', async () => {
  await using site = await startWorker(first({ fault: { kind: 'hang' } }));
  const { it, looks, worker } = site;
  const isInTask = (calls: readonly Call[]) => calls.some(({ tool }) => tool === 'TaskUpdate');
  await until(() => it.model.requests.some(({ conversation }) => isInTask(conversation.calls)));
  await looks.lookUntil(has(it, 'run:stopping'));
  expect(await worker).toMatchObject({ code: 0 });
  expectStall(it);
});

test('hung: a client that was stopped; every screen says so', async () => {
  await using site = await startWorker(first(hanging(SLEEP)));
  const { it, looks, worker } = site;
  await untilHung(it);
  signalAll(findMarked(firstRun(it)), 'SIGSTOP');
  await looks.lookUntil(has(it, 'run:silent'));
  await until(() => readRecords(it).includes('silentSince'));
  expect((await it.saga(['list'])).stdout).toContain('asked what it waits for');
  expect((await it.saga(['logs', 'cart'])).stdout).toMatch(/silent +for .+, asked/);
  await looks.lookUntil(has(it, 'run:stopping'));
  expect(await worker).toMatchObject({ code: 0 });
  expectStall(it);
});

/** More than a look needs to see that a command uses the processor. */
const ENOUGH_MS = 300;

/** Waits until a command of the run has used the processor. */
async function untilBusy(it: Workshop): Promise<void> {
  const table = openProcessTable();
  const listUsed = () =>
    findMarked(firstRun(it))
      .filter((pid) => table.find(pid)?.name !== 'claude')
      .map((pid) => [pid, table.measure(pid)?.cpuMs ?? 0] as const);
  const before = new Map(listUsed());
  await until(() => listUsed().some(([pid, ms]) => ms - (before.get(pid) ?? 0) >= ENOUGH_MS));
}

/** Waits until a command has written its log twice more: of the first time the system may not know all yet. */
async function untilWritten(it: Workshop): Promise<void> {
  const log = fileBeside(it, 'slow.log');
  const measure = () => statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  const before = measure();
  await until(() => measure() >= before + 2);
}

const LOOKS = 4;
const BUSY = 'while [ ! -e ../go ]; do :; done';
const quietly = `const fs = require('node:fs');
const t = setInterval(() => {
  fs.appendFileSync('../slow.log', 'x');
  if (fs.existsSync('../go')) clearInterval(t);
}, 200)`;

test.each<[string, string, (it: Workshop) => Promise<void>, string[]]>([
  ['a build that prints nothing', BUSY, untilBusy, ['processor']],
  [
    'a test that sleeps, and writes now and then',
    `node -e "${quietly}"`,
    untilWritten,
    ['processor', 'io'],
  ],
])('quiet but at work: %s', async (_, text, works, signs) => {
  await using site = await startWorker(first(command(text), 'before'));
  const { it, looks, worker } = site;
  await until(has(it, 'run:tool'));
  await works(it);
  // This look also sees what the run printed, and that the command began.
  await looks.look();
  const seen = () => pick(it, 'run:quiet').map(({ sign }) => sign);
  const before = seen().length;
  for (let look = 0; look < LOOKS; look++) {
    await works(it);
    await looks.look();
  }
  expect(seen().slice(before)).toHaveLength(LOOKS);
  for (const sign of seen().slice(before)) expect(signs).toContain(sign);
  writeFileSync(fileBeside(it, 'go'), '');
  expect(await worker).toMatchObject({ code: 0 });
  expectAlive(it);
  expect(pick(it, 'run:stopping')).toEqual([]);
});

function expectAlive(it: Workshop): void {
  expect(pick(it, 'run:silent')).toEqual([]);
  expect(pick(it, 'run:start')).toHaveLength(1);
}

const THINKS = { kind: 'slow-stream', pauseMs: 100, pings: 10_000 } as const;

test('quiet but at work: a model that thinks for long', async () => {
  await using site = await startWorker(first({ ...command('true'), fault: THINKS }, 'before'));
  const { it, looks, worker } = site;
  await until(() => it.model.requests.length > 0);
  for (let look = 0; look < LOOKS; look++) await looks.lookAfterOutput();
  expectAlive(it);
  // Nobody waits until it has thought.
  await it.saga(['stop', 'cart']);
  expect(await worker).toMatchObject({ code: 2 });
  expect(pick(it, 'run:stopping')).toMatchObject([{ cause: 'signal' }]);
});

test('quiet but at work: a model that is overloaded, and says when to ask again', async () => {
  // The client would give up if it were told to wait for more than a minute.
  const overload: Turn = { fault: { status: 529, retryAfter: 55 } };
  await using site = await startWorker(first(overload, 'before'));
  const { it, looks, worker } = site;
  await until(has(it, 'run:retry'));
  // This look also sees what the client printed.
  await looks.look();
  for (let look = 0; look < LOOKS; look++) await looks.look();
  const signs = pick(it, 'run:quiet').map(({ sign }) => sign);
  expect(signs.slice(-LOOKS)).toEqual(Array(LOOKS).fill('waiting'));
  expectAlive(it);
  await it.saga(['stop', 'cart']);
  expect(await worker).toMatchObject({ code: 2 });
  expect(pick(it, 'run:stopping')).toMatchObject([{ cause: 'signal' }]);
});

const refusal = await findSandboxRefusal();

test.skipIf(refusal !== undefined)(
  'in a sandbox, too: a quiet build goes on, a hung command is found',
  async () => {
    // In the sandbox a run sees nothing beside its worktree.
    const build = `while [ ! -e go ]; do :; done; rm go; ${SLEEP}`;
    await using site = await startWorker(first(command(build)), 'required');
    const { it, looks, worker } = site;
    await until(() => pick(it, 'run:tool').some(({ name }) => name === 'Bash'));
    await untilBusy(it);
    await looks.look();
    await untilBusy(it);
    await looks.look();
    expect(pick(it, 'run:quiet').at(-1)).toMatchObject({ sign: 'processor' });
    expect(pick(it, 'run:silent')).toEqual([]);
    writeFileSync(join(it.worktrees, 'cart/go'), '');
    const table = openProcessTable();
    const isHung = (pid: number) => table.findCommandLine(pid) === 'sleep infinity';
    await until(() => findMarked(firstRun(it)).some(isHung));
    await looks.lookUntil(has(it, 'run:stopping'));
    expect(await worker).toMatchObject({ code: 0 });
    expect(pick(it, 'sandbox:on')).toHaveLength(1);
    expectStall(it);
  },
);
