import { expect, test } from 'vitest';
import { findTrouble } from './find-trouble.ts';

test.each([
  ['a full disk', 0, 'its disk is full: 0 MB free in /data'],
  ['hardly any room', 99e6, 'its disk is full: 99 MB free in /data'],
  ['room', 100e6, undefined],
])('%s', (_, bytes, said) => {
  expect(findTrouble('/data', () => ({ bytes, told: `${bytes / 1e6} MB` }))).toBe(said);
});
