import { appendFileSync } from 'node:fs';
import { walkTasks } from '@saga-ai/model';
import { expect, test } from 'vitest';
import { createWorkshop, type Workshop } from '../../rig/worker/workshop.ts';

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

const QUESTION = 'Name it ask or query?';
const ANSWER = 'query please, IBEX8';
const ASK = `printf '\\n## 2026-01-01T00:00:00.000Z Blocker: ${QUESTION}\\n\\nBoth fit.\\n' >> .saga/stories/cart/journal.md`;

/** A model that does its tasks and asks at the end. If it is told the answer, it works it in. */
function createAsking(): Promise<Workshop> {
  const walk = walkTasks();
  const policy: typeof walk = (conversation) => {
    const { prompt, calls } = conversation;
    const bash = (command: string) => ({ calls: [{ tool: 'Bash', input: { command } }] });
    const hasCalled = (part: string) =>
      calls.some(({ input }) => JSON.stringify(input).includes(part));
    if (prompt.includes(ANSWER)) {
      if (hasCalled('renamed.txt')) return { text: 'Renamed.' };
      return bash('echo query > renamed.txt && git add -A && git commit -q -m "Name it query"');
    }
    const turn = walk(conversation);
    if ('text' in turn && !hasCalled('Blocker:')) return bash(ASK);
    return turn;
  };
  return createWorkshop({ model: { policy } });
}

const listRuns = (it: Workshop) => it.events().filter(({ type }) => type === 'run:start');
const stateOf = async (it: Workshop) =>
  JSON.parse((await it.saga(['status', '--json'])).stdout).stories[0];

test('a question of a run that completed every task: the answer gets a run before the gate, and each printed command works', async () => {
  await using it = await createAsking();
  it.story('cart', {}, { one: {} });
  expect(await it.saga(['worker', 'cart'])).toMatchObject({ code: 3 });
  expect(it.pushedStatuses('cart')).toEqual({ one: 'completed' });

  // While the question is open no run starts, so nothing prints that it would.
  const said = await it.saga(['feedback', 'cart', 'Add a comment.']);
  expect(said.stdout).toContain('first answer its open question: saga resolve cart\n');
  expect(said.stdout).toContain('then to have it worked on: saga run cart\n');
  const updated = await it.saga(['update', 'cart']);
  expect(updated.stdout).toContain('→ first answer its open question: saga resolve cart\n');

  expect((await it.saga(['resolve', 'cart', '--with', ANSWER])).code).toBe(0);
  const { entries } = JSON.parse((await it.saga(['journal', 'cart', '--json'])).stdout);
  const asked = entries.find(({ kind }: { kind: string }) => kind === 'Blocker');
  expect(entries.at(-1)).toMatchObject({ kind: 'Resolution', body: ANSWER, resolves: asked.id });
  expect(await stateOf(it)).toMatchObject({
    state: 'interrupted',
    reason: expect.stringContaining(`your answer is for the next run: ${QUESTION}`),
    next: 'saga run cart',
  });
  const landed = await it.saga(['land', 'cart', '--yes', '--local']);
  expect(landed).toMatchObject({ code: 1, stderr: expect.stringContaining('saga run cart') });

  expect((await it.saga(['worker', 'cart'])).code).toBe(0);
  expect(listRuns(it)).toHaveLength(1);
  const { prompt = '' } = it.model.requests.at(-1)?.conversation ?? {};
  expect(prompt).toContain(`- ${QUESTION} (new)\n  > Both fit.\n  ${ANSWER}\n`);
  expect(it.git('show', 'story/cart:renamed.txt')).toBe('query\n');
  expect(it.github.pulls).toMatchObject([{ isDraft: false }]);
  expect(await stateOf(it)).toMatchObject({ state: 'in review' });

  // It was told once, which another worker knows from the journal.
  expect((await it.saga(['worker', 'cart'])).code).toBe(0);
  expect(listRuns(it)).toHaveLength(0);
  // An answer that a person writes into the journal by hand is work as well.
  const journal = `${it.worktrees}/cart/.saga/stories/cart/journal.md`;
  appendFileSync(journal, `\n## Resolution: ${QUESTION}\n\nStill ${ANSWER}.\n`);
  expect(await stateOf(it)).toMatchObject({ state: 'interrupted' });
});

test('saga worker refuses what saga run refuses, in the same words', async () => {
  await using it = await createWorkshop();
  it.story('bad', { verify: 'false' }, { one: {} });
  it.story('cart', { epic: 'shop' }, { one: {} });
  it.epic('shop', { bad: [], cart: ['bad'] });
  const refused = await it.saga(['worker', 'cart']);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('[waits]') });
  expect(refused.stderr).toBe((await it.saga(['run', 'cart'])).stderr);
  expect(it.model.requests).toHaveLength(0);
});
