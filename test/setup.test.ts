import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTempFolder } from './rig/project/temp-folder.ts';

/** Set-up as npm starts it, when the Node of the person has this version. */
function setUpWith(version: string): string {
  using temp = createTempFolder();
  const node = join(temp.path, 'node');
  writeFileSync(node, `#!/bin/sh\necho ${version}\n`, { mode: 0o755 });
  const env = { ...process.env, npm_node_execpath: node };
  const ended = spawnSync(process.execPath, ['scripts/setup.mjs'], { env, encoding: 'utf8' });
  expect(ended.status).toBe(0);
  return ended.stderr;
}

test.each(['v20.20.2', 'v22.17.9'])('set-up says that Node %s is too old for saga', (version) => {
  expect(setUpWith(version)).toContain(
    `the saga command needs Node 22.18 or later; this is ${version}.`,
  );
});

test.each(['v22.18.0', 'v24.0.0'])('set-up is silent about Node %s', (version) => {
  expect(setUpWith(version)).toBe('');
});
