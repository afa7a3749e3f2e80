import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPlan } from '../../rig/project/plan.ts';
import {
  eventually,
  expectNoBarriers,
  expectNoOverflow,
  openScreen,
  type Page,
  settle,
} from '../../rig/screens/browser.ts';

const EVIL =
  '<img src=x onerror="window.harmed=1"> <script>window.harmed=1</script> [a](javascript:window.harmed=1)';

const editor = (page: Page) => page.getByRole('textbox', { name: 'The plan as Markdown' });
const check = (page: Page) => page.getByRole('complementary', { name: 'Check' });

/** Puts in a text at once. To type thousands of lines takes Chromium minutes, in any field. */
const put = (page: Page, text: string) =>
  editor(page).evaluate((field, value) => {
    const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value') ?? {};
    set?.call(field, value);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }, text);

test('HTML and scripts in a plan stay text, in every view, and are saved to the letter', async () => {
  using plan = createPlan();
  plan.story(
    'evil',
    { title: EVIL, description: EVIL, guidance: EVIL },
    { one: { subject: EVIL } },
  );
  plan.story('other', { title: EVIL, epic: 'epic' });
  plan.story('third', { title: EVIL, epic: 'epic' });
  plan.epic('epic', { other: [], third: ['other'] }, { title: EVIL });
  await using screen = await openScreen(plan.paths);
  const page = await screen.open('/plan/evil');
  await eventually(() => page.getByLabel('Title').inputValue()).toBe(EVIL);
  await page.getByRole('button', { name: 'Markdown' }).click();
  await eventually(() => editor(page).inputValue()).toContain(EVIL);
  await page.getByRole('button', { name: 'Form' }).click();
  await page.getByLabel('Avoid').fill(EVIL);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved evil: 1 change.').waitFor();
  const saved = JSON.parse(plan.read('.saga/stories/evil/story.json'));
  expect(saved).toMatchObject({ title: EVIL, description: EVIL, avoid: EVIL });
  await screen.visit(page, '/plan/epic?view=order');
  await page.locator('[data-node="third"]').click();
  await page.getByText(EVIL).first().waitFor();
  await settle(page);
  expect(await page.evaluate('window.harmed')).toBeUndefined();
  expect(screen.complaints).toEqual([]);
});

test('characters that turn text around are shown as Markdown only, and survive', async () => {
  const turned = 'left \u202e thgir';
  using plan = createPlan();
  plan.story('turn', { title: 'Turn', description: turned });
  await using screen = await openScreen(plan.paths);
  const page = await screen.open('/plan/turn');
  await page.getByText(/characters that change the direction of text/).waitFor();
  await page.getByRole('button', { name: 'Markdown' }).click();
  await eventually(() => editor(page).inputValue()).toContain('\\u202e');
  const text = await editor(page).inputValue();
  await editor(page).fill(text.replace('## Turn', '## Turned {#turn}'));
  await check(page).getByText('Valid').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText(/Saved turn/).waitFor();
  expect(JSON.parse(plan.read('.saga/stories/turn/story.json'))).toMatchObject({
    title: 'Turned',
    description: turned,
  });
});

test('a huge plan can be typed; one beyond the limit is refused, and kept', async () => {
  using plan = createPlan();
  await using screen = await openScreen(plan.paths);
  const page = await screen.open('/plan/new');
  const stories = Array.from(
    { length: 300 },
    (_, i) => `## Part ${i}\n\nText.\n\n- Write src/part${i}.js\n`,
  );
  await put(page, `# Large\n\n${stories.join('\n')}`);
  await check(page).getByText('Valid').waitFor();
  await page.getByText('and 100 more stories').waitFor();
  await expectNoOverflow(page);
  const beyond = `## Long\n\n${'x'.repeat(2_100_000)}\n`;
  await put(page, beyond);
  await page.getByText(/longer than 2 MB/).waitFor();
  expect(await editor(page).inputValue()).toHaveLength(beyond.length);
});

