import { expect, test } from 'vitest';
import { addRan, describeLines, readCounted } from './file-lines.ts';

const at = (...lines: number[]) =>
  Object.fromEntries(lines.map((line, i) => [String(i), { start: { line } }]));

test('lines count that a test ran inside vitest or in a program; the rest is named', () => {
  const files = readCounted({
    '/p/core/src/a.ts': { statementMap: at(1, 2, 2, 5, 6), s: { 0: 1, 1: 0, 2: 3, 3: 0, 4: 0 } },
    '/p/core/src/b.ts': { statementMap: at(1, 3, 4, 5), s: { 0: 0, 1: 0, 2: 0, 3: 0 } },
    '/p/types/src/c.ts': { statementMap: at(1), s: { 0: 1 } },
    '/p/types/src/only-types.ts': { statementMap: {}, s: {} },
  });
  addRan(files, '/p/core/src/a.ts', new Set([5, 6, 7]));
  addRan(files, '/p/core/src/b.ts', new Set([1]));
  addRan(files, '/elsewhere.ts', new Set([1]));
  const described = describeLines(files, { root: '/p', least: { core: 65, types: 90 } });
  expect(described.table).toEqual([
    ' 62.5 %  core             5 of 8 lines  ✗ at least 65 %',
    '100.0 %  types            1 of 1 lines',
    '',
    'Files below 60 %:',
    ' 25.0 %  core/src/b.ts  1 of 4',
  ]);
  expect(described.missing).toEqual(['core/src/b.ts: 3-5']);
  expect(described.low).toEqual(['core']);
});
