import { existsSync, mkdirSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTaskList } from '../rig/client/temp-task-list.ts';

/** How long the client's protocol lets a lock that nobody touches count. */
const STALE_MS = 10_000;

test('the lock of a killed command lasts ten seconds and holds up nobody but its own task', async () => {
  using it = createTaskList({ big: {}, other: {} });
  const lock = join(it.folder, 'big.json.lock');
  mkdirSync(lock);
  expect(await it.show('close other')).toBe('✓ other  Do other\n');
  expect(await it.show('q More')).toBe('1\n');
  expect(await it.show('dep add 1 other')).toBe('✓ 1 now waits for other\n');
  // Nobody needed it: whoever does takes it over, or fails.
  expect(existsSync(lock)).toBe(true);

  const time = (Date.now() - STALE_MS + 2000) / 1000;
  utimesSync(lock, time, time);
  const { mtimeMs } = statSync(lock);
  expect((await it.saga(['update', 'big', '--meta', 'after=1'])).code).toBe(0);
  expect(Date.now()).toBeGreaterThanOrEqual(mtimeMs + STALE_MS);
  expect(it.read('big')).toMatchObject({ status: 'pending', metadata: { after: 1 } });
  expect(existsSync(lock)).toBe(false);
});
