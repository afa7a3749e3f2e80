import { spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { SAGA } from '../../rig/programs/run-program.ts';
import { createPlan, type Plan } from '../../rig/project/plan.ts';
import { type SilentWorker, startSilentWorker } from '../../rig/worker/silent-worker.ts';
import { createTmuxServer } from '../../rig/worker/tmux-server.ts';
import { expectFast } from '../measure/budget.ts';

const STORIES = 30;
const SECONDS = 10;
/** A tool call every two seconds is much for one worker: an event, its result, and its record. */
const CALLS_PER_SECOND = STORIES / 2;

test('saga watch with 30 running stories needs at most 5 % of a core', async () => {
  using plan = createPlan();
  const workers: SilentWorker[] = [];
  for (let i = 0; i < STORIES; i++) {
    const id = `story-${String(i).padStart(2, '0')}`;
    plan.story(id, {}, { one: {}, two: {} });
    workers.push(await startSilentWorker(plan, id));
  }
  using tmux = createTmuxServer();
  const saga = `env LANG=C.UTF-8 ${process.execPath} ${SAGA} watch --project ${plan.root}`;
  tmux.run('-u', 'new-session', '-d', '-x', '80', '-y', '24', 'sh', '-c', `${saga}; exec cat`);
  const screen = () => tmux.run('capture-pane', '-p');
  await expect.poll(screen, { timeout: 60_000 }).toContain('30 running');
  const shell = tmux.run('display', '-p', '#{pane_pid}').trim();
  const pid = Number(spawnSync('pgrep', ['-P', shell], { encoding: 'utf8' }).stdout.trim());
  await work(plan, workers, 2);
  const before = readCpu(pid);
  await work(plan, workers, SECONDS);
  const used = readCpu(pid) - before;
  expect(screen()).toMatch(/Edit src\/file-\d+\.ts/);
  for (const worker of workers) worker[Symbol.dispose]();
  // In milliseconds of ten seconds: 5 % are 500.
  expectFast(used, SECONDS * 50);
}, 120_000);

/** All workers call tools, evenly spread over the time. */
async function work(plan: Plan, workers: readonly SilentWorker[], seconds: number): Promise<void> {
  const start = performance.now();
  for (let call = 0; call < seconds * CALLS_PER_SECOND; call++) {
    const worker = workers[call % workers.length];
    if (worker) callTool(plan, worker, call);
    await sleep(Math.max(0, start + ((call + 1) * 1000) / CALLS_PER_SECOND - performance.now()));
  }
}

function callTool(plan: Plan, { session, outputFile }: SilentWorker, call: number): void {
  const time = new Date().toISOString();
  const tool = { time, type: 'run:tool', id: `c${call}`, name: 'Edit', kind: 'write' };
  const path = `src/file-${call}.ts`;
  const text = 'A line of what the tool said.\n'.repeat(40);
  for (const event of [
    { ...tool, summary: path, path, tokens: call * 100, costUsd: call / 100 },
    { time, type: 'run:result', id: `c${call}`, text },
  ]) {
    appendFileSync(outputFile, `${JSON.stringify(event)}\n`);
  }
  const file = `.git/saga/runs/sessions/${session}.json`;
  plan.write(file, {
    ...JSON.parse(plan.read(file)),
    activity: `Edit ${path}`,
    tokens: call * 100,
  });
}

/** Milliseconds of processor time. */
function readCpu(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
