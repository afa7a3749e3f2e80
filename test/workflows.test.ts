import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECTS, STATIC_STEPS } from '../scripts/run-steps.ts';

const ROOT = resolve(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const WORKFLOWS = globSync('.github/workflows/*.yml', { cwd: ROOT });

test('every action is pinned to a commit, and named with its version', () => {
  const used = WORKFLOWS.flatMap((path) =>
    read(path)
      .split('\n')
      .filter((line) => line.includes('uses:')),
  );
  expect(used.length).toBeGreaterThan(0);
  const loose = used.filter((line) => !/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\./.test(line));
  expect(loose).toEqual([]);
});

test('workflows run on Linux every part of what decides whether a change lands', () => {
  const [, inMatrix = ''] = /^ +part: +\[(.*)\]$/m.exec(read('.github/workflows/tests.yml')) ?? [];
  const statics = STATIC_STEPS.map((step) => step.at(-1));
  expect(inMatrix.split(/,? /).toSorted()).toEqual([...statics, ...PROJECTS, 'long'].toSorted());
});

test('what no one has seen pass is called untested, in the workflow and in the README', () => {
  const isUntested = read('.github/workflows/tests.yml').includes('name: macOS (untested)');
  expect(/\| macOS .*\buntested\b/.test(read('README.md'))).toBe(isUntested);
});
