import { expect, test } from 'vitest';
import { createTempFolder } from '../../../../test/rig/project/temp-folder.ts';
import { checkGh, checkNode, checkSshKeygen, checkTmux } from './check-programs.ts';

test.each([
  ['v24.21.0', 'ok'],
  ['v22.18.0', 'ok'],
  ['v22.17.9', 'problem'],
  ['v20.20.2', 'problem'],
])('node %s', (version, state) => {
  expect(checkNode(version).state).toBe(state);
});

test('programs that are missing', async () => {
  using folder = createTempFolder();
  const env = { PATH: folder.path, HOME: folder.path };
  expect(await checkTmux(folder.path, env)).toMatchObject({ state: 'warning' });
  expect(await checkGh(folder.path, env)).toMatchObject({ state: 'warning' });
  expect(checkSshKeygen(env)).toMatchObject([
    { state: 'warning', fix: expect.stringContaining('openssh') },
  ]);
  expect(checkSshKeygen({ PATH: process.env.PATH ?? '' })).toEqual([]);
});
