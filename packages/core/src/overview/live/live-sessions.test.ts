import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { createPlan } from '../../../../../test/rig/project/plan.ts';
import { describeProcess } from '../../processes/identity.ts';
import { LiveSessions } from './live-sessions.ts';

test('that a worker was killed is found once, also if somebody asked for its session before', async () => {
  using plan = createPlan();
  plan.story('cart');
  const worker = spawn('sleep', ['1000'], { stdio: 'ignore' });
  await once(worker, 'spawn');
  const session = 'saga-story-cart-1';
  plan.write(`.git/saga/runs/sessions/${session}.json`, {
    ...{ version: 1, session, story: 'cart', ...describeProcess(worker.pid ?? 0) },
    ...{ outputFile: `${plan.root}/out.jsonl`, tmux: false, model: 'opus', cycle: 1 },
    ...{ startedAt: '2026-01-01T00:00:00.000Z', tokens: 0, costUsd: 0 },
  });
  const live = new LiveSessions(plan.paths, () => {});
  expect(live.find(session)?.state).toBe('running');
  expect(live.findDied()).toEqual([]);
  const ended = once(worker, 'exit');
  worker.kill('SIGKILL');
  await ended;
  // A page asks before the next look at the workers.
  expect(live.find(session)?.state).toBe('died');
  expect(live.findDied()).toEqual([session]);
  expect(live.findDied()).toEqual([]);
  live.close();
});
