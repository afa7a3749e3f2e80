import { expect, test } from 'vitest';
import { openScreen } from '../rig/browser.ts';
import { createTmuxServer } from '../rig/tmux-server.ts';
import { createWorkshop } from '../rig/workshop.ts';

test('a story is run from its page, which shows it once it is ready for review', async () => {
  await using it = await createWorkshop();
  using tmux = createTmuxServer();
  it.story('cart', { title: 'A cart', verify: 'true' }, { one: {}, two: { blockedBy: ['one'] } });
  const env = { ...it.environment, ...tmux.environment };
  await using screen = await openScreen(it.paths, { env });
  const page = await screen.open('/stories/cart', { token: true });
  await page.getByRole('button', { name: /Run/ }).click();
  await page.getByText('done', { exact: true }).first().waitFor({ timeout: 15_000 });
  await page.getByText('2 of 2 completed', { exact: false }).first().waitFor();
  expect(await page.getByRole('link', { name: '#1' }).first().getAttribute('href')).toContain(
    '/pull/1',
  );
  await expect.poll(() => it.github.pulls[0]?.isDraft, { timeout: 10_000 }).toBe(false);
  await page.getByText('all tasks completed, gate passed').first().waitFor({ timeout: 10_000 });
  expect(screen.complaints).toEqual([]);
});
