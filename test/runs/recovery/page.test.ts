import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createBegunStory } from '../../rig/project/begun-story.ts';
import { expectNoBarriers, openScreen } from '../../rig/screens/browser.ts';

test('the page of an interrupted story shows the evidence, asks, discards, and is ready again', async () => {
  using it = createBegunStory();
  it.put('new.txt', 'new\n');
  await using screen = await openScreen(it.paths, { env: it.env });
  const page = await screen.open('/stories/x');
  const section = page.getByRole('region', { name: 'In flight' });
  await section.getByText('worktree has 1 uncommitted file (new.txt)').waitFor();
  await section.getByText('A run goes on with task one.').waitFor();
  await expectNoBarriers(page);
  await section.getByRole('button', { name: 'Discard…' }).click();
  await section.getByRole('button', { name: 'Keep' }).click();
  expect(existsSync(it.worktree)).toBe(true);
  await section.getByRole('button', { name: 'Discard…' }).click();
  await section.getByRole('button', { name: 'Discard', exact: true }).click();
  await page.getByText('saga trash restore x').waitFor();
  await section.waitFor({ state: 'detached' });
  expect(existsSync(it.worktree)).toBe(false);
  expect(it.git('for-each-ref', 'refs/saga/trash')).toContain('refs/saga/trash/x/');
  expect(screen.complaints).toEqual([]);
});
