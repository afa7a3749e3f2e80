import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../../../../test/rig/project/temp-folder.ts';
import { hasChangedFiles, measureRun } from './look-at-run.ts';

test('a file that changed deep in a worktree is found; folders that only tools write are skipped', async () => {
  using temp = createTempFolder();
  const folder = temp.path;
  for (const it of ['src/deep', 'node_modules/x', '.git'])
    mkdirSync(join(folder, it), { recursive: true });
  const later = Date.now() + 60_000;
  const touch = (path: string) => {
    writeFileSync(join(folder, path), '');
    utimesSync(join(folder, path), later / 1000, later / 1000);
  };
  touch('node_modules/x/index.js');
  touch('.git/index');
  expect(await hasChangedFiles(folder, later - 1000)).toBe(false);
  touch('src/deep/a.js');
  expect(await hasChangedFiles(folder, later - 1000)).toBe(true);
  expect(await hasChangedFiles(join(folder, 'gone'), 0)).toBe(false);
});

test('the agent is told from its commands, also where a wall is around it and a command dropped the mark', async () => {
  // A wall, the agent in it with the same words at the end, and a command without any variable.
  const agent = "sh -c 'env -i /bin/sleep 1000 & wait' claude -p --flag";
  const child = spawn('sh', ['-c', `echo on; ${agent}; true`, 'wall', 'claude', '-p', '--flag'], {
    detached: true,
    env: { PATH: process.env.PATH ?? '', SAGA_RUN_ID: 'look-at-run' },
  });
  const pid = child.pid ?? 0;
  try {
    await once(child.stdout, 'data');
    const look = () => [...measureRun(pid, 'look-at-run', 'claude -p --flag').values()];
    await expect
      .poll(() =>
        look()
          .map(({ isAgent }) => isAgent)
          .toSorted(),
      )
      .toEqual([false, true, true]);
  } finally {
    process.kill(-pid, 'SIGKILL');
  }
});
