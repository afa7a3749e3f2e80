import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadControl } from '@saga-ai/core/epic/control';
import { expect, test } from 'vitest';
import { createShop } from '../rig/project/shop.ts';
import { findBarriers, measureOverflow, openScreen } from '../rig/screens/browser.ts';
import { startSilentEpic } from '../rig/worker/silent-epic.ts';

const WIDTHS = [1440, 1024, 390];
const into = 'epic/shop';

test('the run of an epic is watched, paused, answered and reported on one page', async () => {
  using plan = createShop();
  using epic = await startSilentEpic(plan, 'shop', { startedAt: Date.now() - 120_000 });
  epic.worked('model', 1, 30);
  epic.tell(30, { type: 'epic:merge', story: 'model', into });
  epic.tell(32, { type: 'epic:merged', story: 'model', into, commit: 'abc', verified: 'gate' });
  epic.worked('pay', 33, 60, { outcome: 'needs-you' });
  epic.tell(60, { type: 'epic:ended', story: 'pay', kind: 'needs-you', reason: 'a question' });
  epic.tell(61, { type: 'epic:foretold', stories: ['pay', 'api'], files: ['src/a.ts'] });
  await using screen = await openScreen(plan.paths);
  const page = await screen.open('/epics/shop', { token: true });
  const head = page.getByRole('region', { name: 'Run', exact: true });
  await head.getByText('waits for you', { exact: true }).waitFor();
  expect(await head.textContent()).toMatch(/1 of 3 merged.*\d+m\d\ds so far.*epic\/shop @ abc ✓/);
  await page.getByRole('list', { name: 'Stories over time' }).waitFor();
  await page.getByText('Conflict foretold:').waitFor();
  const findSmallest = () =>
    page.evaluate<number>(
      "Math.min(...[...document.querySelectorAll('main *')].filter((it) => it.checkVisibility() && [...it.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '')).map((it) => parseFloat(getComputedStyle(it).fontSize)))",
    );
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    expect(await findBarriers(page)).toEqual([]);
    expect(await measureOverflow(page)).toBe(0);
    expect(await findSmallest()).toBeGreaterThanOrEqual(11);
  }
  await page.setViewportSize({ width: 1440, height: 900 });

  await head.getByRole('button', { name: 'Pause' }).click();
  await head.getByText('paused', { exact: true }).waitFor();
  await head.getByRole('button', { name: 'One job more' }).click();
  await expect.poll(() => head.getByLabel('Jobs', { exact: true }).textContent()).toBe('3');
  expect(loadControl(plan.paths, 'shop')).toEqual({ isPaused: true, jobs: 3 });
  await head.getByRole('button', { name: 'Continue' }).click();
  await head.getByText('waits for you', { exact: true }).waitFor();

  const holdUps = page.getByRole('region', { name: 'What holds it up' });
  expect(await holdUps.textContent()).toContain('holds up 1 story · on the critical path');
  await holdUps.getByRole('textbox').fill('Stripe.');
  await holdUps.getByRole('button', { name: 'Answer and go on' }).click();
  await holdUps.waitFor({ state: 'detached' });
  const journal = readFileSync(join(plan.root, '.saga/stories/pay/journal.md'), 'utf8');
  expect(journal).toMatch(/Resolution: Which sandbox\?\n\nStripe\./);

  await page.getByRole('button', { name: 'Table' }).click();
  await page.getByRole('button', { name: 'Critical path' }).click();
  await page.reload();
  expect(new URL(page.url()).search).toBe('?view=table&show=critical');
  const rows = page.getByRole('region', { name: 'Table of stories' }).getByRole('row');
  await expect.poll(() => rows.count()).toBe(3);
  expect((await rows.allTextContents())[1]).toContain('Story pay');

  epic.end(180, { outcome: 'stopped', reason: 'stopped by you' });
  const report = page.getByRole('region', { name: 'Report' });
  await report.getByText('3m00s').waitFor();
  expect(await report.textContent()).toMatch(/Cost a story\$0\.20\$0\.20 for 1 merge/);
  await head.getByRole('button', { name: 'Run again' }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  expect(screen.complaints).toEqual([]);
});
