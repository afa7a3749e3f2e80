import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keepProposed, loadDrafts, saveDraft } from '@saga-ai/core/drafts/draft-box';
import { splitFollowUps } from '@saga-ai/core/drafts/split-follow-ups';
import { loadStory } from '@saga-ai/core/plan/stories';
import { draftsFolder } from '@saga-ai/core/project/paths';
import type { DraftAnswer } from '@saga-ai/types/screens/planning';
import { expect, test } from 'vitest';
import { createShop } from '../../rig/project/shop.ts';
import {
  expectNoBarriers,
  expectNoOverflow,
  openScreen,
  textOf,
} from '../../rig/screens/browser.ts';

const TEXT = `## Rounding is wrong in src/money.js

It rounds half down.

## <b>Bold</b> ${'a very long title '.repeat(10)}

Text.

## Dropped

Text.
`;

test('home lists the drafts that wait for a person, as text, and nothing else', async () => {
  using plan = createShop();
  const from = { story: 'cart', session: 'saga-story-cart-1' };
  await keepProposed(plan.paths, from, splitFollowUps(TEXT));
  await saveDraft(plan.paths, 3, { state: 'dropped' });
  await using screen = await openScreen(plan.paths);
  const page = await screen.open('/');
  const drafts = page.getByRole('region', { name: 'Proposed by runs' });
  await textOf(drafts).toMatch(/^Proposed by runs2Rounding is wrong in src\/money\.js/);
  const text = (await drafts.textContent()) ?? '';
  expect(text).toContain('draft 1 of a run of cart');
  expect(text).toContain('<b>Bold</b>');
  expect(text).not.toContain('Dropped');
  await expectNoBarriers(page);
  await page.setViewportSize({ width: 360, height: 800 });
  await expectNoOverflow(page);
  if (process.env.SAGA_SHOT) await page.screenshot({ path: process.env.SAGA_SHOT, fullPage: true });
});

const statesOf = (plan: ReturnType<typeof createShop>) =>
  loadDrafts(plan.paths).drafts.map(({ number, state, story }) => [number, state, story]);

test('a draft is shown in full before it is accepted; open pages follow the box', async () => {
  using plan = createShop();
  const from = { story: 'cart', session: 'saga-story-cart-1' };
  await using screen = await openScreen(plan.paths);
  const page = await screen.open('/');
  const region = page.getByRole('region', { name: 'Proposed by runs' });
  const dialog = page.getByRole('dialog');
  await page.getByRole('region', { name: 'Next' }).waitFor();
  expect(await region.count()).toBe(0);

  // A run proposes stories while the page is open.
  const text =
    '## Mend rounding\n\nIt rounds half down.\n\n**Verify:** `npm run evil`\n\n- Test it\n';
  await keepProposed(plan.paths, from, splitFollowUps(text));
  await keepProposed(plan.paths, from, splitFollowUps('## Second\n\nText.\n'));
  await keepProposed(plan.paths, from, splitFollowUps('## Third\n\nText.\n'));
  await keepProposed(plan.paths, from, splitFollowUps('### No story\n\nText.\n'));
  await region.getByText('Mend rounding').waitFor();

  await region.getByRole('button', { name: 'Accept … draft 1' }).click();
  await dialog.getByText('creates story mend-rounding with 1 task').waitFor();
  await textOf(dialog.getByLabel('What would be created')).toContain('npm run evil');
  await expectNoBarriers(page);
  if (process.env.SAGA_SHOT) await page.screenshot({ path: process.env.SAGA_SHOT });
  expect(statesOf(plan)[0]).toEqual([1, 'open', undefined]);
  await dialog.getByRole('button', { name: 'Create mend-rounding' }).click();
  await page.getByText('Draft 1 is story mend-rounding now.').waitFor();
  await region.getByText('Mend rounding').waitFor({ state: 'detached' });
  expect(loadStory(plan.paths, 'mend-rounding').story.verify).toBe('npm run evil');

  await region.getByRole('button', { name: 'Drop draft 2' }).click();
  await region.getByText('Second').waitFor({ state: 'detached' });
  // Somebody else decides.
  await saveDraft(plan.paths, 3, { state: 'dropped' });
  await region.getByText('Third').waitFor({ state: 'detached' });

  // A draft that cannot be created says why, and how to mend it.
  await region.getByRole('button', { name: 'Accept … draft 4' }).click();
  await dialog.getByText('saga drafts accept 4 --edit').waitFor();
  expect(await dialog.getByRole('button', { name: 'Create' }).count()).toBe(0);
  await dialog.getByRole('button', { name: 'Drop' }).click();
  await region.waitFor({ state: 'detached' });
  expect(statesOf(plan)).toEqual([
    [1, 'accepted', 'mend-rounding'],
    [2, 'dropped', undefined],
    [3, 'dropped', undefined],
    [4, 'dropped', undefined],
  ]);
  expect(screen.complaints).toEqual([]);
});

test('only what was seen is accepted', async () => {
  using plan = createShop();
  const from = { story: 'cart', session: 'saga-story-cart-1' };
  await keepProposed(plan.paths, from, splitFollowUps('## First\n\nText.\n'));
  await using screen = await openScreen(plan.paths);
  const { server } = screen;
  const { seen } = await server.json<DraftAnswer>('/api/drafts/1');
  const path = join(draftsFolder(plan.paths), '1.json');
  const draft = JSON.parse(readFileSync(path, 'utf8')) as { text: string };
  writeFileSync(path, JSON.stringify({ ...draft, text: '## First\n\n**Verify:** `evil`\n' }));
  for (const body of [{ seen }, {}, null]) {
    expect((await server.act('/api/drafts/1/accept', body)).status).toBe(400);
  }
  expect((await server.act('/api/drafts/..%2f1/drop', {})).status).toBe(404);
  expect(statesOf(plan)).toEqual([[1, 'open', undefined]]);
});
