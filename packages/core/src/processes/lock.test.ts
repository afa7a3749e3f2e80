import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../../../test/rig/project/temp-folder.ts';
import { describeProcess, formatIdentity } from './identity.ts';
import {
  acquireLock,
  findLockOwner,
  forgetForeignOwner,
  listForeignLocks,
  sweepDeadPrepared,
  withLock,
} from './lock.ts';

const host = hostname().replace(/[^a-zA-Z0-9.-]/g, '-');

/** A lock as a process that was killed leaves it. */
function leaveLock(path: string, owner: string): void {
  mkdirSync(path);
  writeFileSync(join(path, owner), '');
}

function deadPid(): number {
  return spawnSync(process.execPath, ['-e', '']).pid;
}

test('one at a time, and nothing is left behind', async () => {
  using folder = createTempFolder();
  const path = join(folder.path, 'lock');
  let inside = 0;
  let most = 0;
  await Promise.all(
    Array.from({ length: 20 }, () =>
      withLock(path, async () => {
        most = Math.max(most, ++inside);
        await new Promise((resolve) => setTimeout(resolve, 1));
        inside--;
      }),
    ),
  );
  expect(most).toBe(1);
  expect(readdirSync(folder.path)).toEqual([]);
});

test('the lock is freed when the work throws', async () => {
  using folder = createTempFolder();
  const path = join(folder.path, 'lock');
  await expect(
    withLock(path, () => {
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  expect(findLockOwner(path)).toBeUndefined();
  expect(await withLock(path, ({ takenOver }) => takenOver)).toBe(false);
});

test('a living owner is waited for, then named', async () => {
  using folder = createTempFolder();
  const path = join(folder.path, 'lock');
  const lock = await acquireLock(path);
  expect(findLockOwner(path)).toMatchObject({ pid: process.pid, host });
  await expect(acquireLock(path, 30)).rejects.toMatchObject({
    code: 'lock-held',
    message: `${path} is held by process ${process.pid}.`,
  });
  lock.release();
  expect(readdirSync(folder.path)).toEqual([]);
});

test('a dead owner is cleared away at once, and its successor is told', async () => {
  using folder = createTempFolder();
  const path = join(folder.path, 'lock');
  leaveLock(path, `${host}~${deadPid()}~1~x`);
  mkdirSync(`${path}.for.${host}~${deadPid()}~1~y`);
  expect(findLockOwner(path)).toBeUndefined();
  // At once: nobody is waited for.
  expect(await withLock(path, ({ takenOver }) => takenOver, { waitMs: 0 })).toBe(true);
  expect(readdirSync(folder.path)).toEqual([]);
});

test('a process number that now belongs to a later process is no owner', async () => {
  using folder = createTempFolder();
  const path = join(folder.path, 'lock');
  leaveLock(path, `${host}~${process.pid}~1~x`);
  expect(findLockOwner(path)).toBeUndefined();
  expect(await withLock(path, () => 'mine', { waitMs: 100 })).toBe('mine');
});

test('an owner on another machine is never pushed aside', async () => {
  using folder = createTempFolder();
  const path = join(folder.path, 'lock');
  leaveLock(path, 'elsewhere~1~1~x');
  await expect(acquireLock(path, 30)).rejects.toMatchObject({
    code: 'lock-held',
    hint: `If that machine is gone, remove the lock: rm -r ${path}`,
  });
  expect(existsSync(join(path, 'elsewhere~1~1~x'))).toBe(true);
});

test('a dead owner is known as dead though the machine was called otherwise', async () => {
  using folder = createTempFolder();
  const path = join(folder.path, 'lock');
  const before = { ...describeProcess(process.pid), host: 'as-it-was-called' };
  leaveLock(path, formatIdentity({ ...before, pid: deadPid() }, 'x'));
  expect(findLockOwner(path)).toBeUndefined();
  expect(await withLock(path, ({ takenOver }) => takenOver, { waitMs: 100 })).toBe(true);
  leaveLock(path, formatIdentity(before, 'x'));
  await expect(acquireLock(path, 30)).rejects.toMatchObject({ code: 'lock-held' });
});

test('an owner of another machine is given up on a person’s word, one of this machine is not', async () => {
  using folder = createTempFolder();
  const path = join(folder.path, 'lock');
  expect(forgetForeignOwner(path)).toBeUndefined();
  leaveLock(path, 'elsewhere~1~1~x');
  expect(listForeignLocks(folder.path)).toMatchObject([{ path, owner: { host: 'elsewhere' } }]);
  expect(forgetForeignOwner(path)).toMatchObject({ host: 'elsewhere', pid: 1 });
  expect(readdirSync(folder.path)).toEqual([]);
  const lock = await acquireLock(path);
  expect(forgetForeignOwner(path)).toBeUndefined();
  expect(findLockOwner(path)).toMatchObject({ pid: process.pid });
  lock.release();
});

test('what was prepared by processes that are gone is swept, for any lock', () => {
  using folder = createTempFolder();
  const living = formatIdentity(describeProcess(process.pid), 'x');
  for (const owner of [`${host}~${deadPid()}~1~x`, living, 'elsewhere~1~1~x']) {
    mkdirSync(join(folder.path, `story-cart.for.${owner}`));
  }
  sweepDeadPrepared(folder.path);
  expect(readdirSync(folder.path).toSorted()).toEqual(
    [`story-cart.for.${living}`, 'story-cart.for.elsewhere~1~1~x'].toSorted(),
  );
});
