import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createWorkshop } from '../../rig/worker/workshop.ts';

/** Numbers that differ each time. */
const steady = (text: string) =>
  text
    .replace(/(?<=· )(?:\d+ s|\d+m\d+s|\d+h\d+m)$/gm, 'N s')
    .replace(/saga__(\w+)__\d+/g, 'saga__$1__TIME')
    .replace(/(claude|git|gh) \d[\d.]*/g, '$1 N');

test('a story of three tasks ends as a pull request that is ready for review', async () => {
  await using it = await createWorkshop({
    rehearsals: {
      model: { write: { 'src/cart.js': 'exports.cart = [];\n' }, commit: 'cart: keep items' },
      api: { journal: { kind: 'Decision', title: 'Plain objects', body: 'Small enough.' } },
    },
  });
  it.story(
    'cart',
    { verify: 'node -e "require(\'./src/cart.js\')"' },
    {
      docs: { blockedBy: ['api'] },
      api: { blockedBy: ['model'] },
      model: { guidance: 'Keep it small.', doneWhen: 'It loads.' },
    },
  );
  const { code, stdout, stderr } = await it.saga(['worker', 'cart']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(steady(stdout)).toMatchInlineSnapshot(`
    "✓ preflight      claude N, git N, gh N, no open blocker
    ✓ worktree       created ../project.stories/cart (story/cart, 0 ahead of main)
    ✓ pull request   #1 (draft)
    ✓ task list      3 tasks in saga__cart__TIME
    ● run 1          model opus · guarded
      ● model
      ✓ model
      ● api
      ✓ api
      ● docs
      ✓ docs
    ✓ run 1          ended
    ● gate
    ● verify         node -e "require('./src/cart.js')"
    ✓ gate           9 checks passed · node -e "require('./src/cart.js')" ended with code 0 in a clean checkout
    ✓ pull request   #1 ready for review
    ✓ done           all tasks completed, gate passed · 1 run · N s
    "
  `);
  expect(it.pushedStatuses('cart')).toEqual({
    api: 'completed',
    docs: 'completed',
    model: 'completed',
  });
  const commits = it.git('log', '--reverse', '--format=%s', 'main..origin/story/cart');
  expect(commits.trim().split('\n')).toMatchInlineSnapshot(`
    [
      "saga: begin story cart",
      "saga: pull request of cart",
      "cart: keep items",
      "docs: Do docs",
      "saga: cart 3/3 tasks completed",
      "saga: cart passed its gate",
    ]
  `);
  expect(it.readStory('cart', 'journal.md')).toContain('Decision: Plain objects');
  const [pull, ...more] = it.github.pulls;
  expect(more).toEqual([]);
  expect(pull).toMatchObject({ title: 'Story: cart', isDraft: false, head: 'story/cart' });
  expect(pull?.body).toContain('- [x] Do api (`api`)');
  expect(pull?.body).toContain('| verify | passed |');
  expect(it.github.unknown).toEqual([]);
  expect(await it.saga(['verify', 'cart'])).toMatchObject({ code: 0 });
});

test('the model is shown guidance and when a task is done, and works in the worktree', async () => {
  await using it = await createWorkshop();
  it.story('cart', { guidance: 'In small steps.' }, { a: { guidance: 'G.', doneWhen: 'D.' } });
  await it.saga(['worker', 'cart']);
  const last = it.model.requests.at(-1)?.conversation;
  expect(last?.prompt).toContain('In small steps.');
  expect(last?.cwd).toBe(join(it.root, '../project.stories/cart'));
  const get = last?.calls.find((call) => call.tool === 'TaskGet');
  expect(get?.result?.text).toContain('## Guidance\nG.\n\n## Done when\nD.');
});

test('a second worker on a finished story runs nothing and changes nothing', async () => {
  await using it = await createWorkshop();
  it.story('cart', { verify: 'true' });
  await it.saga(['worker', 'cart']);
  const before = { log: it.git('log', '--format=%H', '--all'), requests: it.model.requests.length };
  const { code, stdout } = await it.saga(['worker', 'cart']);
  expect(code).toBe(0);
  expect(stdout).toContain('already passed; nothing has changed since');
  expect(stdout).toContain('0 runs');
  expect({
    log: it.git('log', '--format=%H', '--all'),
    requests: it.model.requests.length,
  }).toEqual(before);
  expect(it.github.pulls).toHaveLength(1);
});

test('every step announces itself before and after, and the last event says how it ended', async () => {
  await using it = await createWorkshop();
  it.story('cart', {}, { a: {} });
  await it.saga(['worker', 'cart', '--json']);
  const types = it.events().map((event) => event.type);
  const steps = types.filter((type) => !/^(run:(?!start|end)|gate:check)/.test(type));
  expect(steps).toMatchInlineSnapshot(`
    [
      "worker:start",
      "preflight:start",
      "preflight:passed",
      "worktree:start",
      "worktree:created",
      "story:committed",
      "pull-request:start",
      "push:done",
      "pull-request:created",
      "hydrate:start",
      "hydrate:done",
      "run:start",
      "task:status",
      "task:status",
      "run:end",
      "reconcile:done",
      "push:done",
      "gate:start",
      "push:done",
      "gate:passed",
      "pull-request:ready",
      "worker:end",
    ]
  `);
  const end = it.events().at(-1);
  expect(end).toMatchObject({ type: 'worker:end', kind: 'done', exitCode: 0, cycles: 1 });
  const verbatim = it.events().filter((event) => 'claude' in event);
  expect(verbatim.length).toBeGreaterThan(8);
});

test('with --json one value is printed, and an error is one too', async () => {
  await using it = await createWorkshop();
  it.story('cart', {}, { a: {} });
  const { stdout } = await it.saga(['worker', 'cart', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ version: 1, story: 'cart', outcome: 'done' });
  const unknown = await it.saga(['worker', 'crat', '--json']);
  expect(unknown.code).toBe(1);
  expect(JSON.parse(unknown.stdout)).toMatchObject({
    error: { code: 'not-found', hint: expect.stringContaining('cart') },
  });
  expect(it.outputFiles()).toHaveLength(1);
});

test('the main checkout is left alone', async () => {
  await using it = await createWorkshop();
  it.story('cart', {}, { a: {} });
  it.write('README.md', '# Being edited\n');
  const before = it.git('status', '--porcelain');
  await it.saga(['worker', 'cart']);
  expect(it.git('status', '--porcelain')).toBe(before);
  expect(existsSync(join(it.root, 'rehearsed'))).toBe(false);
});
