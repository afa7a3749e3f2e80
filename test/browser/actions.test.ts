import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listMessages } from '@saga-ai/core/messages/message-box';
import { expect, test } from 'vitest';
import { createPlan, type Plan } from '../rig/project/plan.ts';
import { endedSession } from '../rig/project/shop.ts';
import { eventually, expectNoBarriers, openScreen, textOf } from '../rig/screens/browser.ts';
import { startSilentWorker } from '../rig/worker/silent-worker.ts';

function createBlocked(): Plan {
  const plan = createPlan();
  plan.story('pay', { title: 'Paying' }, { one: {} });
  plan.write(
    '.saga/stories/pay/journal.md',
    '## Blocker: Which sandbox?\n\nStripe or **Adyen**.\n',
  );
  return plan;
}

test('the token leaves the address, is kept for the tab, and resolves a blocker', async () => {
  using plan = createBlocked();
  await using screen = await openScreen(plan.paths);
  const page = await screen.open('/');
  await eventually(() => page.url()).toBe(`${screen.origin}/`);
  await page
    .getByRole('link', { name: /Which sandbox\?/ })
    .first()
    .click();
  await page.waitForURL(/\/stories\/pay/);
  await page.reload();
  await page.getByText('Adyen', { exact: true }).first().waitFor();
  expect(page.url()).not.toContain(screen.server.dashboard.token);
  await page.getByRole('textbox', { name: /Your answer/ }).fill('Stripe, since CI has it.');
  await page.getByRole('button', { name: 'Resolve' }).click();
  await page.getByRole('region', { name: 'Needs you' }).waitFor({ state: 'detached' });
  await page.getByText('Stripe, since CI has it.').waitFor();
  const journal = readFileSync(join(plan.root, '.saga/stories/pay/journal.md'), 'utf8');
  expect(journal).toMatch(/Resolution: Which sandbox\?\n\nStripe, since CI has it\./);
  await page.getByRole('button', { name: /Run/ }).waitFor();
  expect(screen.complaints).toEqual([]);
});

test('without the token there is nothing to see and nothing to press, and a word why', async () => {
  using plan = createBlocked();
  await using screen = await openScreen(plan.paths);
  const page = await screen.open('/stories/pay', { token: false });
  await page.getByText('This page is locked').waitFor();
  expect(await page.getByRole('button', { name: /Run|Stop|Resolve/ }).count()).toBe(0);
  expect(await page.locator('main').textContent()).not.toContain('Which');
});

test('a project that is not trusted is not run from a page, which says what to do', async () => {
  using plan = createPlan();
  plan.write('.saga/config.json', { gate: { verify: './evil' } });
  plan.story('ship', { title: 'Shipping' });
  await using screen = await openScreen(plan.paths, { env: { PATH: process.env.PATH } });
  const page = await screen.open('/stories/ship');
  await page.getByRole('button', { name: /Run/ }).first().click();
  const said = page.getByRole('status').filter({ hasText: '✗' });
  await textOf(said).toMatch(/gate\.verify.*saga trust/);
});

test('what is refused is said beside the button, with what to do', async () => {
  using plan = createPlan();
  plan.story('ship', { title: 'Shipping' });
  // Without tmux no worker can be started.
  await using screen = await openScreen(plan.paths, { env: { PATH: '/nowhere' } });
  for (const path of ['/', '/stories/ship']) {
    const page = await screen.open(path);
    await page.getByRole('button', { name: /Run/ }).first().click();
    const said = page.getByRole('status').filter({ hasText: '✗' });
    await textOf(said).toMatch(/✗ .+\. .*[Ii]nstall/);
  }
});

