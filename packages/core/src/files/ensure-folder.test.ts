import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../../../test/rig/project/temp-folder.ts';
import { ensureFolder } from './ensure-folder.ts';

test('a folder is there afterwards, however much of it was missing', () => {
  using folder = createTempFolder();
  const path = join(folder.path, 'a/b/c');
  ensureFolder(path, 0o700);
  ensureFolder(path, 0o700);
  expect(statSync(path).mode & 0o777).toBe(0o700);
});

test('where there can be none it says so, and at once', () => {
  using folder = createTempFolder();
  const file = join(folder.path, 'file');
  writeFileSync(file, '');
  expect(() => ensureFolder(join(file, 'a'))).toThrow(/ENOTDIR/);
  expect(() => ensureFolder(file)).toThrow(/EEXIST/);
  if (existsSync('/proc/self'))
    expect(() => ensureFolder('/proc/saga/a/b')).toThrow(/accepts no new folders/);
});
