import { expect, test } from 'vitest';
import { parseTree, pickSetupInputs } from './setup-inputs.ts';

test('lock files, submodules and what the command names decide what setup makes; sources do not', () => {
  const tree = parseTree([
    '100644 blob 1\tpackage-lock.json',
    '100644 blob 2\tpackages/api/package.json',
    '100644 blob 3\tsrc/index.js',
    '160000 commit 4\tvendor/lib',
    '100755 blob 5\tscripts/setup.sh',
    '100644 blob 6\trequirements-dev.txt',
    '100644 blob 7\tname with\ttab.js',
  ]);
  expect(tree.at(-1)).toEqual({ path: 'name with\ttab.js', hash: '7', isSubmodule: false });
  expect(pickSetupInputs(tree, 'npm ci && ./scripts/setup.sh').map(({ path }) => path)).toEqual([
    'package-lock.json',
    'packages/api/package.json',
    'vendor/lib',
    'scripts/setup.sh',
    'requirements-dev.txt',
  ]);
});
