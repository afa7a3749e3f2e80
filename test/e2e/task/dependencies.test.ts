import { expect, test } from 'vitest';
import { createTaskList } from '../../rig/client/temp-task-list.ts';

/** d waits for b and c, which wait for a; e stands alone. */
const createDiamond = () =>
  createTaskList({
    a: { status: 'completed', blocks: ['b', 'c'] },
    b: { blockedBy: ['a'], blocks: ['d'] },
    c: { blockedBy: ['a'], blocks: ['d'], status: 'in_progress', owner: 'bob' },
    d: { blockedBy: ['b', 'c'] },
    e: {},
  });

test('who waits for whom, as a tree', async () => {
  using it = createDiamond();
  expect(await it.show('tree')).toMatchInlineSnapshot(`
    "✓ a  Do a
    ├ ○ b  Do b
    │ └ ◌ d  Do d
    └ ● c  Do c
      └ ◌ d  (see above)
    ○ e  Do e
    "
  `);
  expect(await it.show('tree c')).toMatchInlineSnapshot(`
    "● c  Do c
    └ ◌ d  Do d
    "
  `);
  expect(await it.json('tree b')).toEqual({
    version: 1,
    tree: [
      {
        id: 'b',
        subject: 'Do b',
        state: 'ready',
        again: false,
        children: [{ id: 'd', subject: 'Do d', state: 'blocked', again: false, children: [] }],
      },
    ],
    problems: [],
  });
});

test('the same as a graph, for all or for one with what it hangs on', async () => {
  using it = createDiamond();
  expect(await it.show('graph')).toMatchInlineSnapshot(`
    "✓ a
    ○ e
    ○ b  ← a
    ● c  ← a
    ◌ d  ← b, c

    longest open chain: b → d
    "
  `);
  expect(await it.show('graph c')).toMatchInlineSnapshot(`
    "✓ a
    ● c  ← a
    ◌ d  ← b, c

    longest open chain: c → d
    "
  `);
  expect(await it.show('graph --format mermaid')).toMatch(
    /^flowchart LR\n {2}n0\["✓ a: Do a"\]\n[\s\S]*n0 --> n\d\n/,
  );
  expect(await it.show('graph --format dot')).toMatch(
    /^digraph saga \{\n[\s\S]*"a" -> "b";\n[\s\S]*\}\n$/,
  );
  expect(await it.json('graph d')).toMatchObject({
    nodes: [{ id: 'a' }, { id: 'b' }, { id: 'c' }, { id: 'd', blockedBy: ['b', 'c'] }],
    criticalPath: ['b', 'd'],
  });
});

test('dep add and rm write both sides', async () => {
  using it = createDiamond();
  expect(await it.show('dep add e d')).toBe('✓ e now waits for d\n');
  expect([it.read('e').blockedBy, it.read('d').blocks]).toEqual([['d'], ['e']]);
  expect(await it.show('dep add e d')).toBe('✓ e now waits for d\n');
  expect([it.read('e').blockedBy, it.read('d').blocks]).toEqual([['d'], ['e']]);
  expect(await it.show('dep rm e d')).toBe('✓ e no longer waits for d\n');
  expect([it.read('e').blockedBy, it.read('d').blocks]).toEqual([[], []]);
  expect(await it.json('dep add e d')).toEqual({
    version: 1,
    id: 'e',
    blockedBy: 'd',
    act: 'add',
  });
});

test('a dependency that closes a circle is refused, and the circle named', async () => {
  using it = createDiamond();
  expect(await it.show('dep add a d')).toMatchInlineSnapshot(`
    "✗ a cannot wait for d: that would close a circle, a → d → b → a.  [cycle]
      Remove one of these dependencies first: saga task dep rm
    exit 1
    "
  `);
  expect(await it.show('dep add a a')).toMatchInlineSnapshot(`
    "✗ Task a cannot wait for itself.  [self-block]
      Name another task.
    exit 1
    "
  `);
  expect(it.read('a')).toMatchObject({ blockedBy: [] });
  expect(it.read('d')).toMatchObject({ blocks: [] });
});

test('two at once cannot close a circle together', async () => {
  using it = createTaskList({ a: {}, b: {} });
  const ended = await Promise.all([
    it.saga(['dep', 'add', 'a', 'b']),
    it.saga(['dep', 'add', 'b', 'a']),
  ]);
  expect(ended.map(({ code }) => code).toSorted()).toEqual([0, 1]);
});

test('tasks on a circle that somebody else made are shown all the same', async () => {
  using it = createTaskList({ a: { blockedBy: ['b'] }, b: { blockedBy: ['a'] }, c: {} });
  it.write('d', { blockedBy: ['d'] });
  expect(await it.show('tree')).toMatchInlineSnapshot(`
    "○ c  Do c
    ◌ d  Do d
    └ ◌ d  (see above)
    ◌ a  Do a
    └ ◌ b  Do b
      └ ◌ a  (see above)
    "
  `);
  expect(await it.show('list')).toMatchInlineSnapshot(`
    "○ c  Do c
    ◌ d  Do d  waits for d
    ◌ a  Do a  waits for b
    ◌ b  Do b  waits for a
    "
  `);
  expect(await it.json('tree a')).toMatchObject({
    tree: [{ id: 'a', children: [{ id: 'b', children: [{ id: 'a', again: true }] }] }],
  });
});

test('a tree of many ways through is drawn once', async () => {
  using it = createTaskList();
  for (let i = 1; i <= 40; i++) {
    const before = i === 1 ? [] : [`${i - 1}-a`, `${i - 1}-b`];
    for (const side of 'ab') it.write(`${i}-${side}`, { blockedBy: before });
  }
  const { stdout } = await it.saga(['tree', '--json']);
  expect(JSON.parse(stdout).tree).toMatchObject([{ id: '1-a' }, { id: '1-b' }]);
});

test('a dependency on a task that is not there blocks, and can be removed', async () => {
  using it = createTaskList({ a: { blockedBy: ['ghost'] } });
  expect(await it.show('blocked')).toBe('◌ a  Do a  waits for ghost\n');
  expect(await it.show('dep rm a ghost')).toBe('✓ a no longer waits for ghost\n');
  expect(await it.show('ready')).toBe('○ a  Do a\n');
});

test('a mirror that is half written is shown whole, and mended by the next dependency', async () => {
  using it = createTaskList({ a: {}, b: { blockedBy: ['a'] }, c: { blocks: ['a', 'gone'] } });
  it.write('bad', '{');
  it.write('d', { blocks: ['bad'] });
  expect(await it.json('show a')).toMatchObject({ task: { blocks: ['b'] } });
  expect(await it.json('show c')).toMatchObject({ task: { blocks: [] } });
  await it.saga(['dep', 'add', 'd', 'a']);
  expect(it.read('a')).toMatchObject({ blocks: ['d', 'b'] });
  expect(it.read('c')).toMatchObject({ blocks: [] });
  expect(it.read('d')).toMatchObject({ blocks: ['bad'] });
});
