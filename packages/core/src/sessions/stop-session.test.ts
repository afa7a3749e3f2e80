import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../../../../test/rig/programs/until.ts';
import { createTempFolder } from '../../../../test/rig/project/temp-folder.ts';
import { describeProcess, formatIdentity } from '../processes/identity.ts';
import { WORKER_VARIABLE } from '../processes/variables.ts';
import { stopSession } from './stop-session.ts';

const recordOf = (more: object) => ({
  version: 1 as const,
  session: 'saga-story-cart-1',
  story: 'cart',
  outputFile: '/nowhere',
  tmux: false,
  startedAt: '2026-01-01T00:00:00.000Z',
  model: 'opus',
  cycle: 1,
  tokens: 0,
  costUsd: 0,
  ...describeProcess(process.pid),
  ...more,
});

test('a worker is asked to stop, and one that is over is not looked for', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  const ended = new Promise((resolve) => child.on('close', (_, signal) => resolve(signal)));
  const record = recordOf(describeProcess(child.pid ?? 0));
  expect(await stopSession(record)).toBe('stopped');
  expect(await ended).toBe('SIGTERM');
  expect(await stopSession(record)).toBe('was-over');
  expect(await stopSession(recordOf({ endedAt: '2026-01-01T00:00:01.000Z' }))).toBe('was-over');
});

test('a worker of another machine is left alone, whatever process has its number here', async () => {
  const child = await startWitness(process.env);
  const elsewhere = recordOf({
    ...describeProcess(child.pid),
    host: 'another-machine',
    place: undefined,
  });
  await expect(stopSession(elsewhere)).rejects.toMatchObject({
    code: 'session-failed',
    message: expect.stringContaining('another-machine'),
  });
  expect(await child.tell()).toBe('heard no signal');
});

test('a worker that does not hear is killed, and all it started is ended', async () => {
  const deaf = 'trap "" TERM; echo deaf; while :; do sleep 0.05; done';
  const worker = spawn('sh', ['-c', deaf], { stdio: ['ignore', 'pipe', 'ignore'] });
  await once(worker.stdout, 'data');
  const identity = describeProcess(worker.pid ?? 0);
  const envOf = (session: string) => ({
    PATH: process.env.PATH ?? '',
    [WORKER_VARIABLE]: formatIdentity(identity, `project+${session}`),
  });
  const client = spawn('sleep', ['1000'], { stdio: 'ignore', env: envOf('saga-story-cart-1') });
  const other = await startWitness(envOf('saga-story-cart-12'));
  const ended = Promise.all([once(worker, 'exit'), once(client, 'exit')]);
  expect(await stopSession(recordOf(identity), { patienceMs: 100 })).toBe('killed');
  expect(await ended).toEqual([
    [null, 'SIGKILL'],
    [null, 'SIGTERM'],
  ]);
  expect(await other.tell()).toBe('heard no signal');
});

/** Starts a process that says, when it is asked, whether it was sent SIGTERM before. */
async function startWitness(env: NodeJS.ProcessEnv) {
  // A signal that was sent before the question is heard at the latest in the next turn of the loop.
  const script = `
    let heard = 'heard no signal';
    process.on('SIGTERM', () => { heard = 'heard SIGTERM'; });
    process.stdin.once('data', () =>
      setImmediate(() => setImmediate(() => { console.log(heard); process.exit(); })));
    console.log('ready');`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['pipe', 'pipe', 'ignore'], env });
  await once(child.stdout, 'data');
  return {
    pid: child.pid ?? 0,
    async tell(): Promise<string> {
      const answer = once(child.stdout, 'data').then(([said]) => String(said).trim());
      const killed = once(child, 'exit').then(() => 'was killed');
      child.stdin.write('?');
      return Promise.race([answer, killed]);
    },
  };
}

test('a worker that goes on telling what it does while it stops is not killed', async () => {
  using folder = createTempFolder();
  const outputFile = join(folder.path, 'out.jsonl');
  const script = `
    const { appendFileSync } = require('node:fs');
    process.on('SIGTERM', () => {
      let left = 45;
      setInterval(() => {
        appendFileSync(${JSON.stringify(outputFile)}, '{}\\n');
        if (--left === 0) process.exit(0);
      }, 100);
    });
    setInterval(() => {}, 1000);
    appendFileSync(${JSON.stringify(outputFile)}, '{}\\n');`;
  const worker = spawn(process.execPath, ['-e', script], { stdio: 'ignore' });
  const ended = once(worker, 'exit');
  await until(() => existsSync(outputFile));
  const record = recordOf({ ...describeProcess(worker.pid ?? 0), outputFile });
  // It needs longer than it is waited for without a word.
  expect(await stopSession(record, { patienceMs: 3000 })).toBe('stopped');
  expect(await ended).toEqual([0, null]);
});

test('the machine got another name: its worker is found and stopped', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const record = recordOf({ ...describeProcess(child.pid ?? 0), host: 'as-it-was-called' });
  expect(await stopSession(record)).toBe('stopped');
  await ended;
});
