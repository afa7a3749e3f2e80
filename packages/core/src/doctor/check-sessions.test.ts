import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../../../test/rig/project/temp-folder.ts';
import { checkSessionFolder, clearSessionFolder } from './check-sessions.ts';

test('a folder that others can read is told, and closed only when asked', () => {
  using folder = createTempFolder();
  const path = join(folder.path, 'saga-sessions');
  const env = { SAGA_SESSION_DIR: path };
  const userId = process.getuid?.();
  expect(checkSessionFolder(env, userId)).toMatchObject({ state: 'ok' });
  expect(clearSessionFolder(env, userId)).toEqual([]);
  chmodSync(path, 0o755);
  expect(checkSessionFolder(env, userId)).toMatchObject({ state: 'warning' });
  expect(statSync(path).mode & 0o777).toBe(0o755);
  expect(clearSessionFolder(env, userId)).toEqual([`${path} can now be read only by you`]);
  expect(checkSessionFolder(env, userId)).toMatchObject({ state: 'ok' });
  expect(statSync(path).mode & 0o777).toBe(0o700);
});
