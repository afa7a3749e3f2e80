import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../../../test/rig/project/temp-folder.ts';
import { readIfReadable, readIfThere } from './read-text.ts';

test('a file that is missing has no text', () => {
  using temp = createTempFolder();
  const file = join(temp.path, 'notes.txt');
  expect([readIfThere(file), readIfReadable(file)]).toEqual([undefined, undefined]);
  writeFileSync(file, 'one\n');
  expect([readIfThere(file), readIfReadable(file)]).toEqual(['one\n', 'one\n']);
});

test('what is there and cannot be read is an error, unless the caller does not care', () => {
  using temp = createTempFolder();
  const folder = join(temp.path, 'notes.txt');
  mkdirSync(folder);
  expect(() => readIfThere(folder)).toThrow('EISDIR');
  expect(readIfReadable(folder)).toBeUndefined();
});
