import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { openProcessTable } from '@saga-ai/core/processes/table';
import { expect, test } from 'vitest';
import { SAGA } from '../rig/programs/run-program.ts';
import { findSandboxRefusal } from '../rig/worker/find-sandbox-refusal.ts';
import { createWorkshop, type Workshop } from '../rig/worker/workshop.ts';

const FOREVER = 'setsid tail -f /dev/null & tail -f /dev/null';
const WAIT = { interval: 50 };

/** Names of the processes that carry this workshop's home. */
const running = ({ home }: Workshop) => {
  const table = openProcessTable();
  return table
    .listCarriers('HOME')
    .filter(({ value }) => value === home)
    .flatMap(({ pid }) => table.find(pid)?.name ?? []);
};
const tails = (it: Workshop) => running(it).filter((name) => name === 'tail').length;

function startWorker(it: Workshop) {
  const options = { cwd: it.root, env: it.environment, stdio: 'ignore' } as const;
  const child = spawn(process.execPath, [SAGA, 'worker', 'cart'], options);
  return Object.assign(child, { [Symbol.dispose]: () => void child.kill('SIGKILL') });
}

const refused = await findSandboxRefusal();
const ENCLOSED: [string, object, string] = [
  'a run in the sandbox',
  { worker: { sandbox: 'required' } },
  FOREVER,
];

test.each<[string, object, string]>([
  ['a run', {}, FOREVER],
  ['setup', { worktree: { setup: FOREVER } }, 'true'],
  ['verify', { gate: { verify: FOREVER } }, 'true'],
  ...(refused === undefined ? [ENCLOSED] : []),
])('a worker killed during %s takes all it started with it', async (_, config, command) => {
  await using it = await createWorkshop({ rehearsals: { one: { run: [command] } } });
  it.write('.saga/config.json', config);
  it.story('cart', {}, { one: {} });
  using worker = startWorker(it);
  await expect.poll(() => tails(it), WAIT).toBe(2);
  worker.kill('SIGKILL');
  await expect.poll(() => running(it), WAIT).toEqual([]);
});

test('a remote that never answers does not outlive the worker either', async () => {
  await using it = await createWorkshop();
  it.story('cart', {}, { one: {} });
  it.git('remote', 'set-url', 'origin', 'ext::tail -f /dev/null');
  it.git('config', 'protocol.ext.allow', 'always');
  using worker = startWorker(it);
  await expect.poll(() => tails(it), WAIT).toBeGreaterThan(0);
  worker.kill('SIGKILL');
  await expect.poll(() => running(it), WAIT).toEqual([]);
});

test('a worker that hangs is stopped with all it started', async () => {
  await using it = await createWorkshop({ rehearsals: { one: { run: [FOREVER] } } });
  it.story('cart', {}, { one: {} });
  using worker = startWorker(it);
  await expect.poll(() => tails(it), WAIT).toBe(2);
  worker.kill('SIGSTOP');
  const { code, stdout } = await it.saga(['stop', 'cart']);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringContaining('did not stop and was killed'),
  });
  expect(running(it)).toEqual([]);
});

test('asked to stop while a remote does not answer, a worker stops in order', async () => {
  await using it = await createWorkshop();
  it.story('cart', {}, { one: {} });
  it.git('remote', 'set-url', 'origin', 'ext::tail -f /dev/null');
  it.git('config', 'protocol.ext.allow', 'always');
  using worker = startWorker(it);
  await expect.poll(() => tails(it), WAIT).toBeGreaterThan(0);
  const { stdout } = await it.saga(['stop', 'cart']);
  expect(stdout).toContain('✓ cart stopped');
  expect(worker.killed).toBe(false);
  expect(it.events().at(-1)).toMatchObject({ type: 'worker:end', kind: 'stopped' });
  await expect.poll(() => running(it), WAIT).toEqual([]);
});

test('more time than a timer can hold is no time-out', async () => {
  await using it = await createWorkshop();
  it.write('.saga/config.json', { worker: { maxTime: 50_000 } });
  it.story('cart', {}, { one: {} });
  const { code, stdout, stderr } = await it.saga(['worker', 'cart']);
  expect({ code, stdout, stderr }).toMatchObject({ code: 0, stderr: '' });
});

test('an orphan of a worker whose lifeline was cut is named and ended by doctor', async () => {
  await using it = await createWorkshop();
  it.write('.saga/config.json', { gate: { verify: FOREVER } });
  it.story('cart', {}, { one: {} });
  using worker = startWorker(it);
  await expect.poll(() => tails(it), WAIT).toBe(2);
  const table = openProcessTable();
  const isLifeline = (pid: number) =>
    readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('find_marked');
  const [lifeline = 0] = table
    .list()
    .filter(({ parent, pid, ended }) => parent === worker.pid && !ended && isLifeline(pid))
    .map(({ pid }) => pid);
  expect(lifeline).toBeGreaterThan(0);
  process.kill(lifeline, 'SIGKILL');
  await expect.poll(() => table.find(lifeline)?.ended ?? true, WAIT).toBe(true);
  worker.kill('SIGKILL');
  await expect.poll(() => table.find(worker.pid ?? 0)?.ended ?? true, WAIT).toBe(true);
  const found = await it.saga(['doctor']);
  expect(found.stdout).toMatch(/cart: \d processes outlived the worker.*tail/);
  const fixed = await it.saga(['doctor', '--fix']);
  expect(fixed.stdout).toMatch(/✓ \d processes? that outlived a worker ended/);
  expect(running(it)).toEqual([]);
});
