import { expect, test } from 'vitest';
import { PLAIN_ENVIRONMENT } from '../../rig/programs/run-program.ts';
import { createPlan, type Plan } from '../../rig/project/plan.ts';
import { openGit } from '../../rig/project/repository.ts';
import { eventually, openScreen, type Page } from '../../rig/screens/browser.ts';
import { startSilentWorker } from '../../rig/worker/silent-worker.ts';

const editor = (page: Page) => page.getByRole('textbox', { name: 'The plan as Markdown' });
const check = (page: Page) => page.getByRole('complementary', { name: 'Check' });
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true });
const json = (plan: Plan, path: string) => JSON.parse(plan.read(`.saga/${path}.json`));

function createCart(): Plan {
  const plan = createPlan();
  plan.story(
    'cart',
    { title: 'Cart', doneWhen: 'npm test passes.', verify: 'npm test', ticket: 7 },
    {
      tests: { status: 'completed', attempts: 2 },
      code: { blockedBy: ['tests'] },
      docs: { blockedBy: ['code'] },
    },
  );
  return plan;
}

test('texts are edited in place and saved into the files; what workers and others wrote stays', async () => {
  using plan = createCart();
  await using screen = await openScreen(plan.paths);
  const page = await screen.open('/stories/cart');
  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByLabel('Title').fill('Cart totals');
  await page.getByLabel('Guidance').first().fill('Plain functions.');
  await page.getByLabel('Avoid').fill('No new dependencies.');
  await page.getByLabel('May change').first().fill('src/**');
  await page.getByLabel('Verify').fill('npm run check');
  await page.getByLabel('Done when').nth(2).fill('The test passes.');
  await save(page).click();
  await page.getByText('Saved cart: 2 changes.').waitFor();
  expect(json(plan, 'stories/cart/story')).toEqual({
    ...{ id: 'cart', title: 'Cart totals', description: 'About cart.', ticket: 7 },
    ...{ guidance: 'Plain functions.', avoid: 'No new dependencies.', verify: 'npm run check' },
    ...{ writeFiles: ['src/**'], doneWhen: 'npm test passes.' },
  });
  expect(json(plan, 'stories/cart/code')).toMatchObject({ doneWhen: 'The test passes.' });
  expect(json(plan, 'stories/cart/tests')).toMatchObject({ status: 'completed', attempts: 2 });
  await page.getByText('Nothing is changed yet.').waitFor();
  expect(screen.complaints).toEqual([]);
});

test('tasks are moved, added and removed; a removed one is in the trash', async () => {
  using plan = createCart();
  await using screen = await openScreen(plan.paths);
  const page = await screen.open('/plan/cart');
  await page.getByRole('button', { name: 'Move Do docs up' }).click();
  await page.getByText('Do docs is task 2 of 3 now.').waitFor();
  await page.getByRole('button', { name: 'Remove Do code' }).click();
  await page.getByRole('button', { name: '+ Add a task' }).click();
  await page.getByLabel('Subject').nth(2).fill('Say it in the README');
  await save(page).click();
  await page.getByText(/Saved cart: \d changes/).waitFor();
  expect(json(plan, 'stories/cart/docs').blockedBy).toEqual(['tests']);
  expect(json(plan, 'stories/cart/say-it-in-the-readme').blockedBy).toEqual(['docs']);
  const git = openGit(PLAIN_ENVIRONMENT);
  expect(git(plan.root, 'for-each-ref', 'refs/saga/trash/edit')).toContain('cart');
  expect(() => plan.read('.saga/stories/cart/code.json')).toThrow();
});

test('a plan that changed on disk meanwhile is not overwritten: the text stays and the newer plan is shown', async () => {
  using plan = createCart();
  await using screen = await openScreen(plan.paths);
  const page = await screen.open('/plan/cart?view=markdown');
  await eventually(() => editor(page).inputValue()).toContain('About cart.');
  const mine = (await editor(page).inputValue()).replace('About cart.', 'Mine.');
  await editor(page).fill(mine);
  plan.write('.saga/stories/cart/story.json', {
    ...{ id: 'cart', title: 'Cart', description: 'Theirs.' },
  });
  const newer = page.getByRole('region', { name: 'The plan changed meanwhile' });
  await newer.waitFor();
  await eventually(() => save(page).isDisabled()).toBe(true);
  await newer.getByText('Show the newer plan').click();
  await newer.getByText('Theirs.').waitFor();
  expect(await editor(page).inputValue()).toBe(mine);
  // The draft and the question survive a reload.
  await page.reload();
  await newer.waitFor();
  await eventually(() => editor(page).inputValue()).toBe(mine);
  expect(json(plan, 'stories/cart/story').description).toBe('Theirs.');
  await newer.getByRole('button', { name: /Keep my text/ }).click();
  await save(page).click();
  await page.getByText(/Saved cart/).waitFor();
  expect(json(plan, 'stories/cart/story').description).toBe('Mine.');
  expect(screen.complaints).toEqual([]);
});

