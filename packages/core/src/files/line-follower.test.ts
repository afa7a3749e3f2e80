import { appendFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../../../test/rig/project/temp-folder.ts';
import { LineFollower } from './line-follower.ts';

function createFile() {
  const folder = createTempFolder();
  const file = join(folder.path, 'log');
  return { file, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

test('each line is read once; a half-written one when its end is there, even if a character was cut', () => {
  using it = createFile();
  const follower = new LineFollower(it.file);
  const bytes = Buffer.from('first\nzweitä\n');
  writeFileSync(it.file, bytes.subarray(0, -2));
  expect(follower.readOn()).toEqual(['first']);
  expect(follower.readOn()).toEqual([]);
  appendFileSync(it.file, bytes.subarray(-2));
  expect(follower.readOn()).toEqual(['zweitä']);
  expect(follower.readOn()).toEqual([]);
});

test('what stands before the given offset is not read', () => {
  using it = createFile();
  writeFileSync(it.file, 'old\nnew\n');
  expect(new LineFollower(it.file, 4).readOn()).toEqual(['new']);
});

test('many lines come in parts and a long one in one piece', () => {
  using it = createFile();
  const many = Array.from({ length: 100_000 }, (_, i) => `line ${i}`);
  const long = 'ä'.repeat(400_000);
  writeFileSync(it.file, `${[...many, long, 'last'].join('\n')}\n`);
  const follower = new LineFollower(it.file);
  const parts: string[][] = [];
  for (let lines = follower.readOn(); lines.length > 0; lines = follower.readOn()) {
    parts.push(lines);
  }
  expect(parts.length).toBeGreaterThan(2);
  expect(parts.flat()).toEqual([...many, long, 'last']);
});

test('a file that comes later is read; one that was cut is read from its beginning', () => {
  using it = createFile();
  const follower = new LineFollower(it.file);
  expect(follower.readOn()).toEqual([]);
  writeFileSync(it.file, 'one\ntwo\nhalf');
  expect(follower.readOn()).toEqual(['one', 'two']);
  writeFileSync(it.file, 'three\n');
  expect(follower.readOn()).toEqual(['three']);
});

test('a file that is away for a moment goes on where it was', () => {
  using it = createFile();
  writeFileSync(it.file, 'one\n');
  const follower = new LineFollower(it.file);
  expect(follower.readOn()).toEqual(['one']);
  renameSync(it.file, `${it.file}.aside`);
  expect(follower.readOn()).toEqual([]);
  renameSync(`${it.file}.aside`, it.file);
  appendFileSync(it.file, 'two\n');
  expect(follower.readOn()).toEqual(['two']);
});

test('a file that cannot be read is an error', () => {
  using it = createFile();
  // On some disks an empty folder has no size, so that nothing would be read of it.
  writeFileSync(it.file, '');
  expect(() => new LineFollower(dirname(it.file)).readOn()).toThrow('EISDIR');
});
