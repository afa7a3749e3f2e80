import { filterByGlobs } from '@saga-ai/core/scope/globs';
import { expect, test } from 'vitest';
import { fitTests, fitWork } from './fit-work.ts';

const TASK = { id: 'a', subject: 'Do a' };
const bound = (writeFiles?: string[], protectedFiles: string[] = []) => ({
  writeFiles,
  protectedFiles,
});
const EMPTY = { run: ["git commit -q --allow-empty -m 'a: Do a'"] };

test.each<[string[], string | undefined]>([
  [['src/**'], 'src/rehearsed-a.md'],
  [['*/**/*.txt'], 'rehearsed-a/rehearsed-a.txt'],
  [['*.md'], 'rehearsed-a.md'],
  [['**/*.ts'], 'rehearsed-a.ts'],
  [['src/**/*.ts'], 'src/rehearsed-a.ts'],
  [['src/**/deep/*.ts'], 'src/deep/rehearsed-a.ts'],
  [['packages/*/src/**'], 'packages/rehearsed-a/src/rehearsed-a.md'],
  [['src'], 'src/rehearsed-a.md'],
  [['./src/'], 'src/rehearsed-a.md'],
  [['/src/**'], 'src/rehearsed-a.md'],
  [['docs.v2/'], 'docs.v2/rehearsed-a.md'],
  [['README.md', 'docs/**'], 'docs/rehearsed-a.md'],
  [['!src/**', 'src/**', 'lib/**'], 'lib/rehearsed-a.md'],
  [['.github/**'], '.github/rehearsed-a.md'],
  // One file, or a pattern that no name of ours fits: no file at all.
  [['README.md'], undefined],
  [['src/{a,b}/*.ts'], undefined],
  [['src/?.ts'], undefined],
  [['app/[id]/page.tsx'], undefined],
  [['!src/**'], undefined],
])('%o: %s', (globs, path) => {
  const work = fitWork(TASK, bound(globs));
  if (path === undefined) return expect(work).toEqual(EMPTY);
  expect(work).toEqual({ write: { [path]: 'rehearsed: a\n' }, commit: 'a: Do a' });
  expect(filterByGlobs([path], globs)).toEqual([path]);
});

test.each([[undefined], [[]], [['**']], [['**/*']], [['*']]])(
  'where all may be changed (%o) it is a file of its own',
  (globs) => {
    expect(fitWork(TASK, bound(globs))).toEqual({
      write: { 'rehearsed/a.md': '# Do a\n' },
      commit: 'a: Do a',
    });
  },
);

test.each<[string[] | undefined, string[], string | undefined]>([
  [undefined, ['docs/**'], 'rehearsed/a.md'],
  [undefined, ['**/*.md'], undefined],
  [['src/**', 'lib/*.js'], ['**/*.md'], 'lib/rehearsed-a.js'],
  [['src/**'], ['src/**'], undefined],
])('what may be changed is %o, what nobody may %o: %s', (globs, kept, path) => {
  const { write } = fitWork(TASK, bound(globs, kept));
  expect(Object.keys(write ?? {})).toEqual(path === undefined ? [] : [path]);
});

test.each([
  ['\u001b[31mred\u0007', '[31mred'],
  ['two\nlines', 'two lines'],
  ['a\u202eb\u200bc', 'a b c'],
  ["it's $(touch x)", "it's $(touch x)"],
])('%j is told in characters that the client takes', (subject, plain) => {
  expect(fitWork({ id: 'a', subject }, bound(undefined)).commit).toBe(`a: ${plain}`);
});

const TESTS = ['**/*.test.*', '**/*.spec.*', '**/test/**'];

test.each<[string[] | undefined, string[], string]>([
  [undefined, TESTS, 'test/a.test.md'],
  [['**'], TESTS, 'test/a.test.md'],
  [['src/**'], TESTS, 'src/rehearsed-a.test.md'],
  [['src/**/*.ts'], TESTS, 'src/rehearsed-a.test.ts'],
  [['src/**/*.ts', 'spec/**'], ['spec/**'], 'spec/rehearsed-a.md'],
  [undefined, ['spec/**'], 'spec/rehearsed-a.md'],
  [undefined, ['**/*_test.go'], 'rehearsed-a_test.go'],
  // Nothing may be written: that is worth finding out.
  [['README.md'], TESTS, 'test/a.test.md'],
])('tests where %o may be changed and %o are tests: %s', (globs, testFiles, path) => {
  expect(Object.keys(fitTests(TASK, bound(globs), testFiles).write ?? {})).toEqual([path]);
});
