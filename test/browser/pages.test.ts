import { mkdirSync } from 'node:fs';
import type { SessionsAnswer } from '@saga-ai/types/screens/dashboard';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  eventually,
  expectNoBarriers,
  expectNoOverflow,
  openScreen,
  type Screen,
  searchOf,
  textOf,
} from '../rig/screens/browser.ts';
import { createWorkedShop, type WorkedShop } from '../rig/worker/worked-shop.ts';

/** Real workers have been at work; every page shows what they left. */
const takesPictures = process.env.UPDATE_PICTURES === '1';
let shop: WorkedShop;
let screen: Screen;
let sessionOf: (story: string) => string;

beforeAll(async () => {
  const more: Record<string, number> = takesPictures ? { 'fix-logout': 0, 'search-index': 3 } : {};
  // The third has a question for a person.
  const run = { 'cart-model': 0, 'price-rules': 0, 'payment-adapter': 3, ...more };
  shop = await createWorkedShop({ run });
  await shop.hold('cart-api', 'endpoint-tests');
  if (takesPictures) await shop.hold('checkout-form', 'validation');
  shop.write('.saga/stories/broken/story.json', '{ "id": "broken",');
  screen = await openScreen(shop.paths, { env: shop.environment });
  const { items } = await screen.server.json<SessionsAnswer>('/api/sessions');
  sessionOf = (story) => items.find((it) => it.story === story)?.session ?? '';
});

afterAll(async () => {
  await screen?.[Symbol.asyncDispose]();
  await shop?.[Symbol.asyncDispose]();
});

test('home says what needs a person, what runs, what is next, and lists all', async () => {
  const page = await screen.open('/');
  const needsYou = page.getByRole('region', { name: 'Needs you' });
  await needsYou.getByText('Which payment provider sandbox?').waitFor();
  const running = page.getByRole('region', { name: 'Running' });
  await textOf(running).toMatch(/Cart API[\s\S]*Writing endpoint tests[\s\S]*2\/6[\s\S]*cycle 1/);
  const elapsed = () => running.textContent().then((it) => /\d+ s|\d+m\d+s/.exec(it ?? '')?.[0]);
  const before = await elapsed();
  await eventually(elapsed).not.toBe(before);
  await textOf(page.getByRole('region', { name: 'Epics' })).toMatch(/shop[\s\S]*0\/7/);
  const all = page.getByRole('region', { name: 'All stories' });
  await page.getByRole('searchbox', { name: 'Search stories' }).fill('receipt');
  await eventually(() => all.getByRole('listitem').count()).toBe(1);
  await textOf(all).toContain('waits for payment-adapter');
  await searchOf(page).toContain('q=receipt');
});

test('an epic is a graph whose nodes lead to stories, or a list', async () => {
  const page = await screen.open('/epics/shop-checkout');
  const graph = page.getByRole('region', { name: 'Dependencies of Checkout for the shop' });
  await graph.getByRole('link', { name: /Cart API/ }).waitFor();
  await eventually(() => graph.getByRole('link').count()).toBe(7);
  await textOf(graph.getByRole('link', { name: /Cart API/ })).toContain('Writing endpoint tests');
  const names = ['Receipts', 'Payment adapter', 'Price rules'];
  const fromLeft = async () => {
    const boxes = names.map((name) => graph.getByRole('link', { name }).boundingBox());
    const places = (await Promise.all(boxes)).map((box, i) => ({ name: names[i], x: box?.x ?? 0 }));
    return places.sort((a, b) => a.x - b.x).map(({ name }) => name);
  };
  await eventually(fromLeft).toEqual(['Price rules', 'Payment adapter', 'Receipts']);
  await eventually(() => graph.locator('.graph-edge').count()).toBe(8);
  await graph.getByRole('link', { name: /Receipts/ }).click();
  await page.getByRole('heading', { level: 1, name: 'Receipts' }).waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'List' }).click();
  await page.getByText('waits for payment-adapter').waitFor();
  await searchOf(page).toContain('view=list');
  await page.getByRole('link', { name: /Receipts/ }).click();
  await page.getByRole('heading', { level: 1, name: 'Receipts' }).waitFor();
});

test('an epic shows how its tasks came to be completed, as workers noted it', async () => {
  const page = await screen.open('/epics/shop-checkout');
  const progress = page.getByRole('region', { name: 'Progress' });
  await progress.getByRole('img', { name: /^1\d of 31 tasks completed; the first/ }).waitFor();
  await progress.getByText('neither git').waitFor({ state: 'detached' });
  await progress.getByText('When', { exact: true }).click();
  await progress.getByRole('link', { name: 'Price rules' }).click();
  await page.getByRole('heading', { level: 1, name: 'Price rules' }).waitFor();
});

