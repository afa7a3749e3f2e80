import { keepProposed, saveDraft } from '@saga-ai/core/drafts/draft-box';
import { splitFollowUps } from '@saga-ai/core/drafts/split-follow-ups';
import { expect, test } from 'vitest';
import { createShop } from '../rig/project/shop.ts';
import { findBarriers, measureOverflow, openScreen } from '../rig/screens/browser.ts';

const TEXT = `## Rounding is wrong in src/money.js

It rounds half down.

## <b>Bold</b> ${'a very long title '.repeat(10)}

Text.

## Dropped

Text.
`;

test('home lists the drafts that wait for a person, as text, with the command that looks at one', async () => {
  using plan = createShop();
  const from = { story: 'cart', session: 'saga-story-cart-1' };
  await keepProposed(plan.paths, from, splitFollowUps(TEXT));
  await saveDraft(plan.paths, 3, { state: 'dropped' });
  await using screen = await openScreen(plan.paths);
  const page = await screen.open('/');
  const drafts = page.getByRole('region', { name: 'Proposed by runs' });
  await drafts.getByText('Rounding is wrong in src/money.js').waitFor();
  const text = (await drafts.textContent()) ?? '';
  expect(text).toMatch(/^Proposed by runs2Rounding/);
  expect(text).toContain('draft of a run of cart');
  expect(text).toContain('saga drafts show 1');
  expect(text).toContain('<b>Bold</b>');
  expect(text).not.toContain('Dropped');
  expect(await findBarriers(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 800 });
  expect(await measureOverflow(page)).toBeLessThanOrEqual(0);
  if (process.env.SAGA_SHOT) await page.screenshot({ path: process.env.SAGA_SHOT, fullPage: true });
});
