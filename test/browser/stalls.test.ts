import { expect, test } from 'vitest';
import { runProgram, SAGA } from '../rig/programs/run-program.ts';
import { createPlan } from '../rig/project/plan.ts';
import {
  eventually,
  expectNoBarriers,
  expectNoOverflow,
  openScreen,
  textOf,
} from '../rig/screens/browser.ts';
import { startSilentWorker } from '../rig/worker/silent-worker.ts';

test('a worker that falls silent needs a person, who is told since when and what to do', async () => {
  using plan = createPlan();
  plan.story('cart', { title: 'The cart' }, { one: { status: 'in_progress' }, two: {} });
  using worker = await startSilentWorker(plan, 'cart');
  await using screen = await openScreen(plan.paths);
  const home = await screen.open('/');
  const story = await screen.open('/stories/cart');
  await story.locator('header').getByText('running', { exact: true }).waitFor();
  await home.getByRole('region', { name: 'Running' }).getByText('The cart').waitFor();
  expect(await home.getByRole('region', { name: 'Needs you' }).count()).toBe(0);

  // On a busy machine it is silent for some minutes more before all of this is read.
  worker.write(12.5);
  const onHome = home.getByRole('region', { name: 'Needs you' });
  await onHome.getByText(/silent for 1\d min/).waitFor();
  await textOf(onHome).toMatch(/The cart[\s\S]*saga logs -f cart[\s\S]*saga stop cart/);
  await home.getByRole('region', { name: 'Running' }).getByText('stalled').waitFor();
  await eventually(() => home.title()).toContain('1 needs you');
  await story.locator('header').getByText('stalled', { exact: true }).waitFor();
  await textOf(story.getByRole('region', { name: 'Needs you' })).toMatch(
    /Stalled: silent for 1\d min[\s\S]*saga logs -f cart[\s\S]*saga stop cart/,
  );
  for (const page of [home, story]) {
    await expectNoBarriers(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoOverflow(page);
  }

  const status = await runProgram(SAGA, ['status'], { cwd: plan.root });
  expect(status.stdout).toMatch(
    /! cart +0\/2 +needs you: The worker is silent \(stalled, 1\d min\)/,
  );
  expect(status.stdout).toMatch(/1 needs you: cart\n {2}→ saga logs -f cart, or saga stop cart/);

  // The worker itself found its run silent, and asked.
  worker.write(0);
  worker.ask(6.5);
  await onHome.getByText(/silent for \d+ min, asked what it waits for/).waitFor();
  await story.getByText(/silent for \d+ min, asked what it waits for/).waitFor();
  const asked = await runProgram(SAGA, ['list'], { cwd: plan.root });
  expect(asked.stdout).toMatch(/The run is silent, asked what it waits for \(stalled, \d+ min\)/);

  worker.ask(undefined);
  await onHome.waitFor({ state: 'detached' });
  await story.locator('header').getByText('running', { exact: true }).waitFor();
  expect(screen.complaints).toEqual([]);
});
