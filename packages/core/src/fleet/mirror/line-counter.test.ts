import { appendFileSync, closeSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTempProject } from '../../../../../test/rig/project/temp-project.ts';
import { LineCounter } from './line-counter.ts';

async function createFile() {
  const it = await createTempProject();
  const [file, counter] = [join(it.paths.root, 'lines'), new LineCounter()];
  return Object.assign(it, { file, count: () => counter.count(file) });
}

test('of a file that was counted before, only what was added is read', async () => {
  await using it = await createFile();
  writeFileSync(it.file, 'a\nb\n');
  expect(it.count()).toEqual({ lines: 2, end: 4, size: 4 });
  // Whoever reads the beginning again finds no lines there.
  const handle = openSync(it.file, 'r+');
  writeSync(handle, 'aabb', 0);
  closeSync(handle);
  appendFileSync(it.file, 'c\n');
  expect(it.count()).toEqual({ lines: 3, end: 6, size: 6 });
});

test('a part of a line does not count until it is whole', async () => {
  await using it = await createFile();
  writeFileSync(it.file, 'a\nb');
  expect(it.count()).toEqual({ lines: 1, end: 2, size: 3 });
  appendFileSync(it.file, 'b\n');
  expect(it.count()).toEqual({ lines: 2, end: 5, size: 5 });
});

test('lines are counted across the chunks in which a file is read', async () => {
  await using it = await createFile();
  const line = `${'x'.repeat(100_000)}\n`;
  writeFileSync(it.file, line.repeat(9));
  expect(it.count()).toEqual({ lines: 9, end: 9 * line.length, size: 9 * line.length });
});

test('a file that is gone or shorter than before is counted anew', async () => {
  await using it = await createFile();
  expect(it.count().lines).toBe(0);
  writeFileSync(it.file, 'a\nb\nc\n');
  expect(it.count().lines).toBe(3);
  writeFileSync(it.file, 'a\n');
  expect(it.count().lines).toBe(1);
  rmSync(it.file);
  expect(it.count()).toEqual({ lines: 0, end: 0, size: 0 });
});
