import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { overviewIndexFile } from '@saga-ai/core/project/paths';
import { expect, test } from 'vitest';
import { createTempProject, type TempProject } from '../../rig/project/temp-project.ts';
import { whenSettled } from '../../rig/project/when-settled.ts';

test.each<[name: string, spoil: (file: string) => void]>([
  ['empty', (file) => writeFileSync(file, '')],
  ['garbage', (file) => writeFileSync(file, Buffer.alloc(5000, 0xc3))],
  ['cut in its header', (file) => truncateSync(file, 10)],
  ['cut in its middle', (file) => truncateSync(file, Math.floor(readFileSync(file).length / 2))],
  ['with a title altered', (file) => replaceIn(file, 'Story first', 'Story worst')],
  ['with a count altered', (file) => replaceIn(file, '"pending":2', '"pending":9')],
  ['with a byte too many', (file) => writeFileSync(file, `${readFileSync(file, 'utf8')} `)],
  ['of another format', (file) => replaceIn(file, /^saga-overview \d+/, 'saga-overview 999')],
  ['JSON without a header', (file) => writeFileSync(file, '{"stories":{}}')],
  ['sealed, but empty inside', (file) => seal(file, '{}')],
  ['sealed, but null', (file) => seal(file, 'null')],
  [
    'sealed, but with entries that are none',
    (file) => seal(file, '{"stories":{".saga/stories/first":7},"epics":7}'),
  ],
])('an index that is %s changes nothing of what saga list says', async (_, spoil) => {
  await using project = await arrange();
  const before = await listText(project);
  spoil(overviewIndexFile(project.paths));

  const [after, again] = [await listText(project), await listText(project)];

  expect(after).toBe(before);
  expect(again).toBe(before);
});

test('the index of another project changes nothing', async () => {
  await using project = await arrange();
  await using other = await arrange({ title: 'From elsewhere' });
  const before = await listText(project);
  writeFileSync(overviewIndexFile(project.paths), readFileSync(overviewIndexFile(other.paths)));
  expect(await listText(project)).toBe(before);
});

test('a folder where the index should be changes nothing', async () => {
  await using project = await createTempProject();
  project.writeStory('first', {}, [{}, {}]);
  project.write('cache/overview.json/file', '');
  expect((await project.list()).stories).toMatchObject([{ id: 'first', progress: { total: 2 } }]);
});

test('an edit in place is seen by the very next saga list, every time', async () => {
  await using project = await arrange();
  const file = join(project.paths.stories, 'first', 'task-1.json');
  const original = readFileSync(file, 'utf8');
  for (const status of ['completed', 'in_progress', 'pending', 'completed', 'pending']) {
    // Written into the same file, so that neither the folder's time nor the file's name changes.
    writeFileSync(file, original.replace('"pending"', `"${status}"`), { flag: 'r+' });
    truncateSync(file, Buffer.byteLength(original.replace('"pending"', `"${status}"`)));
    const [first] = (await project.list()).stories;
    expect(first?.progress.completed, status).toBe(status === 'completed' ? 1 : 0);
    expect(first?.status, status).toBe(status === 'in_progress' ? 'in_progress' : 'pending');
  }
});

test.each<[name: string, change: (project: TempProject) => void, seen: object]>([
  [
    'of an epic',
    (it) => it.writeEpic('big', [{ id: 'first' }]),
    { epics: [{ children: [{ id: 'first' }] }] },
  ],
  [
    'of a journal',
    (it) => it.write('stories/first/journal.md', '## Blocker: Which one?\n'),
    { stories: [{ needsYou: [{ title: 'Which one?' }] }, {}] },
  ],
  [
    'that breaks a file',
    (it) => it.write('stories/first/task-1.json', '{'),
    { problems: [{ code: 'invalid-file' }] },
  ],
  ['that adds a story', (it) => it.writeStory('third'), { stories: [{}, {}, { id: 'third' }] }],
])('a change %s is seen by the very next saga list', async (_, change, seen) => {
  await using project = await arrange({ epic: 'big' });
  project.writeEpic('big', [{ id: 'first' }, { id: 'second' }]);
  await settle(project);
  change(project);
  expect(await project.list()).toMatchObject(seen);
});

/** Two stories, looked at often enough that the index holds them. */
async function arrange(fields: object = {}): Promise<TempProject> {
  const project = await createTempProject();
  project.writeStory('first', fields, [{}, {}]);
  project.writeStory('second', fields);
  await settle(project);
  return project;
}

/** Until the index is written and used: what changed just now is not remembered. */
async function settle(project: TempProject): Promise<void> {
  await whenSettled(project.paths.saga);
  await project.list();
  expect(readFileSync(overviewIndexFile(project.paths), 'utf8')).toContain('.saga/stories/first');
}

async function listText(project: TempProject): Promise<string> {
  const { code, stdout, stderr } = await project.saga(['list', '--json']);
  expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' });
  return stdout;
}

function replaceIn(file: string, what: string | RegExp, by: string): void {
  const before = readFileSync(file, 'utf8');
  const after = before.replace(what, by);
  expect(after).not.toBe(before);
  writeFileSync(file, after);
}

/** A body nobody would write, under a header that fits it. */
function seal(file: string, body: string): void {
  const header = readFileSync(file, 'utf8').split('\n')[0]?.split(' ').slice(0, 2).join(' ');
  writeFileSync(file, `${header} ${body.length} ${crc32(body)}\n${body}`);
}
