import { expect, test } from 'vitest';
import { isPlanFile, parseNumstat } from './list-changes.ts';

test('lines added and removed, binary files, names of any kind', () => {
  const text = '3\t1\tsrc/a.ts\0-\t-\tlogo.png\0' + '0\t2\ta name\twith\ntabs\0';
  expect(parseNumstat(text)).toEqual([
    { path: 'src/a.ts', added: 3, removed: 1 },
    { path: 'logo.png', added: null, removed: null },
    { path: 'a name\twith\ntabs', added: 0, removed: 2 },
  ]);
  expect(parseNumstat('')).toEqual([]);
});

test('stories, epics and the archive are the plan; the settings are not', () => {
  expect(isPlanFile('.saga/stories/x/story.json')).toBe(true);
  expect(isPlanFile('.saga/archive/epics/x.json')).toBe(true);
  expect(isPlanFile('.saga/config.json')).toBe(false);
  expect(isPlanFile('src/.saga/stories/x')).toBe(false);
});