test('a story can be run while one of its tasks is free, and not once a task holds up all the rest', async () => {
  using plan = createPlan();
  plan.story('ship', { title: 'Shipping' }, { stuck: { escalated: true }, free: {} });
  plan.story('pack', { title: 'Packing' }, { stuck: { escalated: true }, free: {} });
  plan.story('send', {}, { stuck: { escalated: true }, after: { blockedBy: ['stuck'] } });
  plan.write('.saga/stories/pack/journal.md', '## Blocker: Which box?\n');
  plan.write('.saga/stories/send/journal.md', '## Blocker: Which stamp?\n');
  // Without tmux the server accepts the run and then says what is missing.
  await using screen = await openScreen(plan.paths, { env: { PATH: '/nowhere' } });
  const ship = await screen.open('/stories/ship');
  await ship.getByRole('button', { name: /Run/ }).first().click();
  await textOf(ship.getByRole('status').filter({ hasText: '✗' })).toMatch(/tmux/);
  const pack = await screen.open('/stories/pack');
  await pack.getByRole('button', { name: 'Answer and run' }).waitFor();
  const send = await screen.open('/stories/send');
  await send.getByRole('button', { name: 'Resolve' }).waitFor();
  expect(await send.getByRole('button', { name: /[Rr]un/ }).count()).toBe(0);
});

test('a run that failed stands on home with its reason and what helps, and so does its session', async () => {
  using plan = createPlan();
  plan.story('ship', { title: 'Shipping' });
  plan.story('pack', { title: 'Packing' });
  const end = (story: string, fields: object) => {
    const record = { ...endedSession(1, story), outcome: 'error', ...fields };
    plan.write(`.git/saga/runs/sessions/saga-story-${story}-1.json`, record);
  };
  const refused = 'the model provider refuses the credential (401)';
  const cause = { kind: 'error', code: 'credential-refused', message: refused };
  end('ship', { reason: refused, cause });
  end('pack', { reason: 'git push failed', hint: 'Fetch first, then: saga run pack' });
  await using screen = await openScreen(plan.paths);
  const page = await screen.open('/');
  const needsYou = page.getByRole('region', { name: 'Needs you' });
  await textOf(needsYou).toMatch(/refuses the credential \(401\)[\s\S]*saga doctor/);
  const interrupted = page.getByRole('region', { name: 'Interrupted' });
  await textOf(interrupted).toMatch(/Packing[\s\S]*git push failed[\s\S]*saga /);
  await interrupted.getByRole('button', { name: 'Run Packing' }).waitFor();
  await screen.visit(page, '/sessions/saga-story-pack-1');
  await page.getByText('Fetch first, then:').waitFor();
  await page.getByText('saga run pack', { exact: true }).waitFor();
});

test('a story that is not there is told as such', async () => {
  using plan = createBlocked();
  await using screen = await openScreen(plan.paths);
  const page = await screen.open('/');
  await page.goto(`${screen.origin}/stories/nope`);
  await textOf(page.getByRole('alert')).toContain('not-found');
  await expectNoBarriers(page);
  await page.goto(`${screen.origin}/nowhere/at-all`);
  await page.getByText('There is no such page.').waitFor();
});

test('a message to the run is left for its worker, in order, and asks for an interruption if wanted', async () => {
  using plan = createPlan();
  plan.story('pay', { title: 'Paying' }, { one: {} });
  using _worker = await startSilentWorker(plan, 'pay');
  await using screen = await openScreen(plan.paths);
  const page = await screen.open('/stories/pay');
  const field = page.getByRole('textbox', { name: 'Your message to the run' });
  await field.fill('Use tabs.');
  await field.press('Enter');
  await page.getByText('Sent. The run of pay reads it').waitFor();
  await eventually(() => field.inputValue()).toBe('');
  await field.fill('Stop that.');
  await page.getByRole('button', { name: 'Interrupt and tell' }).click();
  await eventually(() => listMessages(plan.paths, 'pay').length).toBe(2);
  expect(listMessages(plan.paths, 'pay')).toMatchObject([
    { text: 'Use tabs.', interrupts: false },
    { text: 'Stop that.', interrupts: true },
  ]);
  await expectNoBarriers(page);
  expect(screen.complaints).toEqual([]);
});
