import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test as anyTest, expect } from 'vitest';
import { createTempFolder } from '../../../../test/rig/project/temp-folder.ts';
import { findSandboxRefusal } from '../../../../test/rig/worker/find-sandbox-refusal.ts';
import { buildBubblewrap, EMPTIED } from './bubblewrap-arguments.ts';
import { listPrivate } from './files-of-root.ts';
import { findBubblewrap } from './find-bubblewrap.ts';

const test = anyTest.skipIf((await findSandboxRefusal()) !== undefined);
const isRoot = process.getuid?.() === 0;

/** Names the settings of the kernel and its devices that can be opened for writing. Nothing is written. */
const OPEN_ALL = `
const { closeSync, constants, openSync, readdirSync } = require('node:fs');
const flags = constants.O_WRONLY | constants.O_NONBLOCK;
const list = (folder) => {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
};
const look = (path, isFolder) => {
  if (isFolder) for (const it of list(path)) look(path + '/' + it.name, it.isDirectory());
  else try {
    closeSync(openSync(path, flags));
    console.log(path);
  } catch {}
};
for (const it of list('/proc')) if (!/^[0-9]|self$/.test(it.name)) look('/proc/' + it.name, it.isDirectory());
`;

test('no setting of the kernel can be written behind the walls, not even by root', async () => {
  const found = await findBubblewrap({ PATH: process.env.PATH });
  const args = buildBubblewrap({
    ...{
      emptied: EMPTIED,
      privates: [],
      open: [],
      replaced: [],
      hidden: [],
      denied: [],
      fixed: [],
    },
    ...{ emptyFile: '/dev/null', closedFile: '/dev/null', hasOwnNetwork: true, folder: '/' },
    shown: [process.execPath],
  });
  const program = 'path' in found ? found.path : found.missing;
  const said = execFileSync(program, [...args, process.execPath, '-e', OPEN_ALL]);
  expect(said.toString()).toBe('');
});

anyTest.skipIf(!isRoot)('walls through which root can write settings are none', async () => {
  using folder = createTempFolder();
  const program = join(folder.path, 'bwrap');
  writeFileSync(program, '#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done\nshift\nexec "$@"\n');
  chmodSync(program, 0o755);
  expect(await findBubblewrap({ PATH: `${folder.path}:/usr/bin:/bin` })).toMatchObject({
    missing: expect.stringContaining('/proc/sys/kernel/core_pattern'),
    isForbidden: true,
  });
});

anyTest('what only its owner can read is found at any depth', () => {
  using folder = createTempFolder();
  const write = (path: string, mode: number) => {
    mkdirSync(join(folder.path, path, '..'), { recursive: true });
    writeFileSync(join(folder.path, path), '');
    chmodSync(join(folder.path, path), mode);
  };
  write('shadow', 0o640);
  write('passwd', 0o644);
  write('ssh/ssh_host_ed25519_key', 0o600);
  write('ssh/ssh_host_ed25519_key.pub', 0o644);
  write('sudoers.d/deploy', 0o644);
  chmodSync(join(folder.path, 'sudoers.d'), 0o750);
  expect(
    listPrivate(folder.path)
      .map((it) => it.slice(folder.path.length + 1))
      .sort(),
  ).toEqual(['shadow', 'ssh/ssh_host_ed25519_key', 'sudoers.d']);
});
