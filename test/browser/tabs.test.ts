import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPlan, type Plan } from '../rig/project/plan.ts';
import { CLIENT, openScreen, type Page, type Screen } from '../rig/screens/browser.ts';
import { openDashboard } from '../rig/screens/dashboard.ts';

/** A browser opens at most six connections to a server; so many tabs need a shared stream. */
const TABS = 7;

let plan: Plan;
let screen: Screen;

beforeAll(async () => {
  plan = createPlan();
  plan.story('cart', { title: 'The cart' }, { one: {}, two: {}, three: {} });
  for (const id of ['ask-first', 'ask-last', 'ask-again']) {
    plan.story(id, { title: `Asking ${id}` });
    plan.write(`.saga/stories/${id}/journal.md`, '## Blocker: Which?\n\nA or B.\n');
  }
  screen = await openScreen(plan.paths);
});

afterAll(async () => {
  await screen?.[Symbol.asyncDispose]();
  plan?.[Symbol.dispose]();
});

const complete = (...ids: string[]) =>
  plan.story(
    'cart',
    { title: 'The cart' },
    Object.fromEntries(ids.map((id) => [id, { status: 'completed' }])),
  );

const resolve = async (page: Page, answer: string) => {
  await page.getByRole('textbox', { name: /Your answer/ }).fill(answer);
  await page.getByRole('button', { name: 'Resolve' }).click();
  await page.getByText(answer).first().waitFor();
};

test('more tabs than a browser has connections are all live, and each can act', async () => {
  const first = await screen.open('/stories/cart');
  const tabs: Page[] = [];
  for (let n = 1; n < TABS; n++) tabs.push(await screen.tab(first, '/stories/cart'));
  complete('one');
  await Promise.all([first, ...tabs].map((tab) => tab.getByText('1 of 3 completed').waitFor()));
  // Whoever opened the stream may leave.
  await first.close();
  complete('one', 'two');
  await Promise.all(tabs.map((tab) => tab.getByText('2 of 3 completed').waitFor()));
  for (const [tab, id] of [
    [tabs[0], 'ask-first'],
    [tabs.at(-1), 'ask-last'],
  ] as const) {
    if (!tab) throw new Error('There is no such tab.');
    await screen.visit(tab, `/stories/${id}`);
    await resolve(tab, `Answer to ${id}.`);
  }
  expect(screen.complaints).toEqual([]);
  await tabs[0]?.context().close();
});

test('a browser that cannot share a stream reads one of its own', async () => {
  const page = await screen.open('/problems');
  await page.addInitScript('delete window.SharedWorker');
  await screen.visit(page, '/stories/cart');
  complete('one', 'two', 'three');
  await page.getByText('3 of 3 completed').waitFor();
});

test('a page without the token shows nothing, and takes it from the printed address', async () => {
  const page = await screen.open('/stories/ask-again?token=wrong', { token: false });
  await page.getByText('This page is locked').waitFor();
  expect(await page.getByRole('button', { name: /Run|Stop|Resolve/ }).count()).toBe(0);
  expect(await page.getByText('Asking').count()).toBe(0);
  const other = await page.context().newPage();
  other.setDefaultTimeout(300_000);
  await other.goto(screen.origin);
  await other.getByText('This page is locked').waitFor();
  const field = page.getByRole('textbox', { name: 'Address or token' });
  await field.fill('http://127.0.0.1:1/?token=stale');
  await page.keyboard.press('Enter');
  await page.getByText('The server refuses this token.').waitFor();
  await field.fill(screen.server.dashboard.url);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Resolve' }).waitFor();
  // The other tab learns it without a reload.
  await other
    .getByRole('button', { name: /Run The cart|Run Asking/ })
    .first()
    .waitFor();
  await other.getByRole('status').getByText('live').waitFor({ state: 'attached' });
});

test('after a restart an open page acts again, without a new address', async () => {
  const page = await screen.open('/stories/ask-again');
  const { port } = screen.server.dashboard;
  await screen.server.dashboard.close();
  await page.getByText('connection lost').waitFor();
  await using _again = await openDashboard({ paths: plan.paths, clientFolder: CLIENT, port });
  await page.getByRole('status').getByText('live').waitFor();
  await resolve(page, 'After the restart.');
});
