import { Config } from '@saga-ai/types/config';
import { expect, test } from 'vitest';
import { createPlan } from '../../../../test/rig/project/plan.ts';
import { checkNotify } from './check-notify.ts';

const look = (plan: ReturnType<typeof createPlan>, notify: object) =>
  checkNotify(plan.paths, Config.parse({ notify }), { PATH: '/nowhere:/bin', HOME: plan.root }).map(
    ({ state, message }) => `${state}: ${message}`,
  );

test('what cannot tell a person is named, and what could not be told', () => {
  using plan = createPlan();
  expect(look(plan, {})).toEqual([]);
  expect(look(plan, { command: ['sh', '-c', 'cat'], bell: true })).toEqual([
    'ok: you are told by command, bell',
  ]);
  expect(look(plan, { command: ['~/no-such'] })).toEqual([
    `warning: ${plan.root}/no-such of notify.command was not found`,
  ]);
  expect(look(plan, { desktop: true })).toEqual(['warning: notify-send was not found']);
  plan.write('.git/saga/runs/told/cart.json', {
    ...{ version: 1, key: 'k', on: 'needs-you', time: '2026-01-01T00:00:00Z' },
    deliveries: [
      { by: 'bell' },
      { by: 'webhook', failure: 'example.com answered with status 500' },
    ],
  });
  plan.write('.git/saga/runs/told/pay.json', 'broken');
  expect(look(plan, { webhook: 'https://example.com/hook' })).toEqual([
    'warning: cart needs-you: not told by webhook: example.com answered with status 500',
  ]);
});
