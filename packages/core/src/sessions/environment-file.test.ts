import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../../../test/rig/project/temp-folder.ts';
import { checkEnvironmentFiles, clearSessionFolder } from '../doctor/check-sessions.ts';
import { clearStaleEnvironments, listStaleEnvironments } from './environment-file.ts';

function leave(folder: string, name: string, ageMs: number): string {
  const file = join(folder, name);
  writeFileSync(file, '{"KEY":"secret"}');
  const time = (Date.now() - ageMs) / 1000;
  utimesSync(file, time, time);
  return file;
}

test('files that no worker came to read are named and removed; others stay', () => {
  using folder = createTempFolder();
  const env = { SAGA_SESSION_DIR: folder.path };
  const hour = 60 * 60_000;
  const stale = leave(folder.path, 'saga-story-cart-1.env', hour);
  leave(folder.path, 'saga-story-cart-2.env', 0);
  leave(folder.path, 'saga-story-cart-1.jsonl', hour);
  leave(folder.path, 'mine.env', hour);
  expect(listStaleEnvironments(folder.path)).toEqual([stale]);
  expect(checkEnvironmentFiles(env, process.getuid?.())).toMatchObject([
    { state: 'warning', message: expect.stringContaining(stale) },
  ]);
  expect(clearSessionFolder(env, process.getuid?.())).toContain(
    '1 file with the variables of a worker removed',
  );
  expect(clearStaleEnvironments(folder.path)).toEqual([]);
  expect(checkEnvironmentFiles(env, process.getuid?.())).toEqual([]);
  expect(readdirSync(folder.path).toSorted()).toEqual([
    'mine.env',
    'saga-story-cart-1.jsonl',
    'saga-story-cart-2.env',
  ]);
});

test('a folder that is not there has none', () => {
  expect(listStaleEnvironments('/nowhere/at/all')).toEqual([]);
});
