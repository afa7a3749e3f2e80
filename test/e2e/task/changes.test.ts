import { expect, test } from 'vitest';
import { createTaskList } from '../../rig/client/temp-task-list.ts';

test('create takes a body, dependencies, labels and metadata', async () => {
  using it = createTaskList({ 7: { subject: 'First' } });
  const { stdout } = await it.saga([
    ...['create', 'Write the docs', '--body', 'In the README.', '--blocked-by', '7'],
    ...['--label', 'docs', '--label', 'api', '--meta', 'area=backend', '--meta', 'size=3'],
  ]);
  expect(stdout).toBe('◌ 8  Write the docs  waits for 7\n');
  expect(it.read('8')).toEqual({
    id: '8',
    subject: 'Write the docs',
    description: 'In the README.',
    status: 'pending',
    blocks: [],
    blockedBy: ['7'],
    metadata: { area: 'backend', size: 3, labels: ['docs', 'api'] },
  });
  expect(it.read('7')).toMatchObject({ blocks: ['8'] });
});

test('create reads a body from standard input, and q prints only the id', async () => {
  using it = createTaskList();
  const created = await it.saga(['create', 'Long', '--body', '-'], { input: 'Two\nlines.' });
  expect(created.stdout).toBe('○ 1  Long\n');
  expect(it.read('1')).toMatchObject({ description: 'Two\nlines.' });
  expect(await it.show('q Quick')).toBe('2\n');
  expect(await it.json('q Quick')).toEqual({ version: 1, id: '3' });
  expect(await it.json('create Quick')).toMatchObject({ task: { id: '4', state: 'ready' } });
});

test('update changes what is named and keeps the rest', async () => {
  using it = createTaskList({ a: { metadata: { kept: 1, gone: 2 }, owner: 'bob' } });
  const { stdout } = await it.saga([
    ...['update', 'a', '--subject', 'New', '--body', 'All new.', '--status', 'in_progress'],
    ...['--owner', 'eve', '--meta', 'gone=', '--meta', 'more=[1,2]', '--meta', 'word=true story'],
  ]);
  expect(stdout).toBe('● a  New  eve\n');
  expect(it.read('a')).toEqual({
    id: 'a',
    subject: 'New',
    description: 'All new.',
    status: 'in_progress',
    blocks: [],
    blockedBy: [],
    metadata: { kept: 1, more: [1, 2], word: 'true story' },
    owner: 'eve',
  });
  await it.saga(['update', 'a', '--owner', '']);
  expect(Object.keys(it.read('a'))).not.toContain('owner');
  expect(await it.json('update a --status completed')).toMatchObject({ task: { state: 'done' } });
});

test.each(['reopen a', 'update a --status pending'])(
  '%s gives a task to nobody, with all its attempts',
  async (line) => {
    using it = createTaskList({
      a: {
        status: 'in_progress',
        owner: 'bob',
        metadata: {
          kept: 1,
          claim: { host: 'h', pid: 1, started: 1 },
          attempt_count: 3,
          last_outcome: 'failed',
          escalated: true,
        },
      },
    });
    expect(await it.json(line)).toMatchObject({ task: { state: 'ready' } });
    const { owner, status, metadata } = it.read('a');
    expect({ owner, status, metadata }).toEqual({
      owner: undefined,
      status: 'pending',
      metadata: { kept: 1 },
    });
  },
);

test('what update names wins over what a status brings with it', async () => {
  using it = createTaskList({ a: { owner: 'bob', metadata: { attempt_count: 3 } } });
  await it.saga([
    'update',
    'a',
    '--status',
    'pending',
    '--owner',
    'eve',
    '--meta',
    'attempt_count=1',
  ]);
  expect(it.read('a')).toMatchObject({ owner: 'eve', metadata: { attempt_count: 1 } });
});

test('close and reopen free a task from its owner', async () => {
  using it = createTaskList({ a: {} });
  await it.saga(['pop']);
  expect(await it.show('close a')).toBe('✓ a  Do a\n');
  expect(it.read('a')).toMatchObject({ status: 'completed', metadata: {} });
  expect(await it.show('reopen a')).toBe('○ a  Do a\n');
  expect(Object.keys(it.read('a'))).not.toContain('owner');
  expect(await it.json('close a')).toMatchObject({ task: { id: 'a', state: 'done' } });
});

test('labels are added once, and taken away', async () => {
  using it = createTaskList({ a: { metadata: { labels: ['one'] } } });
  expect(await it.json('label a two one three')).toMatchObject({
    task: { labels: ['one', 'two', 'three'] },
  });
  expect(await it.show('label a one three --remove')).toBe('○ a  Do a\n');
  expect(it.read('a')).toMatchObject({ metadata: { labels: ['two'] } });
});

test('delete takes every reference along, and its number is never given again', async () => {
  using it = createTaskList({ 1: { blocks: ['2'] }, 2: { blockedBy: ['1'], blocks: ['3'] } });
  it.write('3', { blockedBy: ['2'] });
  expect(await it.show('delete 2')).toBe('✓ deleted 2\n');
  expect(await it.json('delete 3')).toEqual({ version: 1, deleted: '3' });
  expect(it.read('1')).toMatchObject({ blocks: [] });
  expect(it.files()).toEqual(['1.json']);
  expect(await it.show('q Next')).toBe('4\n');
});

test('unknown fields that somebody put into a file survive a change', async () => {
  using it = createTaskList({ a: { mine: { deep: [1] }, activeForm: 'Doing a' } });
  await it.saga(['close', 'a']);
  expect(it.read('a')).toMatchObject({ mine: { deep: [1] }, activeForm: 'Doing a' });
});

test.each([
  ['create', [''], 'A task needs a subject.'],
  ['create', ['x', '--meta', 'area'], '--meta takes k=v'],
  ['create', ['x', '--blocked-by', 'nope'], 'no task "nope"'],
  ['update', ['a'], 'saga task update needs at least one option'],
  ['update', ['a', '--status', 'done'], '--status must be one of pending, in_progress, completed'],
  ['update', ['a', '--subject', ''], 'A task needs a subject.'],
  ['list', ['--state', 'pending'], '--state must be one of ready, in_progress, done'],
  ['dep', ['remove', 'a', 'b'], 'saga task dep does not take "remove"'],
  ['clsoe', ['a'], 'saga task has no command "clsoe"'],
])('saga task %s %j is refused', async (verb, args, says) => {
  using it = createTaskList({ a: {} });
  const { code, stdout, stderr } = await it.saga([verb, ...args]);
  expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(says)]);
  expect(it.files()).toEqual(['a.json']);
  expect(it.read('a')).toMatchObject({ subject: 'Do a', status: 'pending' });
});
