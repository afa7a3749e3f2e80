import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withLock } from '@saga-ai/core/processes/lock';
import { storyLock } from '@saga-ai/core/project/paths';
import { expect, test } from 'vitest';
import { bundlePrograms } from '../rig/programs/bundle-programs.ts';
import { PLAIN_ENVIRONMENT } from '../rig/programs/run-program.ts';
import { createTempProject, type TempProject } from '../rig/project/temp-project.ts';

test('a writer that was killed, but whose parent never asks for its end, holds no lock', async () => {
  await using programs = await bundlePrograms(PROGRAMS, ['hold-lock']);
  await using project = await createTempProject();
  project.writeStory('busy');
  // `exec sleep` becomes the parent of the writer, and never reaps it: as a container's first process.
  const script = '"$1" "$2" "$3" "$4" & echo $!; exec sleep 600';
  const lock = storyLock(project.paths, 'busy');
  const parent = spawn(
    'bash',
    ['-c', script, 'bash', process.execPath, programs['hold-lock'], lock],
    { stdio: ['ignore', 'pipe', 'inherit'], env: PLAIN_ENVIRONMENT },
  );
  try {
    let printed = '';
    parent.stdout.on('data', (text: Buffer) => {
      printed += text;
    });
    while (!printed.includes('held')) await sleep(5);
    const writer = Number.parseInt(printed, 10);
    process.kill(writer, 'SIGKILL');
    while (stateOf(writer) !== 'Z') await sleep(5);

    expect(await addEntry(project)).toMatchObject({ code: 0, stderr: '' });
  } finally {
    parent.kill('SIGKILL');
    await once(parent, 'close');
  }
});

test('a lock of a process whose number now belongs to another one is free', async () => {
  await using project = await createTempProject();
  project.writeStory('busy');
  const lock = storyLock(project.paths, 'busy');
  mkdirSync(lock, { recursive: true });
  writeFileSync(join(lock, `${hostname()}~${process.pid}~1~nonce`), '');

  expect(await addEntry(project)).toMatchObject({ code: 0, stderr: '' });
  expect(readdirSync(project.paths.locks)).toEqual([]);
});

test('a lock from before the machine was renamed holds while its process lives, and no longer', async () => {
  await using programs = await bundlePrograms(PROGRAMS, ['hold-lock']);
  await using project = await createTempProject();
  project.writeStory('busy');
  const lock = storyLock(project.paths, 'busy');
  const script = 'echo as-it-was-called > /proc/sys/kernel/hostname && exec "$@"';
  const holder = spawn('unshare', [
    ...['--user', '--map-root-user', '--uts', 'sh', '-c', script, 'sh'],
    ...[process.execPath, programs['hold-lock'], lock],
  ]);
  try {
    await once(holder.stdout, 'data');
    expect(readdirSync(lock)).toEqual([expect.stringMatching(/^as-it-was-called~/)]);
    await expect(withLock(lock, () => 'mine', { waitMs: 0 })).rejects.toMatchObject({
      message: expect.stringContaining(`held by process ${holder.pid}.`),
    });
  } finally {
    holder.kill('SIGKILL');
    await once(holder, 'close');
  }
  expect(await addEntry(project)).toMatchObject({ code: 0, stderr: '' });
  expect(readdirSync(project.paths.locks)).toEqual([]);
});

test('a lock that somebody really holds is named, with its process', async () => {
  await using programs = await bundlePrograms(PROGRAMS, ['hold-lock']);
  await using project = await createTempProject();
  const lock = storyLock(project.paths, 'busy');
  const holder = spawn(process.execPath, [programs['hold-lock'], lock]);
  try {
    await once(holder.stdout, 'data');
    const waiting = withLock(lock, () => 'mine', { waitMs: 200 });
    await expect(waiting).rejects.toMatchObject({
      code: 'lock-held',
      message: expect.stringContaining(`held by process ${holder.pid}`),
      hint: expect.stringContaining(`ps -p ${holder.pid}`),
    });
    expect(readdirSync(project.paths.locks)).toEqual(['story-busy']);
  } finally {
    holder.kill('SIGKILL');
    await once(holder, 'close');
  }
});

test.each([
  [
    'a foreign file in it',
    (lock: string) => {
      mkdirSync(lock, { recursive: true });
      writeFileSync(join(lock, '.DS_Store'), '');
    },
  ],
  [
    'a file in its place',
    (lock: string) => {
      mkdirSync(join(lock, '..'), { recursive: true });
      writeFileSync(lock, '');
    },
  ],
])('a lock with %s is complained about by name, not waited for without end', async (_, arrange) => {
  await using project = await createTempProject();
  project.writeStory('busy');
  const lock = storyLock(project.paths, 'busy');
  arrange(lock);

  const { code, stderr } = await addEntry(project);

  expect(code, 'it came to an end by itself').toBe(1);
  expect(stderr).toContain('locks/story-busy is not a lock that SAGA made.');
  expect(stderr).toContain('[lock-held]');
});

const PROGRAMS = new URL('./programs/', import.meta.url);

const addEntry = (project: TempProject) =>
  project.saga(['journal', 'busy', 'add', '--title', 'Me too']);

/** `Z` for a process that has ended, but still has its entry in the process table. */
function stateOf(pid: number): string | undefined {
  return /\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[1];
}
