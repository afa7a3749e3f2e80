import { expect, test } from 'vitest';
import { createLongLog, LONG_SESSION } from '../rig/project/long-log.ts';
import { eventually, openScreen, type Page, searchOf, settle } from '../rig/screens/browser.ts';

/** How far the end is below what is in sight. */
const distance = (page: Page) =>
  page.getByRole('log').evaluate((it) => it.scrollHeight - it.scrollTop - it.clientHeight);

test('a log of 50,000 events opens at its end, follows, stays where the reader is, and searches', async () => {
  using plan = createLongLog();
  await using screen = await openScreen(plan.paths);
  const page = await screen.open(`/sessions/${LONG_SESSION}`);
  await page.getByRole('button', { name: /echo 24999 / }).waitFor();
  expect(await page.locator('[data-index]').count()).toBeLessThan(150);

  plan.grow('It goes on.');
  await page.getByText('It goes on.').waitFor();
  await eventually(() => distance(page)).toBeLessThan(60);

  const log = page.getByRole('log');
  await log.hover();
  // Earlier rows are loaded meanwhile, which may end a turn of the wheel.
  await eventually(async () => {
    await page.mouse.wheel(0, -2500);
    return page.getByRole('button', { name: 'To the end' }).count();
  }).toBe(1);
  const firstInSight = async () => {
    const { x = 0, y = 0 } = (await log.boundingBox()) ?? {};
    return page.evaluate(`document.elementFromPoint(${x + 400}, ${y + 200}).textContent`);
  };
  // A turn of the wheel may go on for some frames.
  let before: unknown;
  await eventually(async () => {
    const earlier = before;
    before = await firstInSight();
    await settle(page);
    return earlier === before;
  }).toBe(true);
  plan.grow('Something new.');
  await page.getByRole('button', { name: 'New below' }).waitFor();
  expect(await firstInSight()).toBe(before);
  await page.getByRole('button', { name: 'New below' }).click();
  await page.getByText('Something new.').waitFor();
  await eventually(() => distance(page)).toBeLessThan(60);

  await eventually(async () => {
    await page.mouse.wheel(0, -20_000);
    return distance(page);
  }).toBeGreaterThan(100_000);

  await page.getByRole('searchbox', { name: 'Search the log' }).fill('echo 24990 ');
  await page.getByText('1 of 1').waitFor();
  await page.getByRole('searchbox', { name: 'Search the log' }).fill('needle');
  await page.getByText('none').waitFor();
  await page.getByRole('button', { name: /Search earlier/ }).click();
  await page.getByRole('button', { name: /^Bash echo needle/ }).waitFor();
  await page.getByRole('button', { name: /To the end|New below/ }).click();
  await page.getByText('Something new.').waitFor();
  await page.getByRole('navigation', { name: 'Timeline' }).getByText('The first task').click();
  await page.getByRole('heading', { name: /The first task/ }).waitFor();
  await searchOf(page).toMatch(/^\?at=\d+$/);
  await page.reload();
  await page.getByRole('button', { name: /echo 1 / }).waitFor();
  expect(screen.complaints).toEqual([]);
});

/** Lets no scroll event reach the page until they are released, as if the machine were too busy for them. */
const HOLD_EVENTS =
  'addEventListener("scroll", (window.hold = (it) => it.stopImmediatePropagation()), true)';
const RELEASE_EVENTS = `removeEventListener('scroll', window.hold, true);
  document.querySelector('[role=log]').dispatchEvent(new Event('scroll'))`;

test('a match that is not in memory is shown, however late the page hears that it scrolled', async () => {
  using plan = createLongLog();
  await using screen = await openScreen(plan.paths);
  const page = await screen.open(`/sessions/${LONG_SESSION}`);
  await page.getByRole('button', { name: /echo 24999 / }).waitFor();
  const asked = new Set<object>();
  const forget = (request: object) => asked.delete(request);
  page.on('request', (request) => asked.add(request));
  page.on('requestfinished', forget).on('requestfailed', forget);
  const countAsked = async () => {
    await page.evaluate('new Promise((done) => requestIdleCallback(done))');
    return asked.size;
  };
  await page.getByRole('searchbox', { name: 'Search the log' }).fill('needle');
  await page.getByText('none').waitFor();
  await page.evaluate(`${HOLD_EVENTS}; undefined`);
  await page.getByRole('button', { name: /Search earlier/ }).click();
  await page.getByText('1 of 1').waitFor();
  // The rows before and after it are there, too.
  await eventually(countAsked).toBe(0);
  await eventually(countAsked).toBe(0);
  await page.evaluate(`${RELEASE_EVENTS}; undefined`);
  await page.getByRole('button', { name: /^Bash echo needle/ }).waitFor();
  // Its result is one long word, and is shown whole.
  const rightOf = (part: string) =>
    page.evaluate<number>(`document.querySelector('${part}').getBoundingClientRect().right`);
  await page.getByText('yyyy').waitFor();
  expect(await rightOf('[role=log] pre:last-of-type')).toBeLessThan(await rightOf('[role=log]'));
});
