import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPlan, type Plan } from '../rig/project/plan.ts';
import {
  eventually,
  expectNoBarriers,
  openScreen,
  type Page,
  type Screen,
  settle,
  textOf,
} from '../rig/screens/browser.ts';

let plan: Plan;
let screen: Screen;

beforeAll(async () => {
  plan = createPlan();
  plan.epic('shop', { cart: [], pay: ['cart'] }, { title: 'The shop' });
  plan.story('cart', { title: 'The cart', epic: 'shop' });
  plan.story('pay', { title: 'Paying', epic: 'shop' });
  for (let n = 0; n < 400; n++) plan.story(`more-${n}`, { title: `More ${n}` });
  screen = await openScreen(plan.paths);
});

afterAll(async () => {
  await screen?.[Symbol.asyncDispose]();
  plan?.[Symbol.dispose]();
});

const focused = (page: Page) => () =>
  page.evaluate('document.activeElement.getAttribute("href") ?? document.activeElement.tagName');

test('the palette goes to stories, epics and pages', async () => {
  const page = await screen.open('/');
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: /Go to/ });
  await field.fill('payi');
  const first = page.getByRole('listbox', { name: 'Found' }).getByRole('option').first();
  await textOf(first).toContain('Paying');
  await expectNoBarriers(page);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Paying' }).waitFor();
  await page.keyboard.press('Meta+k');
  await field.fill('the shop');
  await textOf(first).toContain('The shop');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/epics/shop');
  await page.keyboard.press('Control+k');
  await field.fill('probl');
  await eventually(() => page.getByRole('option').count()).toBe(1);
  await page.keyboard.press('Escape');
  await field.waitFor({ state: 'detached' });
  await settle(page);
  expect(page.url()).not.toContain('/problems');
});

test('the palette finds any of very many, and what is called exactly so first', async () => {
  using many = createPlan();
  for (let n = 0; n < 500; n++) {
    const children = Object.fromEntries([0, 1].map((i) => [`story-${n * 2 + i}`, []]));
    many.epic(`epic-${n}`, children, { title: `Epic number ${n}` });
    for (const id of Object.keys(children))
      many.story(id, { epic: `epic-${n}`, title: `About ${id}` });
  }
  // Alike in every other way, and last by state.
  many.done('story-1');
  await using wide = await openScreen(many.paths);
  const page = await wide.open('/');
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: /Go to/ });
  const options = () =>
    page.getByRole('listbox', { name: 'Found' }).getByRole('option').allTextContents();
  await field.fill('number 499');
  await eventually(async () => (await options())[0]).toContain('epic epic-499');
  await field.fill('epic-4');
  await eventually(async () => (await options())[0]).toMatch(/Epic number 4epic epic-4$/);
  await field.fill('story-1');
  await eventually(async () => (await options())[0]).toContain('About story-1story story-1');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/stories/story-1');
  expect(wide.complaints).toEqual([]);
});

test('j and k walk over rows, Enter opens, / searches, ? helps', async () => {
  const page = await screen.open('/');
  await page
    .getByRole('link', { name: /More 0/ })
    .first()
    .waitFor();
  await settle(page);
  await page.keyboard.press('j');
  await eventually(focused(page)).toBe('/stories/cart');
  await page.keyboard.press('j');
  await eventually(focused(page)).toBe('/stories/more-0');
  await page.keyboard.press('k');
  await eventually(focused(page)).toBe('/stories/cart');
  await page.keyboard.press('/');
  await page.keyboard.type('paying jk?');
  await eventually(() => page.getByRole('searchbox').inputValue()).toBe('paying jk?');
  await page.getByText('No story matches.').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard help' }).waitFor();
  await expectNoBarriers(page);
  await page.keyboard.press('Escape');
  await page.keyboard.press('k');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/(stories|epics)\//);
});

test('a key pressed right after a dialog was closed is not lost', async () => {
  const page = await screen.open('/');
  await page
    .getByRole('link', { name: /More 0/ })
    .first()
    .waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard help' }).waitFor();
  // In one task of the page, so that nothing it does about the closed dialog comes in between.
  await page.evaluate(`
    document.querySelector('dialog[open]').close();
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true }));
  `);
  await eventually(focused(page)).toBe('/stories/cart');
});

test('a long list holds only what is in sight, and loads more', async () => {
  const page = await screen.open('/?sort=id');
  const all = page.getByRole('region', { name: 'All stories' });
  await all.getByText('402 stories').waitFor();
  const rows = all.getByRole('listitem');
  await rows.first().waitFor();
  expect(await rows.count()).toBeLessThan(80);
  const last = all.getByRole('link', { name: /Paying/ });
  await eventually(async () => {
    await page.mouse.wheel(0, 3000);
    return last.count();
  }).toBe(1);
  expect(await rows.count()).toBeLessThan(80);
});

test('the theme follows the system until one is chosen, which is kept', async () => {
  const page = await screen.open('/', { colorScheme: 'dark' });
  const ground = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
  const dark = await ground();
  await page.emulateMedia({ colorScheme: 'light' });
  await eventually(ground).not.toBe(dark);
  const light = await ground();
  const choose = page.getByRole('button', { name: /switch to/ });
  await choose.click();
  await choose.click();
  await eventually(ground).toBe(dark);
  await page.reload();
  expect(await ground()).toBe(dark);
  await choose.click();
  await eventually(ground).toBe(light);
});
