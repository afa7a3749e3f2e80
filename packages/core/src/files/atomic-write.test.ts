import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../../../test/rig/project/temp-folder.ts';
import { writeFileAtomic } from './atomic-write.ts';

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

test('a file keeps its permissions, whatever new files get', () => {
  using folder = createTempFolder();
  const file = join(folder.path, 'a.json');
  const umask = process.umask(0o077);
  try {
    writeFileAtomic(file, 'new');
    expect(modeOf(file)).toBe('600');
    for (const mode of [0o664, 0o666, 0o640, 0o755]) {
      chmodSync(file, mode);
      writeFileAtomic(file, `as ${mode}`);
      expect([readFileSync(file, 'utf8'), modeOf(file)]).toEqual([`as ${mode}`, mode.toString(8)]);
    }
  } finally {
    process.umask(umask);
  }
});

test('nothing is left of a write that may not replace the file', () => {
  using folder = createTempFolder();
  const file = join(folder.path, 'a.json');
  writeFileSync(file, 'old');
  expect(writeFileAtomic(file, 'new', () => false)).toBe(false);
  expect([readFileSync(file, 'utf8'), readdirSync(folder.path)]).toEqual(['old', ['a.json']]);
});
