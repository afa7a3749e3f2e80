import { expect, test } from 'vitest';
import { runProgram, SAGA } from '../rig/programs/run-program.ts';
import { createPlan } from '../rig/project/plan.ts';
import { findBarriers, measureOverflow, openScreen } from '../rig/screens/browser.ts';
import { startSilentWorker } from '../rig/worker/silent-worker.ts';

test('a worker that falls silent needs a person, who is told since when and what to do', async () => {
  using plan = createPlan();
  plan.story('cart', { title: 'The cart' }, { one: { status: 'in_progress' }, two: {} });
  using worker = await startSilentWorker(plan, 'cart');
  await using screen = await openScreen(plan.paths);
  const home = await screen.open('/');
  const story = await screen.open('/stories/cart');
  await story.locator('header').getByText('running', { exact: true }).waitFor();
  expect(await home.getByRole('region', { name: 'Needs you' }).count()).toBe(0);

  // Not at the turn of a minute: the page's clock may have stood still for a second.
  worker.write(12.5);
  const onHome = home.getByRole('region', { name: 'Needs you' });
  await onHome.getByText('silent for 12 min').waitFor();
  expect(await onHome.textContent()).toMatch(
    /The cart[\s\S]*saga logs -f cart[\s\S]*saga stop cart/,
  );
  await home.getByRole('region', { name: 'Running' }).getByText('stalled').waitFor();
  expect(await home.title()).toContain('1 needs you');
  await story.locator('header').getByText('stalled', { exact: true }).waitFor();
  expect(await story.getByRole('region', { name: 'Needs you' }).textContent()).toMatch(
    /Stalled: silent for 12 min[\s\S]*saga logs -f cart[\s\S]*saga stop cart/,
  );
  for (const page of [home, story]) {
    expect(await findBarriers(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await measureOverflow(page)).toBe(0);
  }

  const status = await runProgram(SAGA, ['status'], { cwd: plan.root });
  expect(status.stdout).toMatch(
    /! cart +0\/2 +needs you: The worker is silent \(stalled, 1[23] min\)/,
  );
  expect(status.stdout).toMatch(/1 needs you: cart\n {2}→ saga logs -f cart, or saga stop cart/);

  // The worker itself found its run silent, and asked.
  worker.write(0);
  worker.ask(6.5);
  await onHome.getByText('silent for 6 min, asked what it waits for').waitFor();
  await story.getByText('silent for 6 min, asked what it waits for').waitFor();
  const asked = await runProgram(SAGA, ['list'], { cwd: plan.root });
  expect(asked.stdout).toMatch(/The run is silent, asked what it waits for \(stalled, [67] min\)/);

  worker.ask(undefined);
  await onHome.waitFor({ state: 'detached' });
  await story.locator('header').getByText('running', { exact: true }).waitFor();
  expect(screen.complaints).toEqual([]);
});
