import { saveControl } from '@saga-ai/core/epic/control';
import { expect, test } from 'vitest';
import { runProgram, SAGA } from '../../rig/programs/run-program.ts';
import { createShop } from '../../rig/project/shop.ts';
import { startSilentEpic } from '../../rig/worker/silent-epic.ts';

test('saga status says below an epic what its run does', async () => {
  using plan = createShop();
  const status = async (...args: string[]) =>
    (await runProgram(SAGA, ['status', ...args], { cwd: plan.root })).stdout;
  expect(await status()).not.toContain('▸');
  using epic = await startSilentEpic(plan, 'shop', { startedAt: Date.now() - 600_000 });
  expect(await status()).toMatch(
    /^shop {2}epic .*\n {2}▸ running, 2 jobs, \d+m\d\ds: waits for you: pay\n/,
  );
  saveControl(plan.paths, 'shop', { isPaused: true, jobs: 3 });
  expect(await status('shop')).toMatch(/▸ paused, 3 jobs, \d+m\d\ds: waits for you: pay\n/);
  epic.end(60, { outcome: 'stopped', reason: 'stopped by you' });
  expect(await status('shop')).toContain('▸ ended after 1m00s: stopped by you\n');
  const refused = await runProgram(SAGA, ['status', '--watch'], { cwd: plan.root });
  expect([refused.code, refused.stderr]).toEqual([
    expect.any(Number),
    expect.stringContaining('--watch needs a terminal'),
  ]);
});
