import { expect, test } from 'vitest';
import { createWorkshop } from '../../rig/worker/workshop.ts';

const ASKS = { two: { blocker: { title: 'Which sandbox?', body: 'Stripe or Adyen.' } } };
const TASKS = { one: {}, two: { blockedBy: ['one'] } };

test('a blocker ends the worker with 3, and the pull request stays a draft', async () => {
  await using it = await createWorkshop({ rehearsals: ASKS });
  it.story('cart', {}, TASKS);
  const { code, stdout } = await it.saga(['worker', 'cart']);
  expect(code).toBe(3);
  expect(stdout).toContain('! needs you      open blocker: Which sandbox?');
  expect(stdout.trimEnd()).toMatch(/→ to answer: saga resolve cart$/);
  expect(it.github.pulls).toMatchObject([{ isDraft: true }]);
  expect(it.pushedStatuses('cart')).toEqual({ one: 'completed', two: 'pending' });
  expect((await it.saga(['blockers'])).stdout).toContain('! cart  Which sandbox?');
});

test('nothing is run while it is open, unless one insists', async () => {
  await using it = await createWorkshop({ rehearsals: ASKS });
  it.story('cart', {}, TASKS);
  await it.saga(['worker', 'cart']);
  const asked = it.model.requests.length;
  expect(await it.saga(['run', 'cart', '--foreground'])).toMatchObject({ code: 3 });
  const inbox = (await it.saga(['inbox'])).stdout;
  expect(inbox).toMatch(/^! cart {2}needs you · .+\n {2}open question: Which sandbox\?\n/);
  expect(inbox).toContain('\n  → saga resolve cart\n');
  const refused = await it.saga(['run', 'cart']);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('Which sandbox?') });
  expect(refused.stderr).toContain('saga resolve cart --with');
  expect(it.model.requests.length).toBe(asked);
  await it.saga(['worker', 'cart', '--anyway']);
  expect(it.model.requests.length).toBeGreaterThan(asked);
});

test('the answer reaches the next run, which goes on', async () => {
  await using it = await createWorkshop({ rehearsals: ASKS });
  it.story('cart', {}, TASKS);
  await it.saga(['worker', 'cart']);
  const resolved = await it.saga(['resolve', 'cart', '--with', 'Stripe, keys are in .env.']);
  expect(resolved.stdout).toContain('resolved: Which sandbox?');
  expect(await it.saga(['worker', 'cart'])).toMatchObject({ code: 0 });
  const { prompt = '' } = it.model.requests.at(-1)?.conversation ?? {};
  expect(prompt).toContain('- Which sandbox?\n  Stripe, keys are in .env.');
  expect(it.readStory('cart', 'journal.md')).toMatch(/Resolution: Which sandbox\?/);
  expect(it.github.pulls).toMatchObject([{ isDraft: false }]);
});

test('an answer is written in the editor, below the question', async () => {
  await using it = await createWorkshop();
  it.story('cart');
  await it.saga(['journal', 'cart', 'add', '--kind', 'Blocker', '--title', 'Which?']);
  const editor = `${it.home}/editor.sh`;
  it.write(
    '../home/editor.sh',
    '#!/bin/sh\ngrep -q "> Which?" "$1" && echo "The first." >> "$1"\n',
  );
  const env = { EDITOR: `sh ${editor}` };
  expect(await it.saga(['resolve', 'cart'], { env })).toMatchObject({ code: 0 });
  const journal = (await it.saga(['journal', 'cart', '--json'])).stdout;
  expect(JSON.parse(journal).entries.at(-1)).toMatchObject({
    kind: 'Resolution',
    body: 'The first.',
  });
  expect(await it.saga(['resolve', 'cart'], { env })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no open blocker'),
  });
});

test('of several, one is named by its title or its number; an empty answer is refused', async () => {
  await using it = await createWorkshop();
  it.story('cart');
  for (const title of ['First?', 'Second?']) {
    await it.saga(['journal', 'cart', 'add', '--kind', 'Blocker', '--title', title]);
  }
  const unclear = await it.saga(['resolve', 'cart', '--with', 'Yes.']);
  expect(unclear.stderr).toContain('1. First?\n  2. Second?');
  expect((await it.saga(['resolve', 'cart', '--with', ' '])).code).toBe(1);
  expect((await it.saga(['resolve', 'cart', '--blocker', '2', '--with', 'No.'])).code).toBe(0);
  const left = JSON.parse((await it.saga(['blockers', '--json'])).stdout);
  expect(left.blockers).toMatchObject([{ story: 'cart', title: 'First?' }]);
  expect((await it.saga(['resolve', 'cart', '--blocker', 'frist?', '--with', 'Ok.'])).code).toBe(0);
  expect((await it.saga(['blockers'])).stdout).toBe('No blocker is open.\n');
});
