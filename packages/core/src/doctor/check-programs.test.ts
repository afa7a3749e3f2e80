import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../../../test/rig/temp-folder.ts';
import { checkGh, checkGit, checkNode, checkTmux } from './check-programs.ts';

/** A PATH with nothing but the given scripts. */
function pretend(folder: string, programs: Record<string, string>) {
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  return { PATH: bin, HOME: folder };
}

test.each([
  ['v24.21.0', 'ok'],
  ['v22.18.0', 'ok'],
  ['v22.17.9', 'problem'],
  ['v20.20.2', 'problem'],
])('node %s', (version, state) => {
  expect(checkNode(version).state).toBe(state);
});

test.each([
  ['git version 2.39.5', 'exit 0', 'ok: 2.39.5 (worktrees)'],
  ['git version 2.50.1 (Apple Git-155)', 'exit 0', 'ok: 2.50.1 (worktrees)'],
  ['git version 2.47.0.windows.1', 'exit 0', 'ok: 2.47.0 (worktrees)'],
  ['git version 2.25.1', 'exit 0', 'problem: 2.25.1 is too old for worktrees as SAGA uses them'],
  ['git version 2.39.5', 'exit 128', 'problem: 2.39.5 does not know who commits'],
])('%s (%s)', async (version, identity, expected) => {
  using folder = createTempFolder();
  const script = `[ "$1" = --version ] && echo '${version}' && exit\n${identity}`;
  const { state, message } = await checkGit(folder.path, pretend(folder.path, { git: script }));
  expect(`${state}: ${message}`).toBe(expected);
});

test('what is not there, and what cannot be started', async () => {
  using folder = createTempFolder();
  const env = pretend(folder.path, {});
  expect(await checkGit(folder.path, env)).toMatchObject({
    state: 'problem',
    message: 'not installed',
  });
  expect(await checkTmux(folder.path, env)).toMatchObject({ state: 'warning' });
  expect(await checkGh(folder.path, env)).toMatchObject({ state: 'warning' });
  const broken = pretend(folder.path, { git: 'echo "no such library" >&2; exit 127' });
  const { state, message } = await checkGit(folder.path, broken);
  expect(state).toBe('problem');
  expect(message).toContain('no such library');
});
