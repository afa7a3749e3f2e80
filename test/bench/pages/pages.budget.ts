import { test } from 'vitest';
import { createLongLog, LONG_SESSION } from '../../rig/project/long-log.ts';
import { createPlan } from '../../rig/project/plan.ts';
import { openScreen } from '../../rig/screens/browser.ts';
import { expectFast } from '../measure/budget.ts';

test('the first page, as a browser sees it that was never here', async () => {
  using plan = createPlan();
  for (let n = 0; n < 200; n++) plan.story(`story-${n}`, { title: `Story ${n}` });
  await using screen = await openScreen(plan.paths);
  const page = await screen.open('/');
  const times: number[] = [];
  for (let run = 0; run < 5; run++) {
    const client = await page.context().newCDPSession(page);
    await client.send('Network.setCacheDisabled', { cacheDisabled: true });
    await page.goto(screen.origin);
    await page
      .getByRole('link', { name: /Story 0/ })
      .first()
      .waitFor();
    times.push((await page.evaluate('performance.now()')) as number);
  }
  expectFast(times.toSorted((a, b) => a - b)[2] ?? Number.NaN, 1000);
});

test('a task that is written shows on the page', async () => {
  using plan = createPlan();
  plan.story('cart', {}, { one: {}, two: {} });
  await using screen = await openScreen(plan.paths);
  const page = await screen.open('/');
  // The observer sees it when the page does, without asking over the wire again and again.
  const seen = page.evaluate(`new Promise((resolve) => {
    const look = () => document.body.textContent.includes('1/2') && resolve(performance.now());
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
  })`);
  const before = (await page.evaluate('performance.now()')) as number;
  plan.story('cart', {}, { one: { status: 'completed' } });
  // Besides the 100 ms that are aimed at: the watcher's own wait, and a machine that does much else.
  expectFast(((await seen) as number) - before, 1000);
});

test('a log of 50,000 events opens at its end', async () => {
  using plan = createLongLog();
  await using screen = await openScreen(plan.paths);
  const page = await screen.open(`/sessions/${LONG_SESSION}`);
  await page.getByRole('button', { name: /echo 24999 / }).waitFor();
  // Aimed at is a second, on a machine that does nothing else.
  expectFast((await page.evaluate('performance.now()')) as number, 3000);
});
