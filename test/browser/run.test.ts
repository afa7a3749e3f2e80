import { setTimeout as sleep } from 'node:timers/promises';
import { type Policy, walkTasks } from '@saga-ai/model';
import { expect, test } from 'vitest';
import { eventually, openScreen, textOf } from '../rig/screens/browser.ts';
import { createTmuxServer } from '../rig/worker/tmux-server.ts';
import { createWorkshop } from '../rig/worker/workshop.ts';

/** The model waits while it works on this task until it is told to go on, so that each state can be looked at. */
function createPatientModel(heldTask: string) {
  const walk = walkTasks();
  let isHeld = true;
  const policy: Policy = async (conversation) => {
    const update = conversation.callsSincePrompt.findLast((call) => call.tool === 'TaskUpdate');
    const { taskId, status } = update?.input ?? {};
    while (isHeld && taskId === heldTask && status === 'in_progress') await sleep(20);
    return walk(conversation);
  };
  return {
    policy,
    goOn: () => {
      isHeld = false;
    },
  };
}

test('a story is run from its page, which shows each state as it comes, without a reload', async () => {
  const model = createPatientModel('two');
  await using it = await createWorkshop({ model: { policy: model.policy } });
  using tmux = createTmuxServer();
  it.story(
    'cart',
    { title: 'A cart', verify: 'true' },
    { one: {}, two: { blockedBy: ['one'] }, three: { blockedBy: ['two'] } },
  );
  const env = { ...it.environment, ...tmux.environment };
  await using screen = await openScreen(it.paths, { env });
  const page = await screen.open('/stories/cart');
  await page.evaluate('window.notReloaded = true');
  const main = page.getByRole('main');
  const state = (word: string) => main.locator('header').getByText(word, { exact: true }).waitFor();
  const tasks = page.getByRole('region', { name: 'Tasks', exact: true });
  const task = (name: string, word: string) =>
    tasks
      .locator('summary', { hasText: `Do ${name}` })
      .getByText(word, { exact: true })
      .waitFor();

  await state('ready');
  await tasks.getByText('0 of 3 completed').waitFor();
  await main.getByText('The gate runs when all tasks are completed').waitFor();
  await main.getByRole('button', { name: /Run/ }).click();

  await state('running');
  await task('one', 'done');
  await task('two', 'running');
  await task('three', 'waiting');
  await tasks.getByText('1 of 3 completed').waitFor();
  await main.getByRole('link', { name: /Do two.*cycle 1.*Watch/ }).waitFor();
  await main.getByRole('button', { name: 'Stop' }).waitFor();
  const sessions = page.getByRole('region', { name: 'Sessions', exact: true }).first();
  await sessions.getByText('running', { exact: true }).waitFor();

  model.goOn();
  await tasks.getByText('3 of 3 completed').waitFor();
  await state('in review');
  const evidence = page.getByRole('region', { name: 'Evidence' });
  await evidence.getByText('✓ gate passed').waitFor();
  await textOf(evidence).toMatch(/tasks[\s\S]*verify[\s\S]*\$ true[\s\S]*exit 0/);
  await sessions.getByText('all tasks completed, gate passed').waitFor();
  const pull = page.getByRole('link', { name: '#1' }).first();
  await eventually(() => pull.getAttribute('href')).toContain('/pull/1');
  await eventually(() => it.github.pulls[0]?.isDraft).toBe(false);
  expect(await page.evaluate('window.notReloaded')).toBe(true);
  expect(screen.complaints).toEqual([]);
});