test('a story shows its goal, tasks, journal, evidence, diff and sessions', async () => {
  const page = await screen.open('/stories/cart-model');
  await page.getByRole('heading', { level: 1, name: 'Cart model' }).waitFor();
  const text = (name: string) => textOf(page.getByRole('region', { name, exact: true }).first());
  await text('Goal').toMatch(/plain data[\s\S]*Avoid/);
  await page.getByText('Implement the cart model', { exact: true }).click();
  await page.getByText('One function a verb.').waitFor();
  await text('Journal').toMatch(/Decision[\s\S]*Lines are plain objects[\s\S]*Learning/);
  await text('Evidence').toMatch(/gate passed[\s\S]*verify[\s\S]*exit 0[\s\S]*sha256 [0-9a-f]{16}/);
  await text('Diff').toMatch(/src\/cart\/model\.ts\+11/);
  await text('Sessions').toMatch(/done[\s\S]*gate passed/);
  await page.getByRole('button', { name: 'Graph' }).click();
  await page.locator('.graph-edge').first().waitFor({ state: 'attached' });
  // The graph opens where its text can be read, which may not show the last task.
  await page.getByRole('button', { name: 'Fit the whole graph' }).click();
  await page.getByRole('link', { name: /Describe the model/ }).click();
  await page.getByText('Describe the model, as the story says.').waitFor();
  await eventually(() => page.url()).toMatch(/\/stories\/cart-model#task-model-docs$/);
});

test('a session is a transcript with tasks as headings and edits as diffs', async () => {
  const page = await screen.open(`/sessions/${sessionOf('cart-model')}`);
  await page.getByRole('heading', { name: /Implement the cart model/ }).waitFor();
  await page.getByRole('button', { name: /^Edit src\/cart\/model\.ts/ }).click();
  const changes = page.getByRole('region', { name: 'Changes' });
  await textOf(changes).toMatch(/- {2}return \[[\s\S]*\+ {2}const same/);
  await page.getByRole('navigation', { name: 'Timeline' }).getByText('Gate').click();
  await page.getByText('all tasks completed, gate passed ·').waitFor();
});

test('a file that cannot be read is told with its remedy', async () => {
  const page = await screen.open('/problems');
  await textOf(page.getByRole('main')).toMatch(
    /broken\/story\.json is not valid JSON[\s\S]*Fix the file[\s\S]*invalid-file/,
  );
});

/** With what a page shows last. */
const PAGES = (): [name: string, path: string, last: RegExp][] => [
  ['home', '/', /All stories\d+ stories/],
  ['epic', '/epics/shop-checkout', /Progress[\s\S]*When/],
  ['story', '/stories/payment-adapter', /Which payment provider sandbox\?/],
  ['evidence', '/stories/cart-model', /sha256/],
  ['session', `/sessions/${sessionOf('cart-model')}`, /Implement the cart model/],
  ['sessions', '/sessions', /gate passed/],
  ['problems', '/problems', /is not valid JSON/],
];

test('nothing hinders people: every page in the light, in the dark, on a tablet and on a phone', async () => {
  const page = await screen.open('/');
  for (const [name, path, last] of PAGES()) {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: 'light' });
    await screen.visit(page, path);
    await textOf(page.getByRole('main')).toMatch(last);
    await expectNoBarriers(page, { about: `${name} on a desktop` });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('html[data-theme=dark]').waitFor();
    await expectNoBarriers(page, { about: `${name} in the dark`, rules: ['color-contrast'] });
    await page.setViewportSize({ width: 1024, height: 768 });
    await expectNoBarriers(page, { about: `${name} on a tablet` });
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoOverflow(page, name);
    await expectNoBarriers(page, { about: `${name} on a phone` });
  }
});

test('nothing was refused and nothing went wrong', async () => {
  if (takesPictures) await takePictures();
  expect(screen.complaints).toEqual([]);
});

/** For README. */
async function takePictures(): Promise<void> {
  mkdirSync('docs/pictures', { recursive: true });
  const page = await screen.open('/');
  for (const [name, path] of PAGES()) {
    if (!['home', 'epic', 'story', 'session'].includes(name)) continue;
    await screen.visit(page, path);
    if (name === 'session') {
      await page.getByRole('button', { name: /Implement the cart model/ }).click();
      await page.getByRole('button', { name: /^Edit src/ }).click();
      await page.getByRole('button', { name: /^Bash echo/ }).click();
      await page.mouse.move(0, 0);
    }
    await page.waitForTimeout(600);
    await page.screenshot({ path: `docs/pictures/${name}.png` });
  }
}
