import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describeProcess } from '@saga-ai/core/processes/identity';
import { expect, test } from 'vitest';
import { PLAIN_ENVIRONMENT, runProgram, SAGA } from '../../rig/programs/run-program.ts';
import type { Plan } from '../../rig/project/plan.ts';
import { createPlan } from '../../rig/project/plan.ts';
import { createShop } from '../../rig/project/shop.ts';
import { startSilentWorker } from '../../rig/worker/silent-worker.ts';

function writeSession(plan: Plan, story: string, timestamp: number, more: object = {}): void {
  const session = `saga-story-${story}-${timestamp}`;
  plan.write(`.git/saga/runs/sessions/${session}.json`, {
    ...{ version: 1, session, story, ...describeProcess(process.pid), outputFile: '/none' },
    ...{ tmux: false, model: 'opus', cycle: 1, tokens: 84_000, costUsd: 1.5 },
    startedAt: new Date(timestamp).toISOString(),
    endedAt: new Date(timestamp + 60_000).toISOString(),
    ...more,
  });
}

const HOUR = 3_600_000;
const END = { outcome: 'limit', reason: 'the time is up' };

test('saga costs adds up sessions, marks estimates, and says what is unknown', async () => {
  using plan = createPlan();
  plan.story('cart');
  plan.story('pay');
  plan.write('.saga/epics/shop.json', {
    ...{ id: 'shop', title: 'Shop', description: '' },
    children: [{ id: 'cart', blockedBy: [] }],
  });
  const costs = (...args: string[]) =>
    runProgram(SAGA, ['costs', ...args], { cwd: plan.root, env: { COLUMNS: '80' } });
  expect((await costs()).stdout).toBe('No sessions yet: nothing was spent on this machine.\n');
  const now = Date.now();
  writeSession(plan, 'cart', now - 48 * HOUR, END);
  writeSession(plan, 'cart', now - HOUR, { ...END, isCostEstimated: true, costUsd: 0.25 });
  const unknown = { isCostEstimated: true, isCostUnknown: true, costUsd: 9, tokens: 12_000 };
  writeSession(plan, 'pay', now - HOUR, { ...END, ...unknown, model: 'nobody-1' });
  expect((await costs()).stdout).toBe(
    [
      'story  sessions  runs  tokens              cost',
      'cart          2     2    168k            ~$1.75',
      'pay           1     1     12k           unknown',
      'all           3     3    180k  ~$1.75 + unknown',
      '',
      '~ is an estimate from tokens, by prices of 2026-11-16; a run says its cost at',
      'its end.',
      'unknown: no price is known for the model of 1 session.',
      '',
    ].join('\n'),
  );
  const since = await costs('--since', '1d', '--by', 'epic', '--json');
  expect(JSON.parse(since.stdout)).toMatchObject({
    ...{ by: 'epic', pricesOf: '2026-11-16', total: { sessions: 2, costUsd: 0.25, unknown: 1 } },
    rows: [
      { key: 'shop', sessions: 1, costUsd: 0.25, isCostEstimated: true },
      { key: '', sessions: 1, costUsd: 0, unknown: 1 },
    ],
  });
  const { code, stderr } = await costs('--since', 'tomorrow');
  expect([code, stderr]).toEqual([1, expect.stringContaining('--since is not a time: "tomorrow"')]);
});

test('saga wait ends when the worker does, with its exit code and one line', async () => {
  using plan = createShop();
  using worker = await startSilentWorker(plan, 'api');
  const child = spawn(process.execPath, [SAGA, 'wait', 'api', '--json'], {
    cwd: plan.root,
    env: PLAIN_ENVIRONMENT,
  });
  let printed = '';
  child.stdout.on('data', (text) => {
    printed += text;
  });
  const ended = once(child, 'close');
  // It waits although another session changes.
  writeSession(plan, 'web', Date.now(), END);
  writeSession(plan, 'api', Date.now(), { ...END, cycle: 2 });
  // The lock is the last sign of the worker.
  worker[Symbol.dispose]();
  expect(await ended).toEqual([2, null]);
  expect(JSON.parse(printed)).toMatchObject({
    ...{ for: 'ended', isReached: true, isTimeUp: false, exitCode: 2 },
    items: [{ id: 'api', exitCode: 2 }],
  });
});

test('saga wait gives up after its time, and names what it cannot wait for', async () => {
  using plan = createShop();
  using _worker = await startSilentWorker(plan, 'api');
  const wait = (...args: string[]) =>
    runProgram(SAGA, ['wait', ...args], { cwd: plan.root, env: { COLUMNS: '80' } });
  const late = await wait('api', '--for', 'in-review', '--timeout', '1s');
  expect([late.code, late.stdout]).toEqual([
    2,
    expect.stringMatching(
      /^! the time is up: api: running, Writing endpoint tests · 0\/2 tasks · waited \d/,
    ),
  ]);
  const asked = await wait('pay', 'api', '--for', 'needs-you');
  expect([asked.code, asked.stdout]).toEqual([3, expect.stringMatching(/^! pay: needs you, /)]);
  const wrong = await wait('api', '--timeout', 'soon');
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('--timeout 2h')]);
  const unknown = await wait('apj');
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('api')]);
});
