import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createPlan } from '../rig/project/plan.ts';
import { CLIENT, openScreen } from '../rig/screens/browser.ts';

test('the first page is small', async () => {
  using plan = createPlan();
  for (let n = 0; n < 200; n++) plan.story(`story-${n}`, { title: `Story ${n}` });
  await using screen = await openScreen(plan.paths);
  const page = await screen.open('/');
  // As a browser that was never here.
  const client = await page.context().newCDPSession(page);
  await client.send('Network.setCacheDisabled', { cacheDisabled: true });
  // The other pages are loaded when this one is shown, which may be while the test still looks.
  await page.addInitScript('window.requestIdleCallback = () => 0');
  await page.goto('about:blank');
  const scripts: string[] = [];
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (pathname.endsWith('.js')) scripts.push(pathname);
  });
  await page.goto(screen.origin);
  await page
    .getByRole('link', { name: /Story 0/ })
    .first()
    .waitFor();
  expect(scripts.length).toBeGreaterThan(0);
  const size = scripts.reduce(
    (sum, path) => sum + gzipSync(readFileSync(join(CLIENT, path))).length,
    0,
  );
  console.info(`first page: ${Math.round(size / 1000)} kB of scripts, gzip`);
  expect(size).toBeLessThan(200_000);
});
