import { expect, test } from 'vitest';
import { parseNumstat } from './diff-summary.ts';

test('lines added and removed, binary files, names of any kind', () => {
  const text = '3\t1\tsrc/a.ts\0-\t-\tlogo.png\0' + '0\t2\ta name\twith\ntabs\0';
  expect(parseNumstat(text)).toEqual({
    files: [
      { path: 'src/a.ts', added: 3, removed: 1 },
      { path: 'logo.png', added: null, removed: null },
      { path: 'a name\twith\ntabs', added: 0, removed: 2 },
    ],
    omitted: 0,
  });
  expect(parseNumstat('')).toEqual({ files: [], omitted: 0 });
});

test('of thousands of files the first are listed, and the others counted', () => {
  const text = Array.from({ length: 1500 }, (_, i) => `1\t0\tfile-${i}\0`).join('');
  const { files, omitted } = parseNumstat(text);
  expect({ listed: files.length, omitted }).toEqual({ listed: 1000, omitted: 500 });
});
