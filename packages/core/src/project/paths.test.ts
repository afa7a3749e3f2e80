import { basename } from 'node:path';
import { expect, test } from 'vitest';
import {
  buildPaths,
  cleanPlaceLock,
  epicLock,
  parseItemLock,
  parseSessionRecordName,
  projectLock,
  rehearsalLock,
  sessionRecordFile,
  storyLock,
  workerLock,
} from './paths.ts';

const paths = buildPaths('/p');

test.each([
  ['story', storyLock],
  ['worker', workerLock],
  ['epic', epicLock],
  ['rehearsal', rehearsalLock],
] as const)('the name of the lock of a kind is read as it was built: %s', (kind, build) => {
  expect(parseItemLock(basename(build(paths, 'cart-api')))).toEqual({ kind, id: 'cart-api' });
});

test('other names are no lock of a story or an epic', () => {
  const others = [projectLock(paths), cleanPlaceLock(paths, 1), `${workerLock(paths, 'x')}.for.me`];
  expect(others.map((it) => parseItemLock(basename(it)))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('the name of the record of a session is read as it was built', () => {
  expect(parseSessionRecordName(basename(sessionRecordFile(paths, 'saga-story-x-1')))).toBe(
    'saga-story-x-1',
  );
  expect(parseSessionRecordName('other.txt')).toBeUndefined();
});
