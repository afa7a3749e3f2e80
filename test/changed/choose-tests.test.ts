import { expect, test } from 'vitest';
import { chooseTests, type SourceFile } from './choose-tests.ts';

const CLI = 'packages/cli/src';
const file = (path: string, imports: string[] = [], quoted: string[] = []): SourceFile => ({
  ...{ path, imports },
  quoted: new Set(quoted),
});
const FILES = [
  file('packages/core/src/land.ts', ['packages/core/src/git.ts']),
  file('packages/core/src/git.ts'),
  file('packages/core/src/git.test.ts', ['packages/core/src/git.ts']),
  file('packages/core/src/land.test.ts', ['packages/core/src/land.ts']),
  file(`${CLI}/commands/land.ts`, ['packages/core/src/land.ts']),
  file(`${CLI}/commands/list.ts`),
  file(`${CLI}/command-table.ts`, [`${CLI}/commands/land.ts`, `${CLI}/commands/list.ts`]),
  file('test/rig/programs/run-program.ts'),
  file('test/e2e/land.test.ts', ['test/rig/programs/run-program.ts'], ['land']),
  file('test/e2e/list.test.ts', ['test/rig/programs/run-program.ts'], ['list']),
];
const all = { limitMs: 1000, msOf: () => 1 };

test('a change runs the tests that import it, and those that start a command which does', () => {
  const { run, left } = chooseTests(FILES, ['packages/core/src/git.ts'], all);
  expect(run).toEqual([
    'packages/core/src/git.test.ts',
    'packages/core/src/land.test.ts',
    'test/e2e/land.test.ts',
  ]);
  expect(left).toEqual([]);
});

test('what does not fit into the time is named, the farthest first', () => {
  const { run, left } = chooseTests(FILES, ['packages/core/src/git.ts'], { ...all, limitMs: 2 });
  expect(run).toHaveLength(2);
  expect(left).toEqual(['test/e2e/land.test.ts']);
});

test('a test that was changed is run, however long it takes', () => {
  const path = 'test/e2e/list.test.ts';
  expect(chooseTests(FILES, [path], { ...all, limitMs: 0 }).run).toEqual([path]);
});

test('a changed file that nothing imports is named', () => {
  expect(chooseTests(FILES, ['biome.json'], all)).toEqual({
    ...{ run: [], left: [] },
    unknown: ['biome.json'],
  });
});

test('a change of the plugin runs the tests that start it', () => {
  const files = [...FILES, file('test/e2e/plugin/install.test.ts')];
  const { run, unknown } = chooseTests(files, ['plugin/hooks/session-init.sh'], all);
  expect({ run, unknown }).toEqual({ run: ['test/e2e/plugin/install.test.ts'], unknown: [] });
});
