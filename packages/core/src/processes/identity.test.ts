import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import {
  describeProcess,
  formatIdentity,
  isElsewhere,
  isProcessGone,
  parseIdentity,
  relatePlaces,
} from './identity.ts';
import { parseProcessPlace } from './process-place.ts';

const deadPid = () => spawnSync(process.execPath, ['-e', '']).pid;
const living = describeProcess(process.pid);
const dead = { ...living, pid: deadPid() };

test('a living process is not gone, a dead one and a later one with its number are', () => {
  expect(isProcessGone(living)).toBe(false);
  expect(isProcessGone(dead)).toBe(true);
  expect(isProcessGone({ ...living, started: 1 })).toBe(true);
  expect(isProcessGone({ ...living, started: 0 })).toBe(false);
});

test('the machine got another name: its processes are known all the same', () => {
  const renamed = { host: 'as-it-was-called-before' };
  expect(isProcessGone({ ...living, ...renamed })).toBe(false);
  expect(isProcessGone({ ...dead, ...renamed })).toBe(true);
  expect(isElsewhere({ ...dead, ...renamed })).toBe(false);
});

test('of a process somewhere else nothing is known', () => {
  for (const place of [undefined, 'aaaa.bbbb.4026531836', '-.-.-', 'nonsense']) {
    const owner = { ...dead, host: 'another-host', place };
    expect({ place, gone: isProcessGone(owner), elsewhere: isElsewhere(owner) }).toEqual({
      place,
      gone: false,
      elsewhere: true,
    });
  }
});

test.each([
  ['the same in all', 'a', 'm.b.t', 'here'],
  ['another name', 'b', 'm.b.t', 'here'],
  ['written by an older version here', 'a', '', 'here'],
  ['written by an older version elsewhere', 'b', '', 'elsewhere'],
  ['before the last boot', 'a', 'm.earlier.t', 'before-boot'],
  ['before the last boot, with another name', 'b', 'm.earlier.t', 'before-boot'],
  ['another machine', 'b', 'n.c.t', 'elsewhere'],
  ['another machine that does not tell', 'b', '-.-.t', 'elsewhere'],
  // It may live: containers of one machine share its boot, not their numbers.
  ['a container of this machine', 'b', '-.b.u', 'elsewhere'],
  ['this container, started again', 'a', '-.b.u', 'here'],
])('%s', (_, host, place, relation) => {
  const own = { host: 'a', place: parseProcessPlace('m.b.t') };
  expect(relatePlaces({ host, place: parseProcessPlace(place) }, own)).toBe(relation);
});

test('what does not tell is like nothing else, not even another that does not', () => {
  const silent = parseProcessPlace('-.-.-');
  expect(relatePlaces({ host: 'b', place: silent }, { host: 'a', place: silent })).toBe(
    'elsewhere',
  );
});

test('an identity is read as it was written, with and without its place', () => {
  for (const identity of [living, { host: 'x', pid: 1, started: 2 }]) {
    expect(parseIdentity(formatIdentity(identity, 'n'))).toEqual({ ...identity, nonce: 'n' });
  }
  for (const text of ['', 'x', 'a~b~c~d', 'a~1~2', 'a~1~2~']) {
    expect(parseIdentity(text)).toBeUndefined();
  }
});
