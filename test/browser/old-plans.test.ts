import { expect, test } from 'vitest';
import { createPlan } from '../rig/project/plan.ts';
import { findBarriers, openScreen } from '../rig/screens/browser.ts';

test('plans in older formats are named, with the command that takes them over', async () => {
  using plan = createPlan();
  plan.write('.saga/epics/shop/epic.md', '---\ntitle: Shop\n---\n');
  plan.write('.taskmaster/tasks/tasks.json', { master: { tasks: [] } });
  await using screen = await openScreen(plan.paths);
  const page = await screen.open('/');
  const old = page.getByRole('list', { name: 'Older plans' });
  await old.getByText('saga migrate markdown').waitFor();
  await screen.visit(page, '/problems');
  await old.getByText('saga migrate task-master').waitFor();
  expect(await old.textContent()).toContain('.taskmaster/tasks/tasks.json');
  expect(await findBarriers(page)).toEqual([]);
});
