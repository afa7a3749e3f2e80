import { expect, test } from 'vitest';
import { createPlan, type Plan } from '../../rig/project/plan.ts';
import { eventually, openScreen, type Page, settle } from '../../rig/screens/browser.ts';
import { watchHiddenNodes } from '../../rig/screens/hidden-nodes.ts';

function createShop(): Plan {
  const plan = createPlan();
  for (const id of ['cart', 'pay', 'mail']) plan.story(id, { title: `The ${id}`, epic: 'shop' });
  plan.epic('shop', { cart: [], pay: ['cart'], mail: [] }, { title: 'Shop' });
  return plan;
}

const order = (page: Page) => page.getByRole('region', { name: 'Order' });
const node = (page: Page, id: string) => order(page).locator(`[data-node="${id}"]`);
const save = (page: Page) => page.getByRole('button', { name: 'Save' });
const children = (plan: Plan) =>
  Object.fromEntries(
    JSON.parse(plan.read('.saga/epics/shop.json')).children.map(
      (it: { id: string; blockedBy: string[] }) => [it.id, it.blockedBy],
    ),
  );

/** Draws a line with the mouse, from the grip of one node to another node. */
async function draw(page: Page, from: string, to: string): Promise<void> {
  const flow = (id: string) => order(page).locator(`.react-flow__node[data-id="${id}"]`);
  const findPlaces = () =>
    Promise.all([
      flow(from).locator('.order-grip').boundingBox(),
      flow(to).locator('.order-target').boundingBox(),
    ]);
  // The graph moves until it fits its panel.
  let [grip, target] = await findPlaces();
  await eventually(async () => {
    const before = JSON.stringify([grip, target]);
    await settle(page);
    [grip, target] = await findPlaces();
    return JSON.stringify([grip, target]) === before;
  }).toBe(true);
  if (!grip || !target) throw new Error('The nodes cannot be seen.');
  await page.mouse.move(grip.x + grip.width / 2, grip.y + grip.height / 2);
  await page.mouse.down();
  await page.mouse.move(target.x + 40, target.y + target.height / 2, { steps: 8 });
  await page.mouse.move(target.x + 4, target.y + target.height / 2, { steps: 4 });
  await page.mouse.up();
}

test('a dependency is drawn with the mouse and saved; one is cut', async () => {
  using plan = createShop();
  await using screen = await openScreen(plan.paths);
  const page = await screen.open('/plan/shop?view=order');
  await node(page, 'mail').waitFor();
  await draw(page, 'pay', 'mail');
  await page.getByText('The mail waits for The pay now.').waitFor();
  await order(page).getByRole('button', { name: 'Remove: The pay waits for The cart' }).click();
  await page.getByText('The pay no longer waits for The cart.').waitFor();
  await save(page).click();
  await page.getByText(/Saved shop/).waitFor();
  expect(children(plan)).toEqual({ cart: [], pay: [], mail: ['pay'] });
  expect(screen.complaints).toEqual([]);
});

test('a line that would close a circle is not drawn, and the page says why; nor can it be chosen', async () => {
  using plan = createShop();
  await using screen = await openScreen(plan.paths);
  const page = await screen.open('/plan/shop?view=order');
  await node(page, 'mail').waitFor();
  await draw(page, 'pay', 'cart');
  await page.getByText(/Not drawn: The cart would wait for itself/).waitFor();
  await page.getByText('Nothing is changed yet.').waitFor();
  await page.getByLabel(/^Story/).selectOption('cart');
  const option = page.getByLabel('Let The cart wait for').locator('option[value="pay"]');
  await eventually(() => option.isDisabled()).toBe(true);
  expect(children(plan)).toEqual({ cart: [], pay: ['cart'], mail: [] });
  // The server refuses it, too, whatever a page sends.
  const { version, text } = await screen.server.json<{ version: string; text: string }>(
    '/api/plan/items/shop',
  );
  const circle = text.replace('## The cart {#cart}', '## The cart {#cart}\n\nafter: pay');
  expect(circle).not.toBe(text);
  const refused = await screen.server.act('/api/plan/items/shop', {
    ...{ content: { text: circle }, version },
  });
  expect(refused.status).toBe(409);
  expect(refused.text).toContain('circle');
  expect(children(plan)).toEqual({ cart: [], pay: ['cart'], mail: [] });
});

test('by keyboard: walk, pick one up, and press Enter on what must wait', async () => {
  using plan = createShop();
  await using screen = await openScreen(plan.paths);
  const page = await screen.open('/plan/shop?view=order');
  await node(page, 'mail').waitFor();
  const listHidden = await watchHiddenNodes(page);
  await node(page, 'cart').focus();
  await page.keyboard.press('ArrowRight');
  const focused = () => page.evaluate('document.activeElement.dataset.node');
  await eventually(focused).toBe('pay');
  await page.keyboard.press('w');
  await page.getByText(/pay is picked up/).waitFor({ state: 'attached' });
  await page.keyboard.press('ArrowRight');
  await eventually(focused).toBe('mail');
  await page.keyboard.press('Enter');
  await page.getByText('The mail waits for The pay now.').waitFor();
  await save(page).click();
  await page.getByText(/Saved shop/).waitFor();
  expect(children(plan)).toEqual({ cart: [], pay: ['cart'], mail: ['pay'] });
  expect(await listHidden()).toEqual([]);
});

test('the tasks of a story have an order of their own', async () => {
  using plan = createPlan();
  plan.story('cart', { title: 'Cart' }, { tests: {}, code: {} });
  await using screen = await openScreen(plan.paths);
  const page = await screen.open('/plan/cart?view=order');
  await node(page, 'code').waitFor();
  await draw(page, 'tests', 'code');
  await page.getByText(/Do code waits for Do tests now/).waitFor();
  await save(page).click();
  await page.getByText(/Saved cart/).waitFor();
  expect(JSON.parse(plan.read('.saga/stories/cart/code.json')).blockedBy).toEqual(['tests']);
});
