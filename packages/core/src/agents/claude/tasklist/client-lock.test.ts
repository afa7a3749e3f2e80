import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmdirSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { createTempFolder } from '../../../../../../test/rig/project/temp-folder.ts';
import { tryWithClientLock, withClientLock } from './client-lock.ts';

afterEach(() => void vi.useRealTimers());

const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1000);

test('one at a time, by a folder beside the file', async () => {
  using folder = createTempFolder();
  const target = join(folder.path, 'a.json');
  let inside = 0;
  await Promise.all(
    Array.from({ length: 20 }, () =>
      withClientLock(target, async () => {
        expect(++inside).toBe(1);
        expect(existsSync(`${target}.lock`)).toBe(true);
        await new Promise((resolve) => setTimeout(resolve, 1));
        inside--;
      }),
    ),
  );
  expect(readdirSync(folder.path)).toEqual([]);
});

test("somebody else's lock is waited for, or passed over", async () => {
  using folder = createTempFolder();
  const target = join(folder.path, 'a.json');
  mkdirSync(`${target}.lock`);
  expect(tryWithClientLock(target, () => 'mine')).toBeUndefined();
  setTimeout(() => rmdirSync(`${target}.lock`), 60);
  expect(await withClientLock(target, () => 'mine')).toBe('mine');
  expect(tryWithClientLock(target, () => 'mine')).toEqual({ value: 'mine' });
});

test('a lock nobody touched for ten seconds is stale, one of nine is not', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  using folder = createTempFolder();
  const target = join(folder.path, 'a.json');
  mkdirSync(`${target}.lock`);
  utimesSync(`${target}.lock`, secondsAgo(9), secondsAgo(9));
  expect(tryWithClientLock(target, () => 'mine')).toBeUndefined();
  utimesSync(`${target}.lock`, secondsAgo(11), secondsAgo(11));
  expect(tryWithClientLock(target, () => 'mine')).toEqual({ value: 'mine' });
  mkdirSync(`${target}.lock`);
  utimesSync(`${target}.lock`, secondsAgo(11), secondsAgo(11));
  expect(await withClientLock(target, () => 'mine')).toBe('mine');
  expect(readdirSync(folder.path)).toEqual([]);
});

test('a lock that is held for long never looks stale', async () => {
  using folder = createTempFolder();
  const target = join(folder.path, 'a.json');
  await withClientLock(target, async () => {
    utimesSync(`${target}.lock`, secondsAgo(7), secondsAgo(7));
    // Until it is touched again, however long that takes here; never is no option.
    const touched = () => statSync(`${target}.lock`).mtimeMs > secondsAgo(6).getTime();
    while (!touched()) await new Promise((resolve) => setTimeout(resolve, 50));
    expect(tryWithClientLock(target, () => 'mine')).toBeUndefined();
  });
  expect(readdirSync(folder.path)).toEqual([]);
});

test('a lock whose time is in the future is not called a session’s, and its remedy works', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  using folder = createTempFolder();
  const target = join(folder.path, "it's.json");
  const hour = new Date(Date.now() + 3_600_000);
  mkdirSync(`${target}.lock`);
  utimesSync(`${target}.lock`, hour, hour);
  const waiting = withClientLock(target, () => 'mine').catch((error: unknown) => error);
  vi.setSystemTime(Date.now() + 60_000);
  const thrown = await waiting;
  expect(thrown).toMatchObject({
    code: 'lock-held',
    hint: expect.stringMatching(/^Its time is in the future: .* remove it: rmdir '/),
  });
  const [, remedy = ''] = /remove it: (.*)$/.exec((thrown as { hint: string }).hint) ?? [];
  execFileSync('sh', ['-c', remedy]);
  expect(await withClientLock(target, () => 'mine')).toBe('mine');
});

test('the lock is freed when the work throws', async () => {
  using folder = createTempFolder();
  const target = join(folder.path, 'a.json');
  const work = () => {
    throw new Error('no');
  };
  await expect(withClientLock(target, work)).rejects.toThrow('no');
  expect(() => tryWithClientLock(target, work)).toThrow('no');
  expect(readdirSync(folder.path)).toEqual([]);
});
