import fc from 'fast-check';
import { expect, test } from 'vitest';
import { filterByGlobs } from '../scope/globs.ts';
import { doOverlap } from './overlap.ts';

test.each<[string[], string[], boolean]>([
  [['src/a.ts'], ['src/a.ts'], true],
  [['src/a.ts'], ['src/b.ts'], false],
  [['src'], ['src/deep/b.ts'], true],
  [['src/'], ['./src/b.ts'], true],
  [['src/*.ts'], ['src/*.css'], false],
  [['src/**/*.ts'], ['src/a/b/*.ts'], true],
  [['src/**'], ['docs/**'], false],
  [['**/*.md'], ['docs/guide/*.md'], true],
  [['app/{a,b}.ts'], ['app/c.ts'], true],
  [['app/a*.ts'], ['app/b*.ts'], false],
  [['!src/a.ts'], ['src/a.ts'], false],
  [[], ['src/**'], false],
])('%j and %j: %j', (some, others, expected) => {
  expect(doOverlap(some, others)).toBe(expected);
  expect(doOverlap(others, some)).toBe(expected);
});

const segment = fc.constantFrom('a', 'b', 'ab', '*', 'a*', '*b', '**');
const glob = fc.array(segment, { minLength: 1, maxLength: 4 }).map((it) => it.join('/'));
const path = fc
  .array(fc.constantFrom('a', 'b', 'ab', 'abb'), { minLength: 1, maxLength: 5 })
  .map((it) => it.join('/'));

test('a file that fits both is never missed', () => {
  fc.assert(
    fc.property(glob, glob, path, (some, others, file) => {
      const fits = (it: string) => filterByGlobs([file], [it]).length > 0;
      if (fits(some) && fits(others)) expect(doOverlap([some], [others])).toBe(true);
    }),
    { numRuns: 5000 },
  );
});
