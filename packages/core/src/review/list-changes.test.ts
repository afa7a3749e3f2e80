import { expect, test } from 'vitest';
import { isForReview, parseNumstat } from './list-changes.ts';

test('lines added and removed, binary files, names of any kind', () => {
  const text = '3\t1\tsrc/a.ts\0-\t-\tlogo.png\0' + '0\t2\ta name\twith\ntabs\0';
  expect(parseNumstat(text)).toEqual([
    { path: 'src/a.ts', added: 3, removed: 1 },
    { path: 'logo.png', added: null, removed: null },
    { path: 'a name\twith\ntabs', added: 0, removed: 2 },
  ]);
  expect(parseNumstat('')).toEqual([]);
});

test('a reviewer reads the settings, but not stories, epics and the archive', () => {
  expect(isForReview('.saga/stories/x/story.json')).toBe(false);
  expect(isForReview('.saga/archive/epics/x.json')).toBe(false);
  expect(isForReview('.saga/config.json')).toBe(true);
  expect(isForReview('src/.saga/stories/x')).toBe(true);
});
