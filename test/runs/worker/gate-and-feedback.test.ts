import { walkTasks } from '@saga-ai/model';
import type { Overview } from '@saga-ai/types/screens/overview';
import { expect, test } from 'vitest';
import { expectJson } from '../../rig/screens/expect-json.ts';
import { createWorkshop, type Workshop } from '../../rig/worker/workshop.ts';

const REMARK = 'Round the totals to cents.';

/** A model that works through its tasks, and does what the feedback says if it is told any. */
async function createListening(): Promise<Workshop> {
  const walk = walkTasks();
  const command = 'echo rounded > totals.txt && git add -A && git commit -q -m "Round"';
  const policy: typeof walk = (conversation) => {
    if (!conversation.prompt.includes(REMARK)) return walk(conversation);
    return conversation.calls.length > 0
      ? { text: 'Rounded.' }
      : { calls: [{ tool: 'Bash', input: { command } }] };
  };
  return createWorkshop({ model: { policy } });
}

async function look(it: Workshop) {
  const { stdout } = await it.saga(['status', '--json']);
  const { stories } = JSON.parse(stdout) as Overview;
  return Object.fromEntries(stories.map((story) => [story.id, story]));
}

const countRuns = (it: Workshop) => it.events().filter(({ type }) => type === 'run:start').length;

test('a failed gate has two ways out: mended by hand and checked alone, or feedback that one run is told', async () => {
  await using it = await createListening();
  const verify = 'test -f fixed.txt || { echo "fixed.txt is missing"; exit 5; }';
  it.story('cart', { epic: 'shop', verify, writeFiles: ['**/*.txt', 'rehearsed/'] }, { one: {} });
  it.story('pay', { epic: 'shop' }, { one: {} });
  it.write('.saga/epics/shop.json', {
    id: 'shop',
    title: 'Shop',
    description: 'People can buy things.',
    children: [
      { id: 'cart', blockedBy: [] },
      { id: 'pay', blockedBy: ['cart'] },
    ],
  });
  it.git('add', '-A');
  it.git('commit', '-q', '-m', 'Plan it');
  it.git('push', '-q', 'origin', 'main');
  expect(await it.saga(['gate', 'cart'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('has no worktree'),
  });

  // It fails: what it was held to was told beforehand, and what helps is told now.
  const failed = await it.saga(['worker', 'cart']);
  expect(failed).toMatchObject({ code: 3, stdout: expect.stringContaining('saga gate cart') });
  expect(failed.stdout).toMatch(
    /! needs you +the gate failed: verify: .* ended with code 5 in a clean checkout · 2 runs/,
  );
  const told = JSON.stringify(it.model.requests[0]?.body);
  for (const part of ['fixed.txt is missing', '**/*.txt, rehearsed/', 'People can buy things.']) {
    expect(told).toContain(part);
  }
  const before = await look(it);
  expect(before.cart?.state).toBe('needs you');
  expect(before.pay?.state).toBe('waiting');
  const asked = it.model.requests.length;
  const again = await it.saga(['gate', 'cart']);
  expect(again.code).toBe(3);
  const verified = await it.saga(['verify', 'cart']);
  for (const { stdout } of [again, verified, await it.saga(['show', 'cart'])]) {
    expect(stdout).toContain('│ fixed.txt is missing');
    expect(stdout).toContain('then saga gate cart');
    expect(stdout).toContain('saga feedback cart "…"');
  }
  expect(verified.stdout).toContain('✓ protected-files  none changed');

  // Mended by hand.
  const tree = `${it.worktrees}/cart`;
  it.write('../project.stories/cart/fixed.txt', 'fixed\n');
  expect((await it.saga(['gate', 'cart'])).stdout).toContain('uncommitted: fixed.txt');
  it.git('-C', tree, 'add', '-A');
  it.git('-C', tree, 'commit', '-q', '-m', 'Mend it');
  const passed = await it.saga(['gate', 'cart', '--json']);
  expect(passed.code).toBe(0);
  await expectJson('gate', passed.stdout);
  expect(JSON.parse(passed.stdout)).toMatchObject({
    outcome: 'done',
    evidence: { outcome: 'passed', verify: { exitCode: 0 } },
  });
  expect(it.model.requests.length).toBe(asked);
  expect(it.github.pulls).toMatchObject([{ head: 'story/cart', isDraft: false }]);
  expect((await look(it)).cart).toMatchObject({ state: 'in review', reason: 'gate passed, #1' });

  // Feedback: one run is told, and no second one.
  expect((await it.saga(['feedback', 'cart', REMARK])).code).toBe(0);
  expect((await look(it)).cart).toMatchObject({
    state: 'interrupted',
    reason: `feedback for the next run: ${REMARK} · 1/1 task`,
    next: 'saga run cart',
  });
  expect((await it.saga(['worker', 'cart'])).code).toBe(0);
  expect(countRuns(it)).toBe(1);
  expect(JSON.stringify(it.model.requests[asked]?.body)).toContain(`- ${REMARK}`);
  expect(it.git('-C', tree, 'show', 'HEAD:totals.txt')).toBe('rounded\n');
  expect(it.readStory('cart', 'journal.md')).toMatch(/Resolution: Round the totals to cents\.\n/);
  expect((await look(it)).cart?.state).toBe('in review');
  expect((await it.saga(['worker', 'cart'])).code).toBe(0);
  expect(countRuns(it)).toBe(0);
});
