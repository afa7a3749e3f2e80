import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createTaskList, printed } from '../../rig/client/temp-task-list.ts';
import { runCommand } from '../../rig/programs/run-program.ts';

describe('lists', () => {
  test('an unknown list is answered with the near one', async () => {
    using it = createTaskList({ a: {} });
    expect(await it.show('list --list dmeo')).toMatchInlineSnapshot(`
      "✗ No task list "dmeo" in <folder>/tasks.  [not-found]
        Did you mean --list demo?
      exit 1
      "
    `);
    expect(await it.show('pop --list elsewhere')).toMatchInlineSnapshot(`
      "✗ No task list "elsewhere" in <folder>/tasks.  [not-found]
        Name one with --list, or create its first task: saga task create. For tasks of a story, use --story.
      exit 1
      "
    `);
    expect((await it.json('pop --list dmeo')).error).toMatchObject({
      code: 'not-found',
      hint: 'Did you mean --list demo?',
    });
    expect(readdirSync(join(it.config, 'tasks'))).toEqual(['demo']);
  });

  test.each(['', '..', '../..', '/', '/etc', 'a/../b', '.'])(
    '%j leads nowhere else',
    async (id) => {
      using it = createTaskList({ a: {} });
      const { code, stderr } = await it.saga(['list', `--list=${id}`]);
      expect([code, stderr]).toEqual([1, expect.stringContaining('No task list')]);
      await it.saga(['create', 'x', `--list=${id}`]);
      const made = readdirSync(it.config, { recursive: true }).map(String);
      const created = made.filter((path) => path.endsWith('1.json'));
      expect(created).toEqual(id === '' ? [] : [expect.stringMatching(/^tasks\/[-a-z]+\/1.json$/)]);
      expect(readdirSync(it.config)).toEqual(['tasks']);
    },
  );

  test('the root folder has no name, and so no list', async () => {
    using it = createTaskList();
    const ended = await it.saga(['create', 'x'], {
      cwd: '/',
      env: { CLAUDE_CODE_TASK_LIST_ID: '' },
    });
    expect(printed(ended)).toContain('No task list ""');
    expect(readdirSync(join(it.config, 'tasks'))).toEqual(['demo']);
  });
});

describe('ids', () => {
  const VERBS = ['show', 'close', 'reopen', 'claim', 'release', 'delete', 'edit', 'tree', 'graph'];
  const IDS = ['nope', '../other/a', '..', 'a/b', 'a b', '', 'a.json', '/etc/passwd'];

  test.each(VERBS)('saga task %s', async (verb) => {
    using it = createTaskList({ a: {}, 'a-b': {} });
    mkdirSync(join(it.config, 'tasks/other'));
    const before = [it.read('a'), it.read('a-b')];
    for (const id of IDS) {
      const { code, stdout, stderr } = await it.saga([verb, id], { env: { EDITOR: 'false' } });
      expect([id, code, stdout, stderr]).toEqual([
        id,
        1,
        '',
        expect.stringContaining('[not-found]'),
      ]);
    }
    expect([it.read('a'), it.read('a-b')]).toEqual(before);
    expect(it.files()).toEqual(['a-b.json', 'a.json']);
  });

  test('the id that was probably meant is named', async () => {
    using it = createTaskList({ 'write-docs': {}, 'a-b': {} });
    expect(await it.show('close write-dosc')).toMatchInlineSnapshot(`
      "✗ The list has no task "write-dosc".  [not-found]
        Did you mean write-docs?
      exit 1
      "
    `);
    expect(await it.show('show a.b')).toContain('Did you mean a-b?');
    expect(await it.show('close a.b')).toContain('Did you mean a-b?');
    expect(await it.show('dep add write-docs a.b')).toContain('Did you mean a-b?');
  });

  test('of two files that the client takes for one, the one it never finds is a problem', async () => {
    using it = createTaskList({ 'a-b': { subject: 'Found' }, 'a.b': { subject: 'Never found' } });
    expect(await it.show('list')).toMatchInlineSnapshot(`
      "○ a-b  Found
      ✗ a.b.json of the task list is never found: Claude Code looks for a-b.json instead.  [invalid-id]
        Give the file a name of letters, digits, - and _ that is free, or remove it.
      "
    `);
    expect((await it.json('pop')).task).toMatchObject({ id: 'a-b' });
    expect(await it.show('pop')).toMatchInlineSnapshot(`
      "No task is ready.
      ✗ a.b.json of the task list is never found: Claude Code looks for a-b.json instead.  [invalid-id]
        Give the file a name of letters, digits, - and _ that is free, or remove it.
      exit 3
      "
    `);
    expect(await it.show('close a.b')).toContain('[invalid-id]');
    expect(await it.show('delete a.b')).toBe('✓ deleted a.b\n');
    expect(it.files()).toEqual(['a-b.json']);
  });
});

describe('files', () => {
  test('invalid ones are named above the good ones, by every verb that reads the list', async () => {
    using it = createTaskList({ a: {}, b: { blockedBy: ['torn'] }, c: { blocks: null } });
    it.write('torn', '{ "id": "torn", ');
    mkdirSync(join(it.folder, 'd.json'));
    expect(await it.show('list')).toMatchInlineSnapshot(`
      "○ a  Do a
      ◌ b  Do b  waits for torn
      ✗ c.json of the task list cannot be read: "blocks" must be an array (found null). Claude Code does not see this task.  [invalid-file]
        Correct the file, or remove the task: saga task delete c
      ✗ torn.json of the task list cannot be read: it is not valid JSON (line 1: unexpected end). Claude Code does not see this task.  [invalid-file]
        Correct the file, or remove the task: saga task delete torn
      "
    `);
    for (const line of ['ready', 'tree', 'graph', 'blocked', 'count', 'status', 'search Do']) {
      const { code, stdout, stderr } = await it.saga(line.split(' '));
      expect([line, code, stdout]).toEqual([line, 0, expect.stringMatching(/\w/)]);
      expect([line, stderr]).toEqual([line, expect.stringContaining('torn.json of the task list')]);
      expect((await it.json(line)).problems).toMatchObject([
        { code: 'invalid-file', file: 'c.json' },
        { code: 'invalid-file', file: 'torn.json' },
      ]);
    }
  });

  test('one that is asked for by name says what is wrong with it', async () => {
    using it = createTaskList({ c: { status: 'deleted' } });
    for (const verb of ['show', 'close', 'claim', 'tree', 'graph']) {
      expect([verb, await it.show(`${verb} c`)]).toEqual([
        verb,
        expect.stringContaining('c.json of the task list cannot be read: "status" must be one of'),
      ]);
    }
    expect(it.read('c')).toMatchObject({ status: 'deleted' });
    expect(await it.show('delete c')).toBe('✓ deleted c\n');
  });

  test('pop goes on beside them, and names them when nothing is ready', async () => {
    using it = createTaskList({ a: {}, b: { blockedBy: ['torn'] } });
    it.write('torn', '');
    expect(await it.json('pop')).toMatchObject({ task: { id: 'a' } });
    expect(await it.show('pop')).toContain('torn.json of the task list cannot be read');
    expect(await it.json('pop')).toMatchObject({ task: null, problems: [{ file: 'torn.json' }] });
  });

  test('a pipe among them is not waited for', async () => {
    using it = createTaskList({ a: {} });
    await runCommand('mkfifo', [join(it.folder, 'pipe.json')]);
    const { code, stdout } = await it.saga(['ready']);
    expect([code, stdout]).toEqual([0, '○ a  Do a\n']);
  });
});
