import { expect, test } from 'vitest';
import { createPlan } from '../../../../test/rig/project/plan.ts';
import { loadSpent } from './spent.ts';

test('a story has spent what all its sessions spent, and nothing of other stories', () => {
  using plan = createPlan();
  const write = (story: string, timestamp: number, costUsd: number, tokens: number) => {
    const session = `saga-story-${story}-${timestamp}`;
    const place = { host: 'h', pid: 1, started: 1, outputFile: '/x', tmux: false };
    plan.write(`.git/saga/runs/sessions/${session}.json`, {
      ...{ version: 1, session, story, ...place, startedAt: '2026-01-01T00:00:00Z' },
      ...{ model: 'opus', cycle: 1, tokens, costUsd },
    });
  };
  expect(loadSpent(plan.paths, 'cart', 'none')).toEqual({ costUsd: 0, tokens: 0 });
  write('cart', 1, 1.5, 100);
  write('cart', 2, 2, 200);
  write('cart', 3, 9, 900);
  write('cart-api', 4, 50, 5000);
  plan.write('.git/saga/runs/sessions/saga-story-cart-5.json', 'no record');
  expect(loadSpent(plan.paths, 'cart', 'saga-story-cart-3')).toEqual({ costUsd: 3.5, tokens: 300 });
});
