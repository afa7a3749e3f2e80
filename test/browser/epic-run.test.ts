import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadControl } from '@saga-ai/core/epic/control';
import { expect, test } from 'vitest';
import { createShop } from '../rig/project/shop.ts';
import {
  eventually,
  expectNoBarriers,
  expectNoOverflow,
  openScreen,
  searchOf,
  settle,
  textOf,
} from '../rig/screens/browser.ts';
import { startSilentEpic } from '../rig/worker/silent-epic.ts';
import { startSilentWorker } from '../rig/worker/silent-worker.ts';

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
  await textOf(head).toMatch(/1 of 3 merged.*\d+m\d\ds so far.*epic\/shop @ abc ✓/);
  await page.getByRole('list', { name: 'Stories over time' }).waitFor();
  await page.getByText('Conflict expected:').waitFor();
  const findSmallest = () =>
    page.evaluate<number>(
      "Math.min(...[...document.querySelectorAll('main *')].filter((it) => it.checkVisibility() && [...it.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '')).map((it) => parseFloat(getComputedStyle(it).fontSize)))",
    );
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoBarriers(page);
    await expectNoOverflow(page);
    await eventually(findSmallest).toBeGreaterThanOrEqual(11);
  }
  await page.setViewportSize({ width: 1440, height: 900 });

  await head.getByRole('button', { name: 'Pause' }).click();
  await head.getByText('paused', { exact: true }).waitFor();
  await head.getByRole('button', { name: 'One job more' }).click();
  await textOf(head.getByLabel('Jobs', { exact: true })).toBe('3');
  expect(loadControl(plan.paths, 'shop')).toEqual({ isPaused: true, jobs: 3 });
  await head.getByRole('button', { name: 'Continue' }).click();
  await head.getByText('waits for you', { exact: true }).waitFor();

  const holdUps = page.getByRole('region', { name: 'What holds it up' });
  await textOf(holdUps).toContain('holds up 1 story · on the critical path');
  await holdUps.getByRole('textbox').fill('Stripe.');
  await holdUps.getByRole('button', { name: 'Answer and go on' }).click();
  await holdUps.waitFor({ state: 'detached' });
  const journal = readFileSync(join(plan.root, '.saga/stories/pay/journal.md'), 'utf8');
  expect(journal).toMatch(/Resolution: Which sandbox\?\n\nStripe\./);

  // The story is looked at without leaving the page.
  await page.getByRole('list', { name: 'Stories over time' }).getByText('Story api').click();
  const inspector = page.getByRole('complementary', { name: 'Story Story api' });
  await inspector.getByRole('list', { name: 'Tasks' }).waitFor();
  await textOf(inspector).toContain('NeedsStory model, Story pay');
  await searchOf(page).toBe('?story=api');
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoBarriers(page);
    await expectNoOverflow(page);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await inspector.getByText('Story pay').click();
  const other = page.getByRole('complementary', { name: 'Story Story pay' });
  await other.getByRole('link', { name: 'Open story' }).waitFor();
  await settle(page);
  await page.keyboard.press('Escape');
  await other.waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Table' }).click();
  const rows = page.getByRole('region', { name: 'Table of stories' }).getByRole('row');
  await eventually(() => rows.count()).toBe(4);
  await page.getByRole('button', { name: 'Critical path' }).click();
  await searchOf(page).toBe('?view=table&show=critical');
  await page.reload();
  await eventually(() => rows.count()).toBe(3);
  await textOf(rows.nth(1)).toContain('Story pay');
  await searchOf(page).toBe('?view=table&show=critical');

  epic.end(180, { outcome: 'stopped', reason: 'stopped by you' });
  const report = page.getByRole('region', { name: 'Report' });
  await report.getByText('3m00s').waitFor();
  await textOf(report).toMatch(/Cost a story\$0\.20\$0\.20 for 1 merge/);
  await head.getByRole('button', { name: 'Run again' }).waitFor();
  await expectNoBarriers(page);
  expect(screen.complaints).toEqual([]);
});

test('the wall shows every worker, and a key opens its story with its transcript', async () => {
  using plan = createShop();
  using epic = await startSilentEpic(plan, 'shop', { startedAt: Date.now() - 1_800_000 });
  epic.worked('model', 1, 600);
  epic.tell(600, { type: 'epic:merge', story: 'model', into });
  epic.tell(610, { type: 'epic:merged', story: 'model', into, commit: 'abc', verified: 'gate' });
  plan.write('.saga/stories/pay/journal.md', '');
  using worker = await startSilentWorker(plan, 'pay');
  worker.write(0, { type: 'run:text', text: 'Two postings would deadlock here.' });
  epic.tell(620, { type: 'epic:started', story: 'pay', session: worker.session });
  await using screen = await openScreen(plan.paths);
  const page = await screen.open('/epics/shop?view=wall', { token: true });
  const head = page.getByRole('region', { name: 'Run', exact: true });
  await head.getByText('running', { exact: true }).waitFor();
  // One task of the one finished story took ten minutes.
  await textOf(head).toMatch(/~\d+ min left, done about \d\d:\d\d/);
  const tiles = page.getByRole('list', { name: 'Stories at work' });
  // How long the test takes is not known, so neither is any age.
  await textOf(tiles.getByRole('listitem').first()).toMatch(
    /Story pay1Writing endpoint tests · 2 of 2Bash npm test\d+m\d\ds\$0\.61(\d+m)?\d+ ?s ago/,
  );
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoBarriers(page);
    await expectNoOverflow(page);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await settle(page);
  await page.keyboard.press('1');
  const inspector = page.getByRole('complementary', { name: 'Story Story pay' });
  const tail = inspector.getByRole('log', { name: 'Last lines of the transcript' });
  await tail.getByText('Two postings would deadlock here.').waitFor();
  worker.write(0, { type: 'run:text', text: 'Now they are ordered by id.' });
  await tail.getByText('Now they are ordered by id.').waitFor();
  await inspector.getByRole('button', { name: 'Stop' }).waitFor();

  await page.getByRole('button', { name: 'Graph' }).click();
  const graph = page.getByRole('region', { name: 'Dependencies of Epic shop' });
  await graph.getByText('Story api').click();
  await page.getByRole('complementary', { name: 'Story Story api' }).waitFor();
  await expectNoBarriers(page);
  expect(screen.complaints).toEqual([]);
});
