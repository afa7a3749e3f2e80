import { expect, test } from 'vitest';
import { createTaskList } from '../../rig/client/temp-task-list.ts';

/** One task in each state. */
const createShop = () =>
  createTaskList({
    1: { subject: 'Design the cart', status: 'completed', blocks: ['2'] },
    2: {
      subject: 'Write the endpoints',
      description: 'All four of them, as the design says.',
      blockedBy: ['1'],
      blocks: ['3'],
      metadata: { labels: ['backend', 'api'] },
    },
    3: { subject: 'Describe them', blockedBy: ['2'] },
    4: { subject: 'Render the receipt', status: 'in_progress', owner: 'bob' },
    5: { subject: 'Send mail', metadata: { last_outcome: 'failed', attempt_count: 2 } },
    6: { subject: 'Choose a bank', metadata: { escalated: true } },
  });

test('what there is, and how each task stands', async () => {
  using it = createShop();
  expect(await it.show('list')).toMatchInlineSnapshot(`
    "✓ 1  Design the cart
    ● 4  Render the receipt   bob
    ✗ 5  Send mail            failed, 2 attempts
    ! 6  Choose a bank        escalated
    ○ 2  Write the endpoints
    ◌ 3  Describe them        waits for 2
    "
  `);
  expect(await it.show('ready')).toMatchInlineSnapshot(`
    "✗ 5  Send mail            failed, 2 attempts
    ○ 2  Write the endpoints
    "
  `);
  expect(await it.show('blocked')).toMatchInlineSnapshot(`
    "◌ 3  Describe them  waits for 2
    "
  `);
  expect(await it.show('status')).toMatchInlineSnapshot(`
    "list demo  ██░░░░░░░░░░  1/6
      1 ready, 1 in progress, 1 done, 1 blocked, 1 failed, 1 escalated
      ● 4  Render the receipt  bob
    "
  `);
});

test('one task in full', async () => {
  using it = createShop();
  expect(await it.show('show 2')).toMatchInlineSnapshot(`
    "○ 2  Write the endpoints
      ready · blocked by 1 · blocks 3 · backend, api

      All four of them, as the design says.
    "
  `);
  expect(await it.show('show 4')).toMatchInlineSnapshot(`
    "● 4  Render the receipt  bob
      in progress · owner bob

      All of 4.
    "
  `);
});

test('a list is narrowed by state, label, owner and words', async () => {
  using it = createShop();
  const ids = async (line: string) =>
    ((await it.json(line)).tasks as { id: string }[]).map(({ id }) => id).join(' ');
  expect(await ids('list --state failed')).toBe('5');
  expect(await ids('list --state done')).toBe('1');
  expect(await ids('list --label api')).toBe('2');
  expect(await ids('list --owner bob')).toBe('4');
  expect(await ids('list --owner nobody')).toBe('');
  expect(await ids('search DESIGN')).toBe('1 2');
  expect(await ids('search design four')).toBe('2');
  expect(await it.show('search yacht')).toBe('No task found.\n');
  expect(await it.show('list --label none')).toBe('No tasks.\n');
});

test('count prints one number', async () => {
  using it = createShop();
  expect(await it.show('count')).toBe('6\n');
  expect(await it.show('count --state ready')).toBe('1\n');
  expect(await it.show('count --state escalated')).toBe('1\n');
  expect(await it.json('count --state blocked')).toEqual({ version: 1, count: 1, problems: [] });
});

test('the same for scripts', async () => {
  using it = createShop();
  const derived = { waitsFor: [], abandoned: false };
  expect(await it.json('ready')).toEqual({
    version: 1,
    tasks: [
      { ...it.read('5'), state: 'failed', labels: [], ...derived },
      { ...it.read('2'), state: 'ready', labels: ['backend', 'api'], ...derived },
    ],
    problems: [],
  });
  expect(await it.json('blocked')).toMatchObject({
    version: 1,
    tasks: [{ id: '3', state: 'blocked', waitsFor: ['2'], blockedBy: ['2'] }],
    problems: [],
  });
  expect(await it.json('status')).toMatchInlineSnapshot(`
    {
      "counts": {
        "blocked": 1,
        "done": 1,
        "escalated": 1,
        "failed": 1,
        "in_progress": 1,
        "ready": 1,
      },
      "label": "list demo",
      "problems": [],
      "progress": {
        "completed": 1,
        "total": 6,
      },
      "version": 1,
    }
  `);
  expect(await it.json('show 4')).toEqual({
    version: 1,
    task: { ...it.read('4'), state: 'in_progress', labels: [], ...derived },
  });
});

test('the list is the one named, else the one of the session, else the one like the folder', async () => {
  using it = createShop();
  const env = { CLAUDE_CODE_TASK_LIST_ID: '' };
  const count = async (...args: string[]) =>
    (await it.saga(['count', ...args], { cwd: it.folder, env })).stdout;
  expect(await count()).toBe('6\n');
  await it.saga(['q', 'Alone', '--list', 'other.list']);
  expect(await count('--list', 'other.list')).toBe('1\n');
  expect(await count('--list', 'other-list')).toBe('1\n');
  expect(await it.show('count')).toBe('6\n');
});

test('an empty list is no error', async () => {
  using it = createTaskList();
  for (const [line, said] of Object.entries({
    list: 'No tasks.\n',
    ready: 'No task is ready.\n',
    blocked: 'No task is blocked.\n',
    tree: 'No tasks.\n',
    graph: 'Nothing to draw.\n',
    count: '0\n',
    status: 'list demo  ░░░░░░░░░░░░  0/0\n',
    pop: 'No task is ready.\nexit 3\n',
  })) {
    expect([line, await it.show(line)]).toEqual([line, said]);
  }
});
