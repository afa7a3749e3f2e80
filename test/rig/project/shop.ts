import { createPlan, type Plan } from './plan.ts';

/** A shop: one story done, one that waits for a person, one that waits for both. */
export function createShop(): Plan {
  const plan = createPlan();
  plan.story('model', { epic: 'shop', labels: ['base'] }, { a: {} });
  plan.done('model');
  plan.story('pay', { epic: 'shop' }, { a: { status: 'completed' }, b: {} });
  plan.story('api', { epic: 'shop' }, { a: {}, b: { blockedBy: ['a'] } });
  plan.story('loose', { title: 'A loose end' });
  plan.epic('shop', { model: [], pay: ['model'], api: ['model', 'pay'] });
  plan.write('.saga/stories/pay/journal.md', '## Blocker: Which sandbox?\n\nStripe or Adyen.\n');
  return plan;
}

/** The record of a session that ended. */
export const endedSession = (timestamp: number, story = 'pay') => ({
  version: 1,
  session: `saga-story-${story}-${timestamp}`,
  story,
  host: 'elsewhere',
  pid: 1,
  started: 1,
  outputFile: '/nowhere.jsonl',
  tmux: true,
  startedAt: new Date(timestamp).toISOString(),
  endedAt: new Date(timestamp + 1000).toISOString(),
  outcome: 'needs-you',
  model: 'opus',
  cycle: 1,
  tokens: 10,
  costUsd: 0.1,
});
