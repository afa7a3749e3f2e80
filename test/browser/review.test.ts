import { join } from 'node:path';
import { listMessages } from '@saga-ai/core/messages/message-box';
import { afterAll, expect, test } from 'vitest';
import { createCheckedStory } from '../rig/project/checked-story.ts';
import { createProject, type Project } from '../rig/project/project.ts';
import { commitAll } from '../rig/project/repository.ts';
import {
  eventually,
  expectNoBarriers,
  expectNoOverflow,
  openScreen,
  type Page,
  searchOf,
  settle,
  textOf,
} from '../rig/screens/browser.ts';
import { remark } from '../rig/screens/remark.ts';
import { startSilentWorker } from '../rig/worker/silent-worker.ts';

const CODE = Array.from({ length: 60 }, (_, n) => `export const value${n} = ${n};`).join('\n');

/** A project with a checked story that changes two places of one file and adds another. */
async function createReviewed() {
  const it = createProject();
  it.write('.saga/config.json', { gate: { verify: 'true' } });
  it.write('src/a.ts', `${CODE}\n`);
  commitAll(it.gitIn, it.root, 'Source');
  const changed = CODE.replace('value5 = 5', 'value5 = 50').replace('value40 = 40', 'value40 = 4');
  const files = { 'src/a.ts': `${changed}\n`, 'src/b.ts': '// new\nconst b = "b";\n' };
  const story = await createCheckedStory(it, 'cart', files);
  return { it, ...story };
}

/** One for the tests that only look: a real gate takes seconds. */
let looked: ReturnType<typeof createReviewed> | undefined;
const findReviewed = async () => {
  looked ??= createReviewed();
  return (await looked).it;
};
afterAll(async () => (await looked)?.it[Symbol.dispose]());

const screenOf = (it: Project) =>
  openScreen(it.paths, { env: { ...it.env, SAGA_SESSION_DIR: join(it.folder, 'sessions') } });

const cursor = (page: Page) => () =>
  page.locator('.diff-row[data-cursor]').first().getAttribute('data-place');

const pathOf = (page: Page) => eventually(() => new URL(page.url()).pathname);

test('the queue stands in the order in which it can be landed, and opens the review', async () => {
  const { it } = await createReviewed();
  using _ = it;
  // Begun later, and named first: the order is that of the plan.
  it.epic('shop', { 'a-pay': ['cart'], cart: [] });
  await createCheckedStory(it, 'a-pay');
  await using screen = await screenOf(it);
  const page = await screen.open('/');
  const queue = page.getByRole('region', { name: 'To review' });
  await eventually(() => queue.getByRole('listitem').count()).toBe(2);
  const rows = queue.getByRole('listitem');
  await textOf(rows.nth(0)).toMatch(/Story cart.*gate passed.*2 files\+4−2/);
  await textOf(rows.nth(1)).toMatch(/Story a-pay.*after cart.*1 file\+1/);
  await queue.getByRole('link', { name: /Story cart/ }).click();
  await page.getByRole('heading', { name: 'Story cart' }).waitFor();
  await pathOf(page).toBe('/stories/cart/review');
  await page.getByText('value5 = 50').waitFor();
  expect(await page.getByRole('region', { name: 'Diff' }).textContent()).not.toContain('journal');
  await page.getByText('✓ gate passed').waitFor();
  // Colours come later, and change no letter.
  await page.locator('.code-keyword').first().waitFor();
  await page.getByText('value5 = 50').waitFor();
  expect(screen.complaints).toEqual([]);
});

test('keys go from file to file, from change to change and from line to line', async () => {
  await using screen = await screenOf(await findReviewed());
  const page = await screen.open('/stories/cart/review');
  await page.getByText('value5 = 50').waitFor();
  await settle(page);
  await page.keyboard.press('n');
  await eventually(cursor(page)).toBe('new 6');
  await page.keyboard.press('n');
  await eventually(cursor(page)).toBe('new 41');
  await page.keyboard.press('j');
  await eventually(cursor(page)).toBe('new 42');
  await page.keyboard.press('k');
  await eventually(cursor(page)).toBe('new 41');
  await page.keyboard.press('p');
  await eventually(cursor(page)).toBe('new 6');
  await page.keyboard.press('u');
  await page.locator('.diff-rows[data-view=split]').first().waitFor();
  await searchOf(page).toContain('view=split');
  await eventually(cursor(page)).toBe('new 6');
  await page.keyboard.press('v');
  await page.getByText('1 of 2 viewed').waitFor();
  await page.getByRole('button', { name: /src\/a\.ts/, expanded: false }).waitFor();
  expect(screen.complaints).toEqual([]);
});

