import { saveControl } from '@saga-ai/core/epic/control';
import { expect, test } from 'vitest';
import { runProgram, SAGA } from '../../rig/programs/run-program.ts';
import { createShop } from '../../rig/project/shop.ts';
import { startSilentEpic } from '../../rig/worker/silent-epic.ts';

test.each([
  ['the epic goes on with the story by itself', false, '  epic shop goes on with pay by itself'],
  ['a paused epic does so later', true, '  epic shop is paused; to resume: saga continue shop'],
])('after an answer, if the epic runs: %s', async (_, isPaused, says) => {
  using plan = createShop();
  using _epic = await startSilentEpic(plan, 'shop');
  saveControl(plan.paths, 'shop', { isPaused });
  const args = ['resolve', 'pay', '--with', 'Stripe.'];
  const { code, stdout } = await runProgram(SAGA, args, { cwd: plan.root });
  expect([code, stdout.trimEnd().split('\n').at(-1)]).toEqual([0, says]);
});

test('after an answer, if the epic does not run, a person starts the story', async () => {
  using plan = createShop();
  const args = ['resolve', 'pay', '--with', 'Stripe.'];
  const { stdout } = await runProgram(SAGA, args, { cwd: plan.root });
  expect(stdout.trimEnd().split('\n').at(-1)).toBe('  to resume: saga run pay');
});
