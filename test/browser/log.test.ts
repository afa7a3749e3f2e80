import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeProcess } from '@saga-ai/core/processes/identity';
import { expect, test } from 'vitest';
import { eventually, openScreen, type Page } from '../rig/browser.ts';
import { createPlan, type Plan } from '../rig/plan.ts';

const SESSION = 'saga-story-cart-1794745843991';
const EVENTS = 50_000;

/** A session that runs, with a log of many events: a task each thousand. */
function createLong(): Plan & { grow: (text: string) => void } {
  const plan = createPlan();
  plan.story('cart', {}, { first: { subject: 'The first task', status: 'completed' } });
  const outputFile = join(plan.root, 'long.jsonl');
  const lines = Array.from({ length: EVENTS / 2 }, (_, n) => {
    const time = new Date(1794745843991 + n * 100).toISOString();
    if (n === 5) return line({ time, type: 'task:status', task: 'first', to: 'in_progress' });
    const id = `call-${n}`;
    const input = { command: n === 60 ? 'echo needle' : `echo ${n} ${'x'.repeat(100)}` };
    const call = [{ type: 'tool_use', id, name: 'Bash', input }];
    const back = [{ type: 'tool_result', tool_use_id: id, content: `${n} ${'y'.repeat(300)}` }];
    return (
      line({ time, type: 'run:tool', claude: { message: { content: call } } }) +
      line({ time, type: 'run:result', claude: { message: { content: back } } })
    );
  });
  writeFileSync(outputFile, lines.join(''));
  plan.write(`.saga/runs/sessions/${SESSION}.json`, {
    version: 1,
    session: SESSION,
    story: 'cart',
    ...describeProcess(process.pid),
    outputFile,
    tmux: false,
    startedAt: new Date().toISOString(),
    model: 'opus',
    cycle: 1,
    tokens: 1,
    costUsd: 1,
  });
  const grow = (text: string) => {
    const message = { content: [{ type: 'text', text }] };
    appendFileSync(
      outputFile,
      line({ time: new Date().toISOString(), type: 'run:text', claude: { message } }),
    );
  };
  return { ...plan, grow, [Symbol.dispose]: () => plan[Symbol.dispose]() };
}

const line = (event: object) => `${JSON.stringify(event)}\n`;

/** How far the end is below what is in sight. */
const distance = (page: Page) =>
  page.getByRole('log').evaluate((it) => it.scrollHeight - it.scrollTop - it.clientHeight);

test('a log of 50,000 events opens at its end, follows, stays where the reader is, and searches', async () => {
  using plan = createLong();
  await using screen = await openScreen(plan.paths);
  const page = await screen.open(`/sessions/${SESSION}`);
  await page.getByRole('button', { name: /echo 24999 / }).waitFor();
  expect(await page.locator('[data-index]').count()).toBeLessThan(150);

  plan.grow('It goes on.');
  await page.getByText('It goes on.').waitFor();
  await eventually(() => distance(page)).toBeLessThan(60);

  const log = page.getByRole('log');
  await log.hover();
  await page.mouse.wheel(0, -2500);
  await page.getByRole('button', { name: 'To the end' }).waitFor();
  const firstInSight = async () => {
    const { x = 0, y = 0 } = (await log.boundingBox()) ?? {};
    return page.evaluate(`document.elementFromPoint(${x + 400}, ${y + 200}).textContent`);
  };
  const before = await firstInSight();
  plan.grow('Something new.');
  await page.getByRole('button', { name: 'New below' }).waitFor();
  expect(await firstInSight()).toBe(before);
  await page.getByRole('button', { name: 'New below' }).click();
  await page.getByText('Something new.').waitFor();
  await eventually(() => distance(page)).toBeLessThan(60);

  for (let step = 0; step < 12; step++) {
    await page.mouse.wheel(0, -20_000);
    await page.waitForTimeout(60);
  }
  await eventually(() => distance(page)).toBeGreaterThan(100_000);

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
  expect(page.url()).toMatch(/\?at=\d+$/);
  await page.reload();
  await page.getByRole('button', { name: /echo 1 / }).waitFor();
  expect(screen.complaints).toEqual([]);
}, 240_000);
