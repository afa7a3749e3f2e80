import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Policy, type Turn, walkTasks } from '@saga-ai/model';
import type { InboxJson } from '@saga-ai/types/screens/json/run';
import type { Overview, StoryView } from '@saga-ai/types/screens/overview';
import { expect, test } from 'vitest';
import { SAGA } from '../../rig/programs/run-program.ts';
import { createWorkshop, type Workshop, type WorkshopOptions } from '../../rig/worker/workshop.ts';

/** An epic with a story and one that waits for it, on the default branch. */
async function createPair(fields: object, options?: WorkshopOptions): Promise<Workshop> {
  const it = await createWorkshop(options);
  it.story('cart', { epic: 'shop', ...fields }, { one: {} });
  it.story('pay', { epic: 'shop' }, { one: {} });
  const children = [
    { id: 'cart', blockedBy: [] },
    { id: 'pay', blockedBy: ['cart'] },
  ];
  it.write('.saga/epics/shop.json', { id: 'shop', title: 'Shop', description: 'All.', children });
  it.git('add', '-A');
  it.git('commit', '-q', '-m', 'Plan it');
  it.git('push', '-q', 'origin', 'main');
  return it;
}

async function look(it: Workshop) {
  const { stdout } = await it.saga(['status', '--json']);
  const { stories, epics } = JSON.parse(stdout) as Overview;
  const find = (id: string) => stories.find((story) => story.id === id) as StoryView;
  return { cart: find('cart'), pay: find('pay'), shop: epics[0] };
}

