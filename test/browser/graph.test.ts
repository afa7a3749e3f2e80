import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPlan, type Plan } from '../rig/project/plan.ts';
import { eventually, openScreen, type Page, type Screen, settle } from '../rig/screens/browser.ts';
import { watchHiddenNodes } from '../rig/screens/hidden-nodes.ts';

const LAYERS = 8;
const IN_LAYER = 6;

let plan: Plan;
let screen: Screen;
let page: Page;

/** Eight layers, of which the first is done. */
beforeAll(async () => {
  plan = createPlan();
  const id = (layer: number, n: number) => `part-${layer}-${n}`;
  const children: Record<string, string[]> = {};
  for (let layer = 0; layer < LAYERS; layer++) {
    for (let n = 0; n < IN_LAYER; n++) {
      children[id(layer, n)] = layer === 0 ? [] : [id(layer - 1, n), id(layer - 1, (n + 1) % 6)];
      plan.story(id(layer, n), { title: `Part ${layer} ${n} of a long title`, epic: 'large' });
    }
  }
  plan.epic('large', children, { title: 'Large' });
  for (let n = 0; n < IN_LAYER; n++) plan.done(id(0, n));
  screen = await openScreen(plan.paths);
  page = await screen.open('/epics/large');
  await graph()
    .getByRole('link', { name: /Part 1 0/ })
    .waitFor();
});

afterAll(async () => {
  await screen?.[Symbol.asyncDispose]();
  plan?.[Symbol.dispose]();
});

const graph = () => page.getByRole('region', { name: 'Dependencies of Large' });

/** The sizes of all texts of the graph that are shown, as they are on the screen. */
const smallestText = () =>
  page.evaluate(`Math.min(...[...document.querySelectorAll('.graph-node *')]
    .filter((it) => [...it.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ''))
    .filter((it) => it.getClientRects().length > 0 && !it.closest('.sr-only'))
    .map((it) => parseFloat(getComputedStyle(it).fontSize) * it.closest('.graph-node').getBoundingClientRect().width
      / it.closest('.graph-node').offsetWidth))`);

const focusedPlace = () =>
  page.evaluate<{ name: string; isInside: boolean }>(`(() => {
    const panel = document.querySelector('section.graph').getBoundingClientRect();
    const node = document.activeElement.getBoundingClientRect();
    return {
      name: document.activeElement.dataset.node,
      isInside: node.left >= panel.left && node.right <= panel.right && node.top >= panel.top && node.bottom <= panel.bottom,
    };
  })()`);

test('finished stories are one node, which opens', async () => {
  await eventually(() => graph().getByRole('link').count()).toBe((LAYERS - 1) * IN_LAYER + 1);
  await graph()
    .getByRole('link', { name: /6 done/ })
    .click();
  await eventually(() => graph().getByRole('link').count()).toBe(LAYERS * IN_LAYER);
  await graph().getByRole('button', { name: 'fold 6 done' }).click();
  await graph()
    .getByRole('link', { name: /6 done/ })
    .waitFor();
});

test('at no zoom is a text smaller than 11 px', async () => {
  await eventually(smallestText).toBeGreaterThanOrEqual(10.99);
  await graph().getByRole('button', { name: 'Fit the whole graph' }).click();
  const zoom = () => page.evaluate('document.querySelector("section.graph").dataset.zoom');
  await eventually(zoom).not.toBe('full');
  await eventually(smallestText).toBeGreaterThanOrEqual(10.99);
  const scale = () =>
    page.evaluate('document.querySelector(".react-flow__viewport").style.transform');
  for (const level of ['cell', 'dot']) {
    for (let n = 0; n < 12 && (await zoom()) !== level; n++) {
      const before = await scale();
      await graph().getByRole('button', { name: 'Zoom out' }).click();
      await eventually(scale).not.toBe(before);
      // The level follows the scale.
      await settle(page);
    }
    expect(await zoom()).toBe(level);
    await eventually(smallestText).toBeGreaterThanOrEqual(10.99);
  }
});

test('the focus stays in sight, and arrows walk along the edges', async () => {
  await page.reload();
  await graph()
    .getByRole('link', { name: /Part 1 0/ })
    .waitFor();
  await page.getByRole('button', { name: 'List' }).focus();
  await settle(page);
  await page.keyboard.press('Tab');
  const seen = new Set<string>();
  let last: string | undefined;
  for (let n = 0; n < 14; n++) {
    await eventually(focusedPlace).toEqual({
      name: expect.not.stringMatching(`^${last}$`),
      isInside: true,
    });
    last = (await focusedPlace()).name;
    seen.add(last);
    await page.keyboard.press(n < 7 ? 'ArrowRight' : 'k');
  }
  // The folded node, seven layers, and back from there row by row.
  expect(seen.size).toBeGreaterThan(8);
  expect(screen.complaints).toEqual([]);
});

test('a story that changes keeps its node in sight, and the focus', async () => {
  await page.reload();
  const link = graph().getByRole('link', { name: /Part 1 0/ });
  await link.focus();
  const listHidden = await watchHiddenNodes(page);
  plan.story('part-1-0', { title: 'Part 1 0 has another title', epic: 'large' });
  await graph().getByText('Part 1 0 has another title').waitFor();
  await settle(page);
  expect(await listHidden()).toEqual([]);
  expect((await focusedPlace()).name).toBe('part-1-0');
});
