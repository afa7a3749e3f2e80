import { renameSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createPlan, type Plan } from '../rig/project/plan.ts';
import { CLIENT, openScreen, settle, textOf } from '../rig/screens/browser.ts';
import { openDashboard } from '../rig/screens/dashboard.ts';

const HOME = '.saga/worktrees/cart/.saga/stories/cart';

/** A story that is worked on in its worktree. */
function createStarted(): Plan {
  const plan = createPlan();
  plan.story('cart', { title: 'The cart', epic: 'shop' }, { one: {}, two: {} });
  plan.story('other', { title: 'Another' });
  plan.epic('shop', { cart: [] });
  plan.write(`${HOME}/story.json`, {
    id: 'cart',
    title: 'The cart',
    description: 'D.',
    epic: 'shop',
  });
  for (const id of ['one', 'two']) plan.write(`${HOME}/${id}.json`, task(id, 'pending'));
  return plan;
}

const task = (id: string, status: string) => ({
  id,
  subject: `Do ${id}`,
  description: 'All.',
  status,
  blockedBy: [],
});

test('a task written in a worktree shows on every page at once, without a reload', async () => {
  using plan = createStarted();
  await using screen = await openScreen(plan.paths);
  const home = await screen.open('/');
  const story = await screen.open('/stories/cart');
  const epic = await screen.open('/epics/shop');
  await epic.getByRole('link', { name: /The cart/ }).waitFor();
  const row = home
    .getByRole('region', { name: 'All stories' })
    .getByRole('link', { name: /The cart/ });
  await textOf(row).toContain('0/2');
  await home.evaluate('window.notReloaded = true');
  plan.write(`${HOME}/one.json`, task('one', 'completed'));
  await textOf(row).toContain('1/2');
  await story.getByText('1 of 2 completed').waitFor();
  await textOf(epic.getByRole('link', { name: /The cart/ })).toContain('1/2');
  expect(await home.evaluate('window.notReloaded')).toBe(true);
  expect(screen.complaints).toEqual([]);
});

test('a project that is moved away is said to be gone, and is shown again when it is back', async () => {
  using plan = createStarted();
  await using screen = await openScreen(plan.paths);
  await screen.server.dashboard.isFollowing;
  const page = await screen.open('/');
  const all = page.getByRole('region', { name: 'All stories' });
  await all.getByRole('link', { name: /The cart/ }).waitFor();
  renameSync(plan.root, `${plan.root}-moved`);
  try {
    await page.getByText(`There is no plan in ${plan.root} any more.`).waitFor();
    expect(await page.getByText('Nothing is planned yet.').count()).toBe(0);
  } finally {
    renameSync(`${plan.root}-moved`, plan.root);
  }
  await all.getByRole('link', { name: /The cart/ }).waitFor();
});

test('what changed lights up once, and stays calm for those who want that', async () => {
  using plan = createStarted();
  await using screen = await openScreen(plan.paths);
  for (const [reducedMotion, status, lights] of [
    ['no-preference', 'completed', true],
    ['reduce', 'pending', false],
  ] as const) {
    const page = await screen.open('/stories/cart', { reducedMotion });
    await page.getByText(`${status === 'completed' ? 0 : 1} of 2 completed`).waitFor();
    await page.evaluate(`window.flashes = 0; const animate = Element.prototype.animate;
      Element.prototype.animate = function (...given) { window.flashes++; return animate.apply(this, given); }`);
    plan.write(`${HOME}/two.json`, task('two', status));
    await page.getByText(`${status === 'completed' ? 1 : 0} of 2 completed`).waitFor();
    await settle(page);
    expect((await page.evaluate<number>('window.flashes')) > 0).toBe(lights);
  }
});

test('a server that comes back is found again, and what was missed is shown', async () => {
  using plan = createStarted();
  await using screen = await openScreen(plan.paths);
  const { port } = screen.server.dashboard;
  const page = await screen.open('/stories/cart');
  await screen.server.dashboard.close();
  await page.getByText('connection lost').waitFor();
  plan.write(`${HOME}/one.json`, task('one', 'completed'));
  await using _again = await openDashboard({ paths: plan.paths, clientFolder: CLIENT, port });
  await page.getByText('1 of 2 completed').waitFor();
  await page.getByRole('status').getByText('live').waitFor();
});

test('a file that breaks is told, and told to be whole again', async () => {
  using plan = createStarted();
  await using screen = await openScreen(plan.paths);
  const page = await screen.open('/problems');
  await page.getByText('Every file can be read').waitFor();
  plan.write(`${HOME}/one.json`, '{ "id": ');
  await page.getByText(/one\.json is not valid JSON/).waitFor();
  await page.getByRole('link', { name: 'Problems 1' }).waitFor();
  plan.write(`${HOME}/one.json`, task('one', 'pending'));
  await page.getByText('Every file can be read').waitFor();
});
