import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../../../test/rig/project/temp-folder.ts';
import { openProcessTable, type TableForm } from './table.ts';

/** A worker that starts a program which starts others, tells that they are there, and waits. */
const WORKER = (folder: string, script: string, end: string, form: TableForm) => `
import { startLifeline } from '${import.meta.dirname}/lifeline.ts';
import { startProgram } from '${import.meta.dirname}/run.ts';
const lifeline = startLifeline('/project', 'saga-story-x-1', '${form}');
const options = { cwd: '${folder}', env: { PATH: process.env.PATH, HOME: '${folder}' }, lifeline };
startProgram('sh', ['-c', ${JSON.stringify(script)}], options, (line) => console.log(line));
${end}
setInterval(() => {}, 1000);
`;

/** One that leads its own session and hears no signal but SIGKILL, and one without any variable. */
const FAMILY = `
echo $$ > pid
sleep 1000 &
setsid sh -c 'trap "" TERM HUP INT; echo deaf; while :; do sleep 0.1; done' &
env -i sleep 1000 &
wait`;

async function startWorker(folder: string, script: string, end = '', form: TableForm = 'proc') {
  const args = ['--input-type=module', '-e', WORKER(folder, script, end, form)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  await once(child.stdout, 'data');
  return Object.assign(child, { [Symbol.dispose]: () => void child.kill('SIGKILL') });
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

test.each<TableForm>(['proc', 'ps'])(
  '%s: however a worker ends, what it started ends: deaf, in a session of its own, without a mark',
  async (form) => {
    using folder = createTempFolder();
    using worker = await startWorker(folder.path, FAMILY, '', form);
    const group = Number(readFileSync(join(folder.path, 'pid'), 'utf8'));
    // The program, one that sleeps and one that is deaf; and one without any variable, in the group alone.
    await expect.poll(() => leftOf(folder.path).length).toBeGreaterThanOrEqual(3);
    await expect.poll(() => groupOf(group).length).toBe(3);
    worker.kill('SIGKILL');
    await expect.poll(() => leftOf(folder.path)).toEqual([]);
    await expect.poll(() => groupOf(group)).toEqual([]);
  },
);

test('asked to end first, a program can still tidy up', async () => {
  using folder = createTempFolder();
  // The worker's end of its error output is gone, and writing there would end it.
  const script = `exec 2> /dev/null; trap ': > tidy; exit' TERM; echo ready; while :; do sleep 0.02; done`;
  using worker = await startWorker(folder.path, script);
  worker.kill('SIGKILL');
  await expect.poll(() => existsSync(join(folder.path, 'tidy'))).toBe(true);
});

test('after a normal end its shell is gone too, and nobody else was hurt', async () => {
  using folder = createTempFolder();
  const table = openProcessTable('proc');
  const script = 'echo $$ > pid; echo ready; exec sleep 1000';
  using worker = await startWorker(
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
  await expect.poll(() => table.find(shell ?? 0)).toBeUndefined();
  // It was told that all is over: what still runs is the worker's own business.
  expect(table.find(held)?.name).toBe('sleep');
  process.kill(held, 'SIGKILL');
});
