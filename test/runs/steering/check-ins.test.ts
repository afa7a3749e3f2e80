import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Policy, type Turn, walkTasks } from '@saga-ai/model';
import type { EventType, RunEvent } from '@saga-ai/types/run/event';
import { expect, test } from 'vitest';
import { until } from '../../rig/programs/until.ts';
import { findSandboxRefusal } from '../../rig/worker/find-sandbox-refusal.ts';
import { createWorkshop, type Workshop } from '../../rig/worker/workshop.ts';

/** Check-ins every two seconds: a run that is silent for six seconds is ended. */
const CHECK_IN = { minutes: 1 / 30, misses: 2 };

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

async function openWorkshop(
  policy: Policy,
  checkIn = CHECK_IN,
  sandbox = 'off',
): Promise<Workshop> {
  const it = await createWorkshop({ model: { policy } });
  it.write('.saga/config.json', { checkIn, worker: { resplit: false, sandbox } });
  it.story('cart', {}, { one: {} });
  it.git('add', '-A');
  it.git('commit', '-q', '-m', 'Plan it');
  return it;
}

/** The processes that carry the mark of a run. */
function findMarked(runId: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`SAGA_RUN_ID=${runId}`);
      } catch {
        return false;
      }
    })
    .map(Number);
}

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
  ['a command that waits for ever', 'bash -c "exec sleep infinity"'],
  [
    'a question for a password',
    'd=$(mktemp -d); mkfifo $d/tty; exec 3<>$d/tty; echo "Password: "; read -r password <&3',
  ],
  [
    'two processes that wait for each other',
    'd=$(mktemp -d); mkfifo $d/a $d/b; (read -r x < $d/a; echo > $d/b) & (read -r x < $d/b; echo > $d/a) & wait',
  ],
])('hung: %s', async (_, text) => {
  await using it = await openWorkshop(first(command(text)));
  const worker = it.saga(['worker', 'cart']);
  await until(() => pick(it, 'run:silent').length > 0);
  expect(pick(it, 'run:silent')[0]?.call).toMatch(/^Bash /);
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
  const turn = command('bash -c "exec sleep infinity"');
  // The first word of the client comes between the question and the end.
  await using it = await openWorkshop(first(turn), { minutes: 1 / 5, misses: 2 });
  expect(await it.saga(['worker', 'cart'])).toMatchObject({ code: 0 });
  const beats = pick(it, 'run:event').filter(({ claude }) => isBeat(claude));
  expect(beats.length).toBeGreaterThan(0);
  expectStall(it);
});

const isBeat = (line: unknown) => (line as { type?: string }).type === 'tool_progress';

test('hung: a model that never answers', async () => {
  await using it = await openWorkshop(first({ fault: { kind: 'hang' } }));
  expect(await it.saga(['worker', 'cart'])).toMatchObject({ code: 0 });
  expectStall(it);
});

test('hung: a client that was stopped; every screen says so', async () => {
  const turn = command('bash -c "exec sleep infinity"');
  await using it = await openWorkshop(first(turn), { minutes: 1 / 6, misses: 1 });
  const worker = it.saga(['worker', 'cart']);
  await until(() => pick(it, 'run:tool').some(({ name }) => name === 'Bash'));
  for (const pid of findMarked(pick(it, 'run:start')[0]?.run ?? '')) process.kill(pid, 'SIGSTOP');
  const [{ pid }] = pick(it, 'worker:start') as [RunEvent<'worker:start'>];
  // While the screens are read, the worker stands still: otherwise its next look may end the run before,
  // or take a sign of life from before the client was stopped.
  const isSilent = () => readRecords(it).includes('silentSince');
  await until(() => {
    if (!isSilent()) return false;
    process.kill(pid, 'SIGSTOP');
    if (isSilent()) return true;
    process.kill(pid, 'SIGCONT');
    return false;
  });
  expect((await it.saga(['list'])).stdout).toContain('asked what it waits for');
  expect((await it.saga(['logs', 'cart'])).stdout).toMatch(/silent +for \d+ s, asked/);
  process.kill(pid, 'SIGCONT');
  expect(await worker).toMatchObject({ code: 0 });
  expectStall(it);
});

const quietly = `let n = 0; const t = setInterval(() => {
  require('node:fs').appendFileSync(require('node:os').tmpdir() + '/slow.log', 'x');
  if (++n === 11) clearInterval(t);
}, 1000)`;

test.each<[string, Turn]>([
  ['a build that prints nothing', command('timeout 12 sh -c "while :; do :; done"; true')],
  ['a test that sleeps, and writes now and then', command(`node -e "${quietly}"`)],
  [
    'a model that thinks for long',
    { ...command('true'), fault: { kind: 'slow-stream', pauseMs: 1800 } },
  ],
  [
    'a model that is overloaded, and says when to ask again',
    { fault: { status: 529, retryAfter: 9 } },
  ],
])('quiet but at work: %s', async (_, turn) => {
  await using it = await openWorkshop(first(turn, 'before'));
  expect(await it.saga(['worker', 'cart'])).toMatchObject({ code: 0 });
  expect(pick(it, 'run:silent')).toEqual([]);
  expect(pick(it, 'run:stopping')).toEqual([]);
  expect(pick(it, 'run:start')).toHaveLength(1);
});

const refusal = await findSandboxRefusal();

test.skipIf(refusal !== undefined)(
  'in a sandbox, too: a quiet build goes on, a hung command is found',
  async () => {
    const build = 'timeout 9 sh -c "while :; do :; done"; bash -c "exec sleep infinity"';
    await using it = await openWorkshop(first(command(build)), CHECK_IN, 'required');
    expect(await it.saga(['worker', 'cart'])).toMatchObject({ code: 0 });
    expect(pick(it, 'sandbox:on')).toHaveLength(1);
    expect(pick(it, 'run:quiet').map(({ sign }) => sign)).toContain('processor');
    expectStall(it);
  },
);
