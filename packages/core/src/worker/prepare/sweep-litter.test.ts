import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject } from '../../../../../test/rig/project/project.ts';
import { describeProcess, formatIdentity } from '../../processes/identity.ts';
import { nameProject } from '../../processes/run-mark.ts';
import { WORKER_VARIABLE } from '../../processes/variables.ts';
import { sweepLitter } from './sweep-litter.ts';

const dead = () => ({
  ...describeProcess(process.pid),
  pid: spawnSync(process.execPath, ['-e', '']).pid,
});

test('what killed workers left is swept; what belongs to the living stays', async () => {
  using it = createProject();
  const [gone, living] = [dead(), describeProcess(process.pid)];
  const files = (pid: number, owner: string) => [
    `sessions/.saga-story-x-1.json.${pid}-abc.tmp`,
    `locks/story-x.for.${owner}/owner`,
  ];
  const left = [...files(gone.pid, formatIdentity(gone, '1')), 'trash/x/notes/note.json'];
  const kept = files(living.pid, formatIdentity(living, '2'));
  for (const path of [...left, ...kept, 'sessions/saga-story-x-1.json']) {
    it.write(`.git/saga/runs/${path}`, '');
  }
  it.write(`.git/saga/runs/sessions/.saga-story-x-2.json.${living.pid}-old.tmp`, '');
  const old = new Date(Date.now() - 60 * 60_000);
  utimesSync(join(it.paths.sessions, `.saga-story-x-2.json.${living.pid}-old.tmp`), old, old);
  await sweepLitter(it.paths, 'x');
  const there = (path: string) =>
    readdirSync(it.paths.runs, { recursive: true }).map(String).includes(path);
  expect(left.filter(there)).toEqual([]);
  expect(kept.filter(there)).toEqual(kept);
  expect(readdirSync(it.paths.sessions).toSorted()).toEqual([
    `.saga-story-x-1.json.${living.pid}-abc.tmp`,
    'saga-story-x-1.json',
  ]);
});

test('programs of this story that outlived a worker are ended; those of others stay', async () => {
  using it = createProject();
  const start = (worker: ReturnType<typeof dead>, root: string, session: string) =>
    spawn('sleep', ['1000'], {
      stdio: 'ignore',
      env: {
        PATH: process.env.PATH ?? '',
        [WORKER_VARIABLE]: formatIdentity(worker, `${nameProject(join(root, '.git'))}+${session}`),
      },
    });
  const orphan = start(dead(), it.root, 'saga-story-x-1');
  const others = [
    start(describeProcess(process.pid), it.root, 'saga-story-x-2'),
    start(dead(), it.root, 'saga-story-y-1'),
    start(dead(), '/another/project', 'saga-story-x-1'),
  ];
  const ended = once(orphan, 'exit');
  await sweepLitter(it.paths, 'x');
  expect(await ended).toEqual([null, 'SIGTERM']);
  expect(others.map((it) => it.exitCode ?? it.signalCode)).toEqual([null, null, null]);
  for (const other of others) other.kill('SIGKILL');
});
