import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../../../test/rig/project/temp-folder.ts';
import { finishTogether, writeTogether } from './write-together.ts';

function createPlace() {
  const temp = createTempFolder();
  const folder = join(temp.path, 'story');
  mkdirSync(folder);
  writeFileSync(join(folder, 'old.json'), 'old');
  const seals: string[][] = [];
  return {
    folder,
    note: join(temp.path, 'notes/story.json'),
    seals,
    seal: async () => void seals.push(readdirSync(folder)),
    [Symbol.dispose]: () => temp[Symbol.dispose](),
  };
}

const CHANGES = new Map([
  ['a.json', 'A'],
  ['b.json', 'B'],
  ['old.json', null],
]);

const listAll = (folder: string) =>
  Object.fromEntries(readdirSync(folder).map((it) => [it, readFileSync(join(folder, it), 'utf8')]));

test('files are written and removed together, then sealed, and the note is gone', async () => {
  using it = createPlace();
  await writeTogether(it.note, it.folder, CHANGES, it.seal);
  expect(listAll(it.folder)).toEqual({ 'a.json': 'A', 'b.json': 'B' });
  expect(it.seals).toEqual([['a.json', 'b.json']]);
  expect(existsSync(it.note)).toBe(false);
});

test('a writer that was interrupted in between is completed, once', async () => {
  using it = createPlace();
  // The second file cannot be written.
  mkdirSync(join(it.folder, 'b.json'));
  writeFileSync(join(it.folder, 'b.json', 'x'), '');
  await expect(writeTogether(it.note, it.folder, CHANGES, it.seal)).rejects.toThrow();
  expect(readdirSync(it.folder).sort()).toEqual(['a.json', 'b.json', 'old.json']);
  expect(it.seals).toEqual([]);
  rmSync(join(it.folder, 'b.json'), { recursive: true });
  expect(await finishTogether(it.note, it.folder, it.seal)).toBe(true);
  expect(listAll(it.folder)).toEqual({ 'a.json': 'A', 'b.json': 'B' });
  expect(await finishTogether(it.note, it.folder, it.seal)).toBe(false);
  expect(it.seals).toHaveLength(1);
});

test('a writer that was interrupted before the seal is sealed later', async () => {
  using it = createPlace();
  const fail = () => Promise.reject(new Error('killed'));
  await expect(writeTogether(it.note, it.folder, CHANGES, fail)).rejects.toThrow('killed');
  expect(await finishTogether(it.note, it.folder, it.seal)).toBe(true);
  expect(it.seals).toHaveLength(1);
});

test.each([
  ['a name that leads elsewhere', (folder: string) => ({ folder, files: { '../x.json': 'X' } })],
  ['no changes', () => ({ nothing: true })],
  ['another folder', (folder: string) => ({ folder: `${folder}-2`, files: { a: 'A' } })],
])('a note with %s changes nothing', async (_, build) => {
  using it = createPlace();
  mkdirSync(join(it.note, '..'));
  writeFileSync(it.note, JSON.stringify(build(it.folder)));
  expect(await finishTogether(it.note, it.folder, it.seal)).toBe(false);
  expect(listAll(it.folder)).toEqual({ 'old.json': 'old' });
  expect([existsSync(it.note), it.seals]).toEqual([false, []]);
});