test('templates that lead out of the project are not offered, and a bad one does not hide the others', async () => {
  using plan = createPlan();
  plan.write('.saga/templates/good.md', '## Good\n');
  plan.write('secret.txt', 'secret');
  symlinkSync(join(plan.root, 'secret.txt'), join(plan.paths.saga, 'templates/leak.md'));
  mkdirSync(join(plan.paths.saga, 'templates/folder.md'));
  await using screen = await openScreen(plan.paths);
  const { templates } = await screen.server.json<{ templates: { name: string }[] }>(
    '/api/plan/new',
  );
  expect(templates.map(({ name }) => name)).toEqual(['epic', 'good', 'story']);
});

test('without the token, from another site or as a form, nothing is created, saved or spent', async () => {
  using plan = createPlan();
  plan.story('cart');
  await using screen = await openScreen(plan.paths);
  const { server } = screen;
  const asJson = { 'content-type': 'application/json' };
  const token = { 'x-saga-token': server.dashboard.token };
  const content = { text: '## New\n\n- One\n' };
  for (const path of ['create', 'check', 'items/cart', 'proposal', 'proposal/stop']) {
    const body = { content, version: 'x', goal: 'x', maxUsd: 1 };
    const asked = { method: 'POST', body };
    const address = `/api/plan/${path}`;
    const [bare, foreign, named] = await Promise.all([
      server.askBare(address, { ...asked, headers: asJson }),
      server.askBare(address, {
        ...asked,
        headers: { ...asJson, ...token, origin: 'http://evil.example' },
      }),
      server.askBare(address, { ...asked, headers: { ...asJson, ...token, host: 'evil.example' } }),
    ]);
    expect([path, bare.status, foreign.status, named.status]).toEqual([path, 401, 403, 403]);
  }
  const asForm = await server.askBare('/api/plan/create', {
    method: 'POST',
    headers: { ...token, 'content-type': 'text/plain' },
    body: { content },
  });
  expect(asForm.status).toBe(400);
  expect((await server.askBare('/api/plan/items/cart')).status).toBe(401);
  for (const id of ['..%2F..%2Fsecret', '%2Fetc%2Fpasswd', 'nope']) {
    expect((await server.ask(`/api/plan/items/${id}`)).status).toBe(404);
    expect((await server.act(`/api/plan/items/${id}`, { content, version: 'x' })).status).toBe(404);
  }
  // An id of a draft is an id, never a path.
  const outside = await server.act('/api/plan/create', {
    content: { plan: { id: '../evil', title: 'x', description: 'x', tasks: [] } },
  });
  expect(outside).toMatchObject({ status: 409, text: expect.stringContaining('must be an id') });
  expect((await server.act('/api/plan/create', { content: 7 })).status).toBe(400);
  expect((await server.json<{ items: unknown[] }>('/api/stories')).items).toHaveLength(1);
});

const ALL = ['light', 'dark'] as const;

test.each([
  ['desktop', 1440, 900, ALL],
  ['tablet', 820, 1180, ['light']],
  ['phone', 390, 844, ALL],
] as const)('nothing hinders people on a %s, in any colours', async (_, width, height, schemes) => {
  using plan = createPlan();
  const tasks = { tests: {}, code: { blockedBy: ['tests'] } };
  for (const id of ['cart', 'pay']) plan.story(id, { title: `The ${id}`, epic: 'shop' }, tasks);
  plan.epic('shop', { cart: [], pay: ['cart'] }, { title: 'Shop' });
  await using screen = await openScreen(plan.paths);
  const page = await screen.open('/plan/new', { viewport: { width, height } });
  const look = async (path: string) => {
    await expectNoOverflow(page, path);
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme });
      await page.locator(`html[data-theme=${colorScheme}]`).waitFor();
      // Only colours differ.
      const rules = colorScheme === 'light' ? {} : { rules: ['color-contrast'] };
      await expectNoBarriers(page, { about: `${path}, ${colorScheme}`, ...rules });
    }
  };
  await editor(page).fill('## Cart\n\n**Gidance:** x\n');
  await check(page).getByText('1 problem').waitFor();
  await look('/plan/new');
  for (const path of ['/plan/new?by=claude', '/plan/cart', '/plan/shop', '/plan/shop?view=order']) {
    await screen.visit(page, path);
    if (path.endsWith('order')) await page.locator('[data-node="pay"]').waitFor();
    else
      await page
        .getByLabel(/Title|What is to be done/)
        .first()
        .waitFor();
    await look(path);
  }
  expect(screen.complaints).toEqual([]);
});
