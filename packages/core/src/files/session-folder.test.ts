import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../../../test/rig/project/temp-folder.ts';
import { ensureSessionFolder } from './session-folder.ts';

const userId = process.getuid?.();
const modeOf = (path: string) => statSync(path).mode & 0o7777;

test.each([0o1777, 0o755])(
  'a folder with mode %o stays as it is: SAGA uses one of its own in it',
  (mode) => {
    using temp = createTempFolder();
    const shared = join(temp.path, 'shared');
    mkdirSync(shared);
    chmodSync(shared, mode);
    const folder = ensureSessionFolder({ SAGA_SESSION_DIR: shared }, userId);
    expect(folder).toBe(join(shared, `saga-sessions-${userId}`));
    expect(modeOf(shared)).toBe(mode);
    expect(modeOf(folder)).toBe(0o700);
    // The next command finds the same one.
    expect(ensureSessionFolder({ SAGA_SESSION_DIR: shared }, userId)).toBe(folder);
  },
);

test('a private folder is used as it is, and a missing one is made private', () => {
  using temp = createTempFolder();
  const folder = join(temp.path, 'sessions');
  expect(ensureSessionFolder({ SAGA_SESSION_DIR: folder }, userId)).toBe(folder);
  expect(modeOf(folder)).toBe(0o700);
  expect(ensureSessionFolder({ SAGA_SESSION_DIR: folder }, userId)).toBe(folder);
});
