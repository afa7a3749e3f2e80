import { test } from 'vitest';
import { createPlan } from '../../rig/project/plan.ts';
import { expectNoBarriers, openScreen, textOf } from '../../rig/screens/browser.ts';

test('plans in older formats are named, with the command that takes them over', async () => {
  using plan = createPlan();
  plan.write('.saga/epics/shop/epic.md', '---\ntitle: Shop\n---\n');
  plan.write('.taskmaster/tasks/tasks.json', { master: { tasks: [] } });
  await using screen = await openScreen(plan.paths);
  const page = await screen.open('/');
  const old = page.getByRole('list', { name: 'Older plans' });
  await old.getByText('Markdown stories of an older SAGA').waitFor();
  await screen.visit(page, '/problems');
  await old.getByText('saga migrate', { exact: true }).first().waitFor();
  await textOf(old).toContain('.taskmaster/tasks/tasks.json');
  await expectNoBarriers(page);
});
