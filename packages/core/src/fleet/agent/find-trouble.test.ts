import { expect, test } from 'vitest';
import { findTrouble } from './find-trouble.ts';

test.each([
  ['a full disk', 0, 'its disk is full: 0 MB free in /data'],
  ['hardly any room', 99e6, 'its disk is full: 99 MB free in /data'],
  ['room', 100e6, undefined],
])('%s', (_, bytes, said) => {
  expect(findTrouble('/data', () => ({ bytes, told: `${bytes / 1e6} MB` }))).toBe(said);
});

test('a disk that does not answer', () => {
  const measure = () => {
    throw new Error('EIO: i/o error, statfs');
  };
  expect(findTrouble('/data', measure)).toBe(
    'the disk of /data does not answer: EIO: i/o error, statfs',
  );
});