test('keys and the list reach every file, also where all of them fit on the screen', async () => {
  using it = createProject();
  it.write('.saga/config.json', { gate: { verify: 'true' } });
  await createCheckedStory(it, 'cart', { 'a.ts': 'a\n', 'b.ts': 'b\n', 'c.ts': 'c\n' });
  await using screen = await screenOf(it);
  const page = await screen.open('/stories/cart/review');
  await page.locator('.diff-row').nth(2).waitFor();
  await settle(page);
  await page.keyboard.press(']');
  await page.getByText('2 of 3', { exact: true }).waitFor();
  await searchOf(page).toBe('?file=b.ts');
  await page.keyboard.press('v');
  await page.getByText('3 of 3', { exact: true }).waitFor();
  await page.keyboard.press('v');
  await page.getByText('2 of 3 viewed').waitFor();
  expect(await page.getByRole('checkbox', { name: 'viewed: a.ts' }).last().isChecked()).toBe(false);
  await page.getByRole('navigation', { name: 'Files' }).getByText('b.ts').last().click();
  await page.getByText('2 of 3', { exact: true }).waitFor();
  expect(screen.complaints).toEqual([]);
});

test('a viewed file stays viewed after a reload, and not after another content', async () => {
  const { it, worktree, gate } = await createReviewed();
  using _ = it;
  await using screen = await screenOf(it);
  const page = await screen.open('/stories/cart/review');
  await page.getByRole('checkbox', { name: 'viewed: src/b.ts' }).last().check();
  await page.getByRole('checkbox', { name: 'viewed: src/a.ts' }).last().check();
  await page.getByText('2 of 2 viewed').waitFor();
  await page.reload();
  await page.getByText('2 of 2 viewed').waitFor();
  it.write('../project.stories/cart/src/b.ts', '// newer\n');
  commitAll(it.gitIn, worktree, 'Newer');
  await gate();
  await page.getByText('1 of 2 viewed').waitFor();
  const changed = page.getByRole('checkbox', { name: 'viewed: src/b.ts' }).last();
  await eventually(() => changed.isChecked()).toBe(false);
  await page.getByText('// newer').waitFor();
});

test('remarks on lines are kept until they are sent, and become Feedback', async () => {
  const { it, saga } = await createReviewed();
  using _ = it;
  await using screen = await screenOf(it);
  const page = await screen.open('/stories/cart/review');
  await remark(page, 'new 6', 'Not fifty.');
  await page.locator('[data-remark="old 41"]').first().click();
  await page.getByRole('textbox', { name: /src\/a\.ts:41 \(removed\)/ }).fill('Keep it.');
  await page.reload();
  const first = page.getByRole('textbox', { name: 'Your remark on src/a.ts:6' });
  await eventually(() => first.inputValue()).toBe('Not fifty.');
  await expectNoBarriers(page);
  await page.getByRole('button', { name: 'File 2 remarks, run later' }).click();
  await page.getByText('Filed 2 remarks in the journal.').waitFor();
  await first.waitFor({ state: 'detached' });
  const journal = it.read('../project.stories/cart/.saga/stories/cart/journal.md');
  expect(journal).toContain('Feedback: src/a.ts:6: Not fifty.');
  expect(journal).toContain('> export const value5 = 50;');
  expect(journal).toContain('Feedback: src/a.ts:41 (removed): Keep it.');
  expect(journal).toContain('> export const value40 = 40;');
  const { stories } = JSON.parse((await saga('status', '--json')).stdout);
  expect(stories[0]).toMatchObject({ id: 'cart', state: 'interrupted', next: 'saga run cart' });
  await page.getByRole('button', { name: 'Journal' }).click();
  await page.getByText('src/a.ts:6: Not fifty.').first().waitFor();
  expect(screen.complaints).toEqual([]);
});

