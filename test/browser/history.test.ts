import { execFileSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { formatSessionEvent } from '@saga-ai/types/run/format-event';
import type { EpicHistoryAnswer } from '@saga-ai/types/screens/dashboard';
import { expect, test } from 'vitest';
import { createPlan, type Plan } from '../rig/project/plan.ts';
import {
  eventually,
  expectNoBarriers,
  expectNoOverflow,
  openScreen,
} from '../rig/screens/browser.ts';
import { startSilentWorker } from '../rig/worker/silent-worker.ts';

const HOUR = 3600;
const NOON = Date.parse('2024-11-15T12:00:00Z') / 1000;

/** Two stories in an epic inside the epic that is looked at. */
function createNested(): Plan {
  const plan = createPlan();
  plan.epic('all', { shop: [] }, { title: 'All of it' });
  plan.epic('shop', { cart: [], pay: ['cart'] }, { title: 'The shop' });
  plan.story('cart', { title: 'The cart', epic: 'shop' }, { one: {}, two: {} });
  plan.story('pay', { title: 'Paying', epic: 'shop' }, { one: {}, two: {} });
  return plan;
}

function commit(plan: Plan, hours: number): void {
  const date = `${NOON + hours * HOUR} +0000`;
  const env = { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  const person = ['-c', 'user.name=P', '-c', 'user.email=p@example.org'];
  execFileSync('git', ['add', '-A'], { cwd: plan.root });
  execFileSync('git', [...person, 'commit', '-qm', 'Change'], { cwd: plan.root, env });
}

const done = { status: 'completed' };

test('an epic shows when its tasks were completed, at any depth, as git knows it', async () => {
  using plan = createNested();
  commit(plan, -9);
  plan.story('cart', { title: 'The cart', epic: 'shop' }, { one: done, two: {} });
  commit(plan, -6);
  plan.story('cart', { title: 'The cart', epic: 'shop' }, { one: done, two: done });
  commit(plan, -3);
  // Nobody has committed this one, and no worker did it.
  plan.story('pay', { title: 'Paying', epic: 'shop' }, { one: done, two: {} });
  await using screen = await openScreen(plan.paths);
  const history = () => screen.server.json<EpicHistoryAnswer>('/api/epics/all/history');
  await eventually(history).toMatchObject({
    tasks: { completed: 3, total: 4 },
    stories: { completed: 1, total: 2 },
    undated: 1,
    points: [
      { time: '2024-11-15T06:00:00.000Z', completed: 2 },
      { time: '2024-11-15T09:00:00.000Z', completed: 3, stories: [{ title: 'The cart' }] },
    ],
    isRead: true,
  });
  const page = await screen.open('/epics/all', { timezoneId: 'UTC' });
  const progress = page.getByRole('region', { name: 'Progress' });
  await progress
    .getByRole('img', {
      name: /^3 of 4 tasks completed; the first 15 Nov, 06:00, the last 15 Nov, 09:00/,
    })
    .waitFor();
  await progress.getByText('1 more task was completed at a time that neither').waitFor();
  await progress.getByText('When', { exact: true }).click();
  await eventually(() => progress.getByRole('row').allTextContents()).toEqual([
    'TimeTasksStories completed',
    '15 Nov, 09:003The cart',
    '15 Nov, 06:002',
  ]);
  await expectNoBarriers(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoOverflow(page);
  // Committed at last, it has a time. The commit changes no watched file, so something else has to.
  commit(plan, -1);
  plan.story('pay', { title: 'Paying it', epic: 'shop' }, { one: done, two: {} });
  await progress.getByRole('img', { name: /the last 15 Nov, 11:00/ }).waitFor();
  await progress.getByText('neither git').waitFor({ state: 'detached' });
  expect(screen.complaints).toEqual([]);
  expect((await screen.server.ask('/api/epics/nope/history')).status).toBe(404);
});

test('a task that a worker completes is added at once, and nothing before the first', async () => {
  using plan = createNested();
  using worker = await startSilentWorker(plan, 'cart');
  await using screen = await openScreen(plan.paths);
  const page = await screen.open('/epics/shop');
  const progress = page.getByRole('region', { name: 'Progress' });
  await progress.getByText('No task is completed yet.').waitFor();
  const note = (task: string, time: string) =>
    appendFileSync(
      worker.outputFile,
      formatSessionEvent({ time, type: 'task:status', task, to: 'completed' }),
    );
  note('one', new Date().toISOString());
  plan.story('cart', { title: 'The cart', epic: 'shop' }, { one: done, two: {} });
  await progress.getByRole('img', { name: /^1 of 4 tasks completed/ }).waitFor();
  await progress.getByText('neither git').waitFor({ state: 'detached' });
  // A time that is none is one nobody knows.
  note('two', 'yesterday');
  plan.story('cart', { title: 'The cart', epic: 'shop' }, { one: done, two: done });
  await progress.getByText('1 more task was completed at a time').waitFor();
  // Somebody opens both again.
  plan.story('cart', { title: 'The cart', epic: 'shop' }, { one: {}, two: {} });
  await progress.getByText('No task is completed yet.').waitFor();
  expect(screen.complaints).toEqual([]);
});

test('where nobody noted a time, that is said', async () => {
  using plan = createNested();
  plan.story('cart', { title: 'The cart', epic: 'shop' }, { one: done, two: {} });
  await using screen = await openScreen(plan.paths);
  const page = await screen.open('/epics/shop');
  await page
    .getByText('1 of 4 tasks completed; neither git nor an output file knows when.')
    .waitFor();
});
