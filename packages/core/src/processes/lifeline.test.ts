import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../../../test/rig/temp-folder.ts';
import { openProcessTable } from './table.ts';

/** A worker that starts a program which starts others, tells that they are there, and waits. */
const WORKER = (folder: string, script: string, end: string) => `
import { startLifeline } from '${import.meta.dirname}/lifeline.ts';
import { startProgram } from '${import.meta.dirname}/run.ts';
const lifeline = startLifeline('/project', 'saga-story-x-1');
const options = { cwd: '${folder}', env: { PATH: process.env.PATH, HOME: '${folder}' }, lifeline };
startProgram('sh', ['-c', ${JSON.stringify(script)}], options, (line) => console.log(line));
${end}
setInterval(() => {}, 1000);
`;

/** Also what was asked for by name alone: a shell that leads its own session and hears no signal but one. */
const FAMILY = `
sleep 1000 &
setsid sh -c 'trap "" TERM HUP INT; echo deaf; while :; do sleep 0.1; done' &
env -i sleep 1000 &
wait`;

async function startWorker(folder: string, script: string, end = '') {
  const args = ['--input-type=module', '-e', WORKER(folder, script, end)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return child;
}

const leftOf = (folder: string) =>
  openProcessTable('proc')
    .listCarriers('HOME')
    .filter(({ value }) => value === folder);
/** Those without any variable are known by their group: the program's number. */
const groupOf = (group: number) =>
  openProcessTable('proc')
    .list()
    .filter((it) => it.group === group && !it.ended);

test('however a worker ends, what it started ends: deaf, in a session of its own, without a mark', async () => {
  using folder = createTempFolder();
  const worker = await startWorker(folder.path, FAMILY);
  const group =
    openProcessTable('proc')
      .list()
      .find(
        (it) =>
          it.parent === worker.pid &&
          it.name === 'sh' &&
          it.group === it.pid &&
          leftOf(folder.path).some(({ pid }) => pid === it.pid),
      )?.pid ?? 0;
  expect(leftOf(folder.path).length).toBeGreaterThan(3);
  await expect.poll(() => groupOf(group).length, { timeout: 10_000 }).toBeGreaterThan(2);
  worker.kill('SIGKILL');
  await expect.poll(() => leftOf(folder.path), { timeout: 15_000 }).toEqual([]);
  await expect.poll(() => groupOf(group), { timeout: 15_000 }).toEqual([]);
});

test('asked to end first, a program can still tidy up', async () => {
  using folder = createTempFolder();
  const script = `trap ': > tidy; exit' TERM; echo ready; while :; do sleep 0.02; done`;
  const worker = await startWorker(folder.path, script);
  worker.kill('SIGKILL');
  await expect.poll(() => existsSync(join(folder.path, 'tidy')), { timeout: 15_000 }).toBe(true);
});

test('after a normal end its shell is gone too, and nobody else was hurt', async () => {
  using folder = createTempFolder();
  const table = openProcessTable('proc');
  const script = 'echo $$ > pid; echo ready; exec sleep 1000';
  const worker = await startWorker(
    folder.path,
    script,
    `
    process.on('SIGTERM', () => { lifeline[Symbol.dispose](); process.exit(0); });`,
  );
  const shells = () =>
    table.list().filter((it) => it.parent === worker.pid && !it.ended && it.name === 'sh');
  const [shell] = shells().map((it) => it.pid);
  expect(shell).toBeGreaterThan(0);
  const held = Number(readFileSync(join(folder.path, 'pid'), 'utf8'));
  const ended = once(worker, 'exit');
  worker.kill('SIGTERM');
  await ended;
  await expect.poll(() => table.find(shell ?? 0), { timeout: 15_000 }).toBeUndefined();
  // It was told that all is over: what still runs is the worker's own business.
  expect(table.find(held)?.name).toBe('sleep');
  process.kill(held, 'SIGKILL');
});
