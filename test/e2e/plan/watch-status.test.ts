import { expect, test } from 'vitest';
import { createShop } from '../../rig/project/shop.ts';
import { startSilentEpic } from '../../rig/worker/silent-epic.ts';
import { startSilentWorker } from '../../rig/worker/silent-worker.ts';
import { openTerminal } from '../../rig/worker/terminal.ts';

test('saga status --watch shows stories, workers and runs of epics as they change', async () => {
  using plan = createShop();
  using terminal = openTerminal(plan.root, ['status', '--watch']);
  await terminal.shows(/^shop {2}epic/m);
  expect(terminal.text()).not.toContain('late-story');
  plan.story('late-story', {}, { one: {} });
  await terminal.shows(/○ late-story/);
  using worker = await startSilentWorker(plan, 'late-story');
  await terminal.shows(/● late-story/);
  worker.die();
  await terminal.shows(/◐ late-story .*interrupted/);
  using _epic = await startSilentEpic(plan, 'shop', { startedAt: Date.now() - 600_000 });
  await terminal.shows(/▸ running, 2 jobs/);
  terminal.type('C-c');
  await terminal.shows(/ended with 130$/m);
});

test('saga status --watch of an item that is not there ends at once', async () => {
  using plan = createShop();
  using terminal = openTerminal(plan.root, ['status', 'nothing', '--watch']);
  await terminal.shows(/nothing.*\n[\s\S]*ended with 1$/m);
});