test('whoever has typed nothing sees the newer plan at once, and can take it instead of a draft', async () => {
  using plan = createCart();
  await using screen = await openScreen(plan.paths);
  const page = await screen.open('/plan/cart');
  const title = page.getByLabel('Title');
  await eventually(() => title.inputValue()).toBe('Cart');
  plan.write('.saga/stories/cart/story.json', { id: 'cart', title: 'Basket', description: 'x' });
  await eventually(() => title.inputValue()).toBe('Basket');
  await title.fill('Trolley');
  plan.write('.saga/stories/cart/story.json', { id: 'cart', title: 'Bag', description: 'x' });
  await page.getByRole('button', { name: /Take the newer plan/ }).click();
  await eventually(() => title.inputValue()).toBe('Bag');
  await page.getByRole('button', { name: 'Bring my changes back' }).waitFor();
});

test('while a worker works on the story nothing can be saved, and the page says why; the text stays', async () => {
  using plan = createCart();
  await using screen = await openScreen(plan.paths);
  const page = await screen.open('/plan/cart');
  await page.getByLabel('Title').fill('Trolley');
  const worker = await startSilentWorker(plan, 'cart');
  // The page may learn of the worker before or after the click; the server refuses in any case.
  const { version } = await screen.server.json<{ version: string }>('/api/plan/items/cart');
  const refused = await screen.server.act('/api/plan/items/cart', {
    content: { text: '## Trolley {#cart}\n' },
    version,
  });
  expect(refused).toMatchObject({ status: 409 });
  expect(refused.text).toContain('in-flight');
  await page.getByText(/Story cart is being worked on/).waitFor();
  await page.getByText('saga stop cart').first().waitFor();
  await eventually(() => save(page).isDisabled()).toBe(true);
  expect(await page.getByLabel('Title').inputValue()).toBe('Trolley');
  expect(json(plan, 'stories/cart/story').title).toBe('Cart');
  worker[Symbol.dispose]();
  await eventually(() => save(page).isDisabled()).toBe(false);
  await save(page).click();
  await page.getByText(/Saved cart/).waitFor();
  expect(json(plan, 'stories/cart/story').title).toBe('Trolley');
});

test('what cannot be saved is named at its field, and Markdown waits until it is mended', async () => {
  using plan = createCart();
  await using screen = await openScreen(plan.paths);
  const page = await screen.open('/plan/cart');
  await page.getByLabel('Title').fill('');
  await check(page).getByText('1 problem').waitFor();
  await eventually(() => page.getByLabel('Title').getAttribute('aria-invalid')).toBe('true');
  await check(page).getByRole('button', { name: 'show title' }).click();
  await eventually(() => page.evaluate('document.activeElement.dataset.field')).toBe('title');
  await eventually(() => save(page).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Markdown' }).click();
  await page.getByText('The form is not complete').waitFor();
  await page.getByRole('button', { name: 'Form' }).click();
  await page.getByLabel('Title').fill('Cart');
  await check(page).getByText('Valid').waitFor();
});

test('an epic is edited with its stories: a new story, and no story is removed', async () => {
  using plan = createPlan();
  plan.story('cart', { title: 'Cart', epic: 'shop' });
  plan.story('pay', { title: 'Pay', epic: 'shop' });
  plan.epic('shop', { cart: [], pay: ['cart'] }, { title: 'Shop' });
  await using screen = await openScreen(plan.paths);
  const page = await screen.open('/epics/shop');
  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByRole('button', { name: '+ Add a story' }).waitFor();
  expect(await page.getByRole('button', { name: 'Remove Cart' }).count()).toBe(0);
  await page.getByRole('button', { name: '+ Add a story' }).click();
  await page.getByLabel('Title').nth(3).fill('Refunds');
  await page.getByLabel('Title').nth(3).blur();
  await page.getByLabel('Let Refunds wait for').selectOption('pay');
  await save(page).click();
  await page.getByText(/Saved shop: 2 changes/).waitFor();
  expect(json(plan, 'epics/shop').children).toEqual([
    { id: 'cart', blockedBy: [] },
    { id: 'pay', blockedBy: ['cart'] },
    { id: 'refunds', blockedBy: ['pay'] },
  ]);
  expect(json(plan, 'stories/refunds/story')).toMatchObject({ epic: 'shop', title: 'Refunds' });
  await page.getByRole('button', { name: 'Markdown' }).click();
  await editor(page).fill('# Shop\n\n## Cart\n');
  await check(page).getByText('Story pay, refunds is missing in the document.').waitFor();
});