test('a story that did not pass its gate releases nobody, and says what helps', async () => {
  await using it = await createPair({ verify: 'exit 5' });
  expect((await it.saga(['worker', 'cart'])).code).toBe(3);
  const { cart, pay, shop } = await look(it);
  expect(cart).toMatchObject({
    status: 'completed',
    state: 'needs you',
    reason: 'gate failed: exit 5 ended with code 5 in a clean checkout',
    next: 'saga verify cart',
  });
  expect(pay).toMatchObject({
    state: 'waiting',
    reason: expect.stringMatching(/^waits for cart: needs you, #\d+$/),
    ready: false,
    blockedBy: ['cart'],
  });
  expect(shop).toMatchObject({
    state: 'needs you',
    progress: { completed: 0, total: 2 },
    inReview: 0,
  });
  const { stdout } = await it.saga(['status']);
  expect(stdout).toContain('░░░░░░░░░░░░  0/2 stories');
  expect(stdout).toContain('1 needs you: cart\n  → saga verify cart');
  expect((await it.saga(['ready'])).stdout).toContain('No story is ready');
  const refused = await it.saga(['run', 'pay', '--foreground']);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('Story pay waits for cart: needs you, #');
});

test.each<[string, (it: Workshop) => void]>([
  ['merged', (it) => it.git('merge', '-q', '--no-ff', '-m', 'Merge it', 'story/cart')],
  [
    'squashed',
    (it) => {
      it.git('merge', '-q', '--squash', 'story/cart');
      it.git('commit', '-q', '-m', 'All of it');
    },
  ],
])('passed, it is in review; %s, it is done and what waits for it is ready', async (_, merge) => {
  await using it = await createPair({});
  expect((await it.saga(['worker', 'cart'])).code).toBe(0);
  const before = await look(it);
  expect(before.cart).toMatchObject({
    state: 'in review',
    reason: expect.stringMatching(/^gate passed \(unverified\), #\d+$/),
    unverified: true,
  });
  expect(before.pay).toMatchObject({ state: 'waiting', ready: false });
  expect(before.shop).toMatchObject({ progress: { completed: 0, total: 2 }, inReview: 1 });
  expect((await it.saga(['status'])).stdout).toContain('0/2 stories  1 in review');

  merge(it);
  // Here it is merged, but stories start from the branch of the remote.
  expect((await look(it)).cart.state).toBe('in review');
  it.git('push', '-q', 'origin', 'main');
  const after = await look(it);
  expect(after.cart).toMatchObject({ state: 'done', next: null, needsYou: null });
  expect(after.pay).toMatchObject({ state: 'ready', ready: true, blockedBy: [] });
  expect(after.shop).toMatchObject({ progress: { completed: 1, total: 2 }, inReview: 0 });
  expect((await it.saga(['list'])).stdout).toMatch(/✓ +cart .*unverified/);

  // A clone knows it too, without a record of any session.
  it.git('clone', '-q', it.origin, '../clone');
  const cloned = await it.saga(['ready', '--json'], { cwd: `${it.root}/../clone` });
  expect(JSON.parse(cloned.stdout).stories).toMatchObject([{ id: 'pay', state: 'ready' }]);
});

test('a commit after the gate is not what was checked', async () => {
  await using it = await createPair({});
  expect((await it.saga(['worker', 'cart'])).code).toBe(0);
  const tree = `${it.worktrees}/cart`;
  it.write('../project.stories/cart/more.txt', 'more\n');
  it.git('-C', tree, 'add', 'more.txt');
  it.git('-C', tree, 'commit', '-q', '-m', 'More');
  const { cart, pay } = await look(it);
  expect(cart).toMatchObject({
    state: 'interrupted',
    reason: 'changed since its gate passed · 1/1 task',
    next: 'saga run cart',
  });
  expect(pay.reason).toBe('waits for cart: interrupted, #1');
});

test('a story whose worker was killed is interrupted, and its command goes on', async () => {
  const rehearsals = { one: { run: ['sleep 600'] } };
  await using it = await createPair({}, { rehearsals });
  const worker = spawn(process.execPath, [SAGA, 'worker', 'cart'], {
    cwd: it.root,
    env: it.environment,
    stdio: 'ignore',
  });
  const gone = once(worker, 'exit');
  try {
    await expect
      .poll(async () => (await look(it)).cart.session?.activity, { interval: 200 })
      .toContain('sleep 600');
    expect((await look(it)).cart).toMatchObject({ state: 'running', next: 'saga logs -f cart' });
  } finally {
    worker.kill('SIGKILL');
    await gone;
  }
  const { cart, pay } = await look(it);
  expect(cart).toMatchObject({
    state: 'interrupted',
    reason: 'its worker was killed · 0/1 task',
    next: 'saga run cart',
    ready: false,
  });
  expect(pay.reason).toBe('waits for cart: interrupted, #1');
  const { stdout } = await it.saga(['status']);
  expect(stdout).toContain('1 interrupted: cart\n  → saga run cart');
});

test('limited, stopped or refused: each stays visible with its command, until somebody acts', async () => {
  const walk = walkTasks({ rehearsals: { one: { run: ['sleep 600'] } } });
  const shy: Turn = { text: 'I would rather not.' };
  const policy: Policy = (talk) => (talk.prompt.includes('Story shy') ? shy : walk(talk));
  await using it = await createWorkshop({ remote: false, model: { policy } });
  for (const id of ['shy', 'slow', 'locked']) it.story(id, { title: `Story ${id}` }, { one: {} });
  expect((await it.saga(['worker', 'shy', '--max-cycles', '1'])).code).toBe(2);

  const slow = it.saga(['worker', 'slow']);
  const sessionOf = async (id: string) =>
    JSON.parse((await it.saga(['sessions', '--json', id])).stdout).sessions[0];
  await expect
    .poll(async () => (await sessionOf('slow'))?.activity, { interval: 200 })
    .toContain('sleep 600');
  await it.saga(['stop', 'slow']);
  expect((await slow).code).toBe(2);

  for (let i = 0; i < 8; i++) it.model.failNext({ status: 401 });
  expect((await it.saga(['worker', 'locked'])).code).toBe(1);

  const inbox = JSON.parse((await it.saga(['inbox', '--json'])).stdout) as InboxJson;
  const hint = expect.stringMatching(/Log in .* Then go on: saga run locked$/);
  expect(inbox.items).toMatchObject([
    { story: 'shy', kind: 'interrupted', next: 'saga run shy', remedy: null },
    { story: 'slow', kind: 'interrupted', next: 'saga run slow', remedy: null },
    { story: 'locked', kind: 'credential', next: 'saga doctor', remedy: hint },
  ]);
  expect(inbox.items.every(({ since }) => since !== null)).toBe(true);

  const status = (await it.saga(['status'])).stdout;
  expect(status).toContain('\n1 needs you: locked\n  → saga doctor\n');
  expect(status).toContain('\n2 interrupted: shy, slow\n  → saga run shy\n  → saga run slow\n');
  for (const shown of [status, (await it.saga(['list'])).stdout]) {
    expect(shown).toMatch(/◐ shy .*a limit was reached: not done after 1 cycle/);
    expect(shown).toMatch(/◐ slow .*interrupted: stopped on request/);
    expect(shown).toMatch(/! locked .*needs you: /);
  }
  const sessions = (await it.saga(['sessions'])).stdout;
  expect(sessions).toMatch(/✗ locked .*\n {2}.*Log in .*\n {2}→ saga doctor\n/);
  expect(sessions).toMatch(/◐ shy .*\n {2}→ saga run shy\n/);
  expect((await it.saga(['show', 'locked'])).stdout).toMatch(/Log in .*\n {2}→ saga doctor\n/);
  expect((await it.saga(['logs', 'locked'])).stdout).toMatch(/✗ error .*\n +→ .*Log in /);
  expect(await sessionOf('locked')).toMatchObject({ exitCode: 1, hint: expect.any(String) });
});