test('while a run is at work, remarks go into its conversation', async () => {
  const { it } = await createReviewed();
  using _ = it;
  using _worker = await startSilentWorker(it, 'cart', Date.now());
  await using screen = await screenOf(it);
  const page = await screen.open('/stories/cart/review');
  await remark(page, 'new 6', 'Not fifty.');
  await page.getByRole('button', { name: 'Tell the run 1 remark' }).click();
  await page.getByText('Sent 1 remark.').waitFor();
  expect(listMessages(it.paths, 'cart')).toMatchObject([
    { text: 'src/a.ts:6: Not fifty.\n\nThe line, in src/a.ts:\n\n> export const value5 = 50;' },
  ]);
});

test('a landing is asked for, told, and releases what waited for it', async () => {
  const { it, worktree } = await createReviewed();
  using _ = it;
  it.epic('shop', { cart: [], pay: ['cart'] });
  it.story('pay', { title: 'Paying' }, { one: {} });
  await using screen = await screenOf(it);
  const page = await screen.open('/');
  await page.getByRole('link', { name: /Paying.*waits for cart/ }).waitFor();
  await screen.visit(page, '/stories/cart/review');
  const before = it.git('rev-parse', 'main');
  await page.getByRole('button', { name: 'Land …' }).click();
  const dialog = page.getByRole('dialog', { name: 'Land cart' });
  await dialog.getByText('on this machine, pushed to origin').waitFor();
  await expectNoBarriers(page);
  expect(it.git('rev-parse', 'main')).toBe(before);
  await dialog.getByRole('button', { name: 'Merge into main' }).click();
  await dialog.getByText('✓ cart is merged into main').waitFor();
  await dialog.getByRole('list', { name: 'Progress' }).getByText('merges story/cart').waitFor();
  expect(it.gitIn(it.origin, 'show', 'main:src/b.ts')).toContain('// new');
  expect(it.git('worktree', 'list')).not.toContain(worktree);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByText('merged', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Land …' }).waitFor({ state: 'detached' });
  const asked = page.waitForResponse(/\/api\/review(\?|$)/);
  await screen.visit(page, '/');
  await asked;
  await page
    .getByRole('region', { name: 'Next' })
    .getByRole('link', { name: /Paying/ })
    .waitFor();
  await settle(page);
  await page.getByRole('region', { name: 'To review' }).waitFor({ state: 'detached' });
  expect(screen.complaints).toEqual([]);
});

test('a landing tells of remarks that are not sent, and what became of them', async () => {
  const { it } = await createReviewed();
  using _ = it;
  await using screen = await screenOf(it);
  const page = await screen.open('/stories/cart/review');
  await remark(page, 'new 6', 'Not fifty.');
  await page.getByRole('button', { name: 'Land …' }).click();
  const dialog = page.getByRole('dialog', { name: 'Land cart' });
  await dialog.getByText('! 1 remark of yours is not sent.').waitFor();
  await expectNoBarriers(page);
  await dialog.getByRole('button', { name: 'Merge into main' }).click();
  await dialog.getByText('✓ cart is merged into main').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByText('! not sent, and merged meanwhile').waitFor();
  // The commit is named as short as elsewhere.
  await textOf(page.getByRole('main').locator('header')).toMatch(/cart[0-9a-f]{8} → main/);
  expect(screen.complaints).toEqual([]);
});

test('a landing without valid evidence is refused with the reason, and nothing moves', async () => {
  const { it, worktree } = await createReviewed();
  using _ = it;
  it.write('../project.stories/cart/late.ts', 'late\n');
  commitAll(it.gitIn, worktree, 'Late');
  const before = it.git('for-each-ref', 'refs/heads', 'refs/remotes');
  await using screen = await screenOf(it);
  const page = await screen.open('/stories/cart/review');
  await page.getByRole('button', { name: 'Land …' }).click();
  const dialog = page.getByRole('dialog', { name: 'Land cart' });
  await dialog.getByText(/not in review \(interrupted: changed since its gate passed/).waitFor();
  expect(await dialog.getByRole('button', { name: /Merge/ }).count()).toBe(0);
  // What the gate saw is not what would be merged, and the page does not say otherwise.
  await page.getByText('! gate passed earlier · the story is not in review now').waitFor();
  expect(it.git('for-each-ref', 'refs/heads', 'refs/remotes')).toBe(before);
  // Nor by a request that no page would make.
  const asked = await screen.server.act('/api/review/cart/land', { tip: 'x' });
  expect(asked.status).toBe(409);
  expect(asked.text).toContain('not what you looked at');
});

test('names and contents of files are text, whatever they are', async () => {
  const it = createProject();
  using _ = it;
  const evil = '<img src=x onerror=alert(1)>';
  const turned = 'safe\u202etxt.exe';
  await createCheckedStory(it, 'evil', {
    [`<b>"&\n${turned}.ts`]: `${evil}\n</script><script>window.harmed = 1</script>\n\u202eturned\n`,
    'long.txt': `${'x'.repeat(500_000)}\n`,
    'data.bin': 'a\0b',
    'large.txt': `${evil}\n`.repeat(2000),
  });
  await using screen = await screenOf(it);
  const page = await screen.open('/stories/evil/review');
  await page.getByText(evil).first().waitFor();
  await page.getByText('498001 more characters').waitFor();
  await page.getByText('This file is not text.').waitFor();
  await page.getByRole('button', { name: 'Show it: large.txt' }).click();
  await eventually(() => page.getByText(evil).count()).toBeGreaterThan(3);
  await remark(page, 'new 1', evil);
  await page.getByRole('button', { name: 'File 1 remark, run later' }).click();
  await page.getByText('Filed 1 remark in the journal.').waitFor();
  await settle(page);
  const found = await page.evaluate(`({
    harmed: window.harmed,
    elements: document.querySelectorAll('main :is(script, img, iframe, b)').length,
    turned: document.body.innerText.includes('\\u202e'),
  })`);
  expect(found).toEqual({ harmed: undefined, elements: 0, turned: false });
  expect(screen.complaints).toEqual([]);
});

test('at three widths nothing is in the way of anybody, and nothing moves sideways', async () => {
  await using screen = await screenOf(await findReviewed());
  for (const [width, colorScheme] of [
    [390, 'light'],
    [1024, 'dark'],
    [1440, 'light'],
  ] as const) {
    const viewport = { width, height: 844 };
    const page = await screen.open('/stories/cart/review', { viewport, colorScheme });
    await page.locator('.code-keyword').first().waitFor();
    await expectNoBarriers(page);
    await expectNoOverflow(page);
    await page.keyboard.press('u');
    await page.locator('.diff-rows[data-view=split]').first().waitFor();
    await expectNoBarriers(page);
    await expectNoOverflow(page);
  }
  expect(screen.complaints).toEqual([]);
});

test('what has no branch is told as such', async () => {
  const it = createProject();
  using _ = it;
  it.story('fresh', {}, { one: {} });
  await using screen = await screenOf(it);
  const page = await screen.open('/');
  await page.goto(`${screen.origin}/stories/fresh/review`);
  await textOf(page.getByRole('alert')).toContain('has no branch yet');
});

test('an epic is reviewed and landed as a whole', async () => {
  const it = createProject();
  using _ = it;
  it.write('.saga/config.json', { gate: { verify: 'true' } });
  it.epic('shop', { cart: [] });
  await createCheckedStory(it, 'cart');
  const folder = join(it.folder, 'epic');
  it.git('worktree', 'add', '-q', '-b', 'epic/shop', folder, 'main');
  it.write('../epic/.saga/epics/shop.json', {
    ...JSON.parse(it.read('.saga/epics/shop.json')),
    branch: 'epic/shop',
  });
  it.write('.saga/epics/shop.json', it.read('../epic/.saga/epics/shop.json'));
  commitAll(it.gitIn, folder, 'saga: begin epic shop');
  it.gitIn(folder, 'merge', '-q', '--no-ff', '-m', 'Merge cart', 'story/cart');
  it.git('worktree', 'remove', '--force', folder);
  await using screen = await screenOf(it);
  const page = await screen.open('/');
  const queue = page.getByRole('region', { name: 'To review' });
  await queue.getByRole('link', { name: /Epic shop/ }).click();
  await page.getByText('added: cart').waitFor();
  await pathOf(page).toBe('/epics/shop/review');
  await settle(page);
  await page.locator('[data-remark="new 1"]').first().click();
  await settle(page);
  expect(await page.getByRole('textbox', { name: /remark/ }).count()).toBe(0);
  await expectNoBarriers(page);
  await page.getByRole('button', { name: 'Land …' }).click();
  const dialog = page.getByRole('dialog', { name: 'Land shop' });
  await dialog.getByRole('button', { name: 'Merge into main' }).click();
  await dialog.getByText('✓ shop is merged into main').waitFor();
  expect(it.gitIn(it.origin, 'show', 'main:cart.txt')).toBe('cart\n');
  expect(screen.complaints).toEqual([]);
});
