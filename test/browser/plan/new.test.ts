import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPlan } from '../../rig/project/plan.ts';
import { eventually, openScreen, type Page, textOf } from '../../rig/screens/browser.ts';

const editor = (page: Page) => page.getByRole('textbox', { name: 'The plan as Markdown' });
const check = (page: Page) => page.getByRole('complementary', { name: 'Check' });

const CHECKOUT = `# Checkout

## Cart totals

**Done when:** \`npm test\` passes.
**Verify:** \`npm test\`

- Write tests in test/cart.test.js

## Receipts

after: cart-totals

**Done when:** \`npm test\` passes.

- Print a receipt by src/receipt.js
`;

test('a template becomes a plan: slips are named with their line, the tree is shown, and a click creates it', async () => {
  using plan = createPlan();
  plan.write('.saga/templates/bug.md', '## What is broken\n');
  await using screen = await openScreen(plan.paths);
  const page = await screen.open('/');
  await page.getByRole('link', { name: 'Write a plan here' }).click();
  await page.getByRole('button', { name: 'bug', exact: true }).click();
  await eventually(() => editor(page).inputValue()).toBe('## What is broken\n');
  await page.getByRole('button', { name: 'epic', exact: true }).click();
  await eventually(() => editor(page).inputValue()).toContain('# Title of the epic');
  await eventually(() => page.getByRole('button', { name: 'Create' }).isDisabled()).toBe(true);

  await editor(page).fill(CHECKOUT.replace('after: cart-totals', 'after: card-totals'));
  await check(page).getByText('1 problem').waitFor();
  await check(page).getByRole('button', { name: 'line 12' }).click();
  const selected = () => page.evaluate('document.getSelection().toString()');
  await eventually(selected).toBe('after: card-totals');
  await eventually(() => page.getByRole('button', { name: 'Create' }).isDisabled()).toBe(true);

  await editor(page).fill(CHECKOUT);
  await check(page).getByText('Valid').waitFor();
  await textOf(check(page)).toMatch(/Receipts\s*receipts · after cart-totals/);
  await page.getByRole('button', { name: 'Create' }).click();
  // Before the heading of the next page, because a notice goes after ten seconds.
  await page.getByText('Created epic checkout: 2 stories, 2 tasks.').waitFor();
  await page.getByRole('heading', { level: 1, name: 'Checkout' }).waitFor();
  await page.waitForURL('**/epics/checkout*');
  const epic = JSON.parse(plan.read('.saga/epics/checkout.json'));
  expect(epic.children).toEqual([
    { id: 'cart-totals', blockedBy: [] },
    { id: 'receipts', blockedBy: ['cart-totals'] },
  ]);
  // What was created is no draft any more.
  await screen.visit(page, '/plan/new');
  await eventually(() => editor(page).inputValue()).toContain('Title of the story');
  expect(screen.complaints).toEqual([]);
});

test('advice stands beside a valid plan with its remedy, and does not hinder', async () => {
  using plan = createPlan();
  await using screen = await openScreen(plan.paths);
  const page = await screen.open('/plan/new');
  await editor(page).fill('## Improve\n\n- Improve things\n');
  await textOf(check(page)).toMatch(
    /Valid[\s\S]*does not say when it is done[\s\S]*Add "doneWhen"/,
  );
  await editor(page).press('Control+Enter');
  await page.getByRole('heading', { level: 1, name: 'Improve' }).waitFor();
  expect(JSON.parse(plan.read('.saga/stories/improve/story.json'))).toMatchObject({
    id: 'improve',
  });
});

test('a draft survives a reload, and what is dropped can be brought back', async () => {
  using plan = createPlan();
  await using screen = await openScreen(plan.paths);
  const page = await screen.open('/plan/new');
  await editor(page).fill('## Half a thought\n');
  await page.reload();
  await eventually(() => editor(page).inputValue()).toBe('## Half a thought\n');
  await page.getByRole('button', { name: 'Drop my changes' }).click();
  await eventually(() => editor(page).inputValue()).toContain('Title of the story');
  await page.getByRole('button', { name: 'Bring my changes back' }).click();
  await eventually(() => editor(page).inputValue()).toBe('## Half a thought\n');
  expect(screen.complaints).toEqual([]);
});

test('an id that is taken is named in its line before anything is written', async () => {
  using plan = createPlan();
  plan.story('pay', { title: 'Paying' });
  await using screen = await openScreen(plan.paths);
  const page = await screen.open('/plan/new');
  await editor(page).fill('## Something {#pay}\n\n- One\n');
  const problem = check(page)
    .getByRole('listitem')
    .filter({ hasText: 'The id pay is already in use' });
  await problem.getByRole('button', { name: 'line 1', exact: true }).waitFor();
  expect(readFileSync(join(plan.paths.stories, 'pay/story.json'), 'utf8')).toContain('Paying');
});

test('the same draft is a form: texts, a new task and its id', async () => {
  using plan = createPlan();
  await using screen = await openScreen(plan.paths);
  const page = await screen.open('/plan/new');
  await editor(page).fill(
    '## Cart\n\nAll of it.\n\n**Done when:** `npm test` passes.\n\n- Write tests\n',
  );
  await check(page).getByText('Valid').waitFor();
  await page.getByRole('button', { name: 'Form' }).click();
  const title = page.getByLabel('Title');
  await title.fill('Cart totals');
  await page.getByLabel('Verify').fill('npm test');
  await page.getByLabel('May change').first().fill('src/cart.js\ntest/**');
  await page.getByRole('button', { name: '+ Add a task' }).click();
  await page.getByLabel('Subject').nth(1).fill('Write the code');
  await page.getByLabel('Description').nth(2).fill('In src/cart.js.');
  await check(page).getByText('Valid').waitFor();
  await page.getByRole('button', { name: 'Markdown' }).click();
  await eventually(() => editor(page).inputValue()).toContain('### Write the code');
  await eventually(() => editor(page).inputValue()).toContain('after: write-tests');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { level: 1, name: 'Cart totals' }).waitFor();
  const json = (path: string) => JSON.parse(plan.read(`.saga/stories/cart-totals/${path}.json`));
  expect(json('story')).toMatchObject({
    verify: 'npm test',
    writeFiles: ['src/cart.js', 'test/**'],
  });
  expect(json('write-the-code')).toMatchObject({
    subject: 'Write the code',
    description: 'In src/cart.js.',
    blockedBy: ['write-tests'],
  });
  expect(screen.complaints).toEqual([]);
});
