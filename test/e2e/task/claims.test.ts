import { spawnSync } from 'node:child_process';
import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { createTaskList } from '../../rig/client/temp-task-list.ts';

/** The number of a process that is no more. */
const gonePid = () => String(spawnSync(process.execPath, ['-e', '0']).pid);

test('pop claims the next one and shows it, until none is left', async () => {
  using it = createTaskList({
    2: { subject: 'Second', description: 'Do this.\n\nThen that.', blocks: ['3'] },
    3: { subject: 'Third', blockedBy: ['2'] },
    10: { subject: 'Tenth', status: 'in_progress' },
  });
  expect(await it.show('pop')).toMatchInlineSnapshot(`
    "● 2  Second  ada
      in progress · owner ada · blocks 3

      Do this.

      Then that.
    "
  `);
  expect(it.read('2')).toMatchObject({
    status: 'in_progress',
    owner: 'ada',
    metadata: { claim: { pid: process.pid, time: expect.any(String) } },
  });
  expect(await it.show('pop')).toBe('No task is ready.\nexit 3\n');
  expect(await it.json('pop')).toEqual({ version: 1, task: null, problems: [] });
  await it.saga(['close', '2']);
  expect(await it.json('pop')).toMatchObject({ task: { id: '3', state: 'in_progress' } });
});

test('claim takes one by its id, for the process and the name that are given', async () => {
  using it = createTaskList({ a: {}, b: { blockedBy: ['a'] }, c: { status: 'completed' } });
  expect(await it.show(`claim a --owner bob --pid ${process.ppid}`)).toMatchInlineSnapshot(`
    "● a  Do a  bob
      in progress · owner bob

      All of a.
    "
  `);
  expect(it.read('a')).toMatchObject({ metadata: { claim: { pid: process.ppid } } });
  expect(await it.show('claim a')).toMatchInlineSnapshot(`
    "✗ Task a cannot be claimed: bob (process <pid> on <host>) has claimed it.  [in-flight]
      --steal takes over from a process that has ended.
    exit 1
    "
  `);
  expect(await it.show('claim b')).toMatchInlineSnapshot(`
    "✗ Task b cannot be claimed: it is blocked.  [in-flight]
      saga task ready lists the tasks that can be claimed.
    exit 1
    "
  `);
  expect(await it.show('claim c')).toMatchInlineSnapshot(`
    "✗ Task c cannot be claimed: it is done.  [in-flight]
      saga task ready lists the tasks that can be claimed.
    exit 1
    "
  `);
});

test('release puts a claimed one back', async () => {
  using it = createTaskList({ a: { metadata: { kept: 1 } } });
  await it.saga(['pop']);
  expect(await it.show('release a')).toMatchInlineSnapshot(`
    "○ a  Do a
    "
  `);
  expect(it.read('a')).toMatchObject({ status: 'pending', metadata: { kept: 1 } });
  expect(Object.keys(it.read('a'))).not.toContain('owner');
  expect(await it.json('pop')).toMatchObject({ task: { id: 'a' } });
});

test('a live claim cannot be stolen, one of a process that is gone can', async () => {
  using it = createTaskList({ a: {}, b: {} });
  await it.saga(['claim', 'a', '--owner', 'bob']);
  const before = it.read('a');
  expect(await it.show('claim a --steal')).toMatchInlineSnapshot(`
    "✗ Task a cannot be claimed: bob (process <pid> on <host>) may still be running.  [in-flight]
      If you know that it has ended: saga task release a
    exit 1
    "
  `);
  expect(it.read('a')).toEqual(before);

  await it.saga(['claim', 'b', '--owner', 'bob', '--pid', gonePid()]);
  expect(await it.show('list')).toMatchInlineSnapshot(`
    "● a  Do a  bob
    ● b  Do b  abandoned by bob
    "
  `);
  expect((await it.saga(['claim', 'b'])).code).toBe(1);
  expect((await it.saga(['claim', 'b', '--steal'])).code).toBe(0);
  expect(it.read('b')).toMatchObject({ owner: 'ada', metadata: { claim: { pid: process.pid } } });
});

test.each([
  ['another host', { owner: 'bob', metadata: { claim: { pid: 1, host: `not-${hostname()}` } } }],
  ['a client, which says no process', { owner: 'bob' }],
  ['nobody we know', { metadata: { claim: { pid: 'x', host: 7 } } }],
])('what is claimed from %s may still be running', async (_, fields) => {
  using it = createTaskList({ a: { status: 'in_progress', ...fields } });
  const { code, stderr } = await it.saga(['claim', 'a', '--steal']);
  expect([code, stderr]).toEqual([1, expect.stringContaining('may still be running')]);
  expect(it.read('a')).toMatchObject({ status: 'in_progress', ...fields });
});

test.each(['0', '-1', '1.5', 'me', ''])('--pid %j is no process', async (pid) => {
  using it = createTaskList({ a: {} });
  const { code, stderr } = await it.saga(['pop', `--pid=${pid}`]);
  expect([code, stderr]).toEqual([1, expect.stringContaining('[usage]')]);
  expect(it.read('a')).toMatchObject({ status: 'pending' });
});

test('a stale lock on the next task does not turn pop away from it', async () => {
  using it = createTaskList({ 1: {}, 2: {} });
  it.leaveLock('1.json', 11);
  expect(await it.json('pop')).toMatchObject({ task: { id: '1' } });
  it.leaveLock('2.json', 1);
  expect(await it.json('list --state ready')).toMatchObject({ tasks: [{ id: '2' }] });
});
