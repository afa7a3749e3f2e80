import { expect, test } from 'vitest';
import { createPlan } from '../rig/project/plan.ts';
import { expectNoOverflow, openScreen, textOf } from '../rig/screens/browser.ts';
import { startSilentWorker } from '../rig/worker/silent-worker.ts';

const WAITS = { for: 'usage-limit', until: '2099-01-01T14:05:00.000Z', reason: 'limit' };

test('every page says until when a worker waits, and that its cost is an estimate', async () => {
  using plan = createPlan();
  plan.story('cart', { title: 'The cart' }, { one: { status: 'in_progress' }, two: {} });
  using worker = await startSilentWorker(plan, 'cart');
  const file = `.git/saga/runs/sessions/${worker.session}.json`;
  plan.write(file, { ...JSON.parse(plan.read(file)), waiting: WAITS, isCostEstimated: true });
  await using screen = await openScreen(plan.paths);
  const page = await screen.open('/');
  for (const path of ['/', '/stories/cart', '/sessions']) {
    await screen.visit(page, path);
    const main = page.locator('main');
    await main.getByText('waits for a usage limit until 2099-01-01 14:05 UTC').first().waitFor();
    await textOf(main).toContain('~$0.61');
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoOverflow(page);
    await page.setViewportSize({ width: 1440, height: 900 });
  }
  plan.write(file, { ...JSON.parse(plan.read(file)), isCostUnknown: true });
  await screen.visit(page, '/sessions');
  await page.getByRole('cell', { name: 'unknown' }).waitFor();
  expect(screen.complaints).toEqual([]);
});
