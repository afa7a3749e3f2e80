import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { SAGA } from '../../rig/programs/run-program.ts';
import { createWorkshop, type Workshop } from '../../rig/worker/workshop.ts';

/** Kills a worker with SIGKILL the moment its output file tells of an event. */
async function killAt(it: Workshop, fits: (event: { type: string }) => boolean): Promise<void> {
  const child = spawn(process.execPath, [SAGA, 'worker', 'cart'], {
    cwd: it.root,
    env: it.environment,
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => child.on('close', resolve));
  try {
    await waitForEvent(it, child, fits);
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
}

async function waitForEvent(
  it: Workshop,
  child: ChildProcess,
  fits: (event: { type: string }) => boolean,
): Promise<void> {
  for (const end = Date.now() + 120_000; Date.now() < end; await sleep(1)) {
    const [file] = it.outputFiles();
    const lines = file === undefined ? [] : readFileSync(file, 'utf8').split('\n').slice(0, -1);
    if (lines.some((line) => fits(JSON.parse(line)))) return;
    if (child.exitCode !== null) break;
  }
  throw new Error('The worker never came to that event.');
}

/** Processes that still carry this workshop's home in their environment. */
function leftRunning({ home }: Workshop): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      try {
        const environment = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
        return environment.includes(`HOME=${home}`)
          ? [readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ')]
          : [];
      } catch {
        // It has ended.
        return [];
      }
    });
}

const completed = (task: string) => (event: { type: string; task?: string; to?: string }) =>
  event.type === 'task:status' && event.task === task && event.to === 'completed';
const type = (name: string) => (event: { type: string }) => event.type === name;

test.concurrent.each([
  ['before anything', type('preflight:start')],
  ['while the worktree is made', type('worktree:start')],
  ['with the worktree made', type('worktree:created')],
  ['with the plan committed', type('story:committed')],
  ['while the pull request is opened', type('pull-request:start')],
  ['with the pull request open', type('pull-request:created')],
  ['with the list hydrated', type('hydrate:done')],
  ['as a run starts', type('run:start')],
  ['inside a run', completed('one')],
  ['as the run ends', type('run:end')],
  ['while the list is reconciled', type('reconcile:done')],
  ['in the gate', type('gate:start')],
  ['with the gate passed', type('gate:passed')],
  ['with the pull request ready', type('pull-request:ready')],
])('killed %s, the next worker finishes the story', { timeout: 300_000 }, async (_, fits) => {
  await using it = await createWorkshop();
  it.story('cart', { verify: 'true' }, { one: {}, two: { blockedBy: ['one'] } });
  await killAt(it, fits);
  const { code, stdout, stderr } = await it.saga(['worker', 'cart']);
  expect({ code, stderr, stdout }).toMatchObject({ code: 0, stderr: '' });
  expect(it.pushedStatuses('cart')).toEqual({ one: 'completed', two: 'completed' });
  expect(it.github.pulls).toMatchObject([{ isDraft: false, state: 'OPEN' }]);
  const subjects = it.git('log', '--format=%s', 'main..origin/story/cart').trim().split('\n');
  for (const once of ['saga: begin story cart', 'one: Do one', 'two: Do two']) {
    expect(subjects.filter((it) => it === once)).toEqual([once]);
  }
  expect(await it.saga(['verify', 'cart'])).toMatchObject({ code: 0 });
  expect(leftRunning(it)).toEqual([]);
});
