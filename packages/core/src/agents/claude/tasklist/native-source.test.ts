import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../../../../../test/rig/project/temp-folder.ts';
import { openNativeList } from './native-source.ts';

function createList() {
  const folder = createTempFolder();
  const list = join(folder.path, 'tasks/demo');
  const source = openNativeList({ config: folder.path }, 'demo');
  const add = (subject: string, blockedBy: string[] = []) =>
    source.create({ subject, description: '', blockedBy, metadata: {} });
  return {
    source,
    add,
    list,
    read: (id: string) => JSON.parse(readFileSync(join(list, `${id}.json`), 'utf8')),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

test('tasks are numbered as the client numbers them, and a number is never given twice', async () => {
  using it = createList();
  expect((await it.add('one')).id).toBe('1');
  writeFileSync(join(it.list, '5-setup.json'), readFileSync(join(it.list, '1.json')));
  expect((await it.add('two')).id).toBe('6');
  await it.source.remove('6');
  expect(readFileSync(join(it.list, '.highwatermark'), 'utf8')).toBe('6');
  expect((await it.add('three')).id).toBe('7');
});

test('blocks and blockedBy mirror each other through every change', async () => {
  using it = createList();
  await it.add('one');
  await it.add('two', ['1']);
  await it.add('three');
  expect(it.read('1').blocks).toEqual(['2']);
  await it.source.addDependency('3', '2');
  expect([it.read('3').blockedBy, it.read('2').blocks]).toEqual([['2'], ['3']]);
  await it.source.removeDependency('3', '2');
  expect([it.read('3').blockedBy, it.read('2').blocks]).toEqual([[], []]);
  await it.source.remove('1');
  expect(it.read('2').blockedBy).toEqual([]);
  expect(readdirSync(it.list).toSorted()).toEqual(['.highwatermark', '.lock', '2.json', '3.json']);
});

test('a dependency that would close a circle is refused, and the circle named', async () => {
  using it = createList();
  await it.add('one');
  await it.add('two', ['1']);
  await it.add('three', ['2']);
  await expect(it.source.addDependency('1', '3')).rejects.toMatchObject({
    code: 'cycle',
    message: '1 cannot wait for 3: that would close a circle, 1 → 3 → 2 → 1.',
  });
  await expect(it.source.addDependency('1', '1')).rejects.toMatchObject({ code: 'self-block' });
  expect(it.read('1').blockedBy).toEqual([]);
});

test('what the client would silently drop is reported, and the rest is there', async () => {
  using it = createList();
  await it.add('one');
  const good = it.read('1');
  const write = (name: string, content: unknown) =>
    writeFileSync(
      join(it.list, name),
      typeof content === 'string' ? content : JSON.stringify(content),
    );
  write('torn.json', '{ "id": "torn", ');
  write('status.json', { ...good, status: 'deleted' });
  write('null.json', { ...good, activeForm: null });
  write('renamed.json', good);
  write('.hidden.json', 'x');
  write('notes.md', 'x');
  mkdirSync(join(it.list, '1.json.lock'));
  mkdirSync(join(it.list, 'folder.json'));
  const { tasks, problems } = it.source.load();
  expect(tasks.map((task) => task.id)).toEqual(['1', 'renamed']);
  expect(problems.map(({ file }) => file)).toEqual(['null.json', 'status.json', 'torn.json']);
  expect(problems[1]?.message).toContain('"status" must be one of');
});

test.each(['9', '../demo', 'a/b', '..', '', 'a b', '1.json'])(
  '%j is no task of the list',
  async (id) => {
    using it = createList();
    await it.add('one');
    await expect(it.source.change(id, () => undefined)).rejects.toMatchObject({
      code: 'not-found',
    });
    await expect(it.source.remove(id)).rejects.toMatchObject({ code: 'not-found' });
    expect(readdirSync(it.list)).toContain('1.json');
  },
);

test('an unknown list is answered with the one that was meant', async () => {
  using it = createList();
  await it.add('one');
  const { config } = { config: join(it.list, '../..') };
  expect(() => openNativeList({ config }, 'dmeo').load()).toThrow(
    expect.objectContaining({ code: 'not-found', hint: 'Did you mean --list demo?' }),
  );
  expect(() => openNativeList({ config }, '').load()).toThrow(/No task list ""/);
});
