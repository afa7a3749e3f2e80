import { expect, test } from 'vitest';
import { filterByGlobs } from './globs.ts';

const FILES = [
  '.github/workflows/ci.yml',
  'app/[id]/page.tsx',
  'package.json',
  'src/a.js',
  'src/gen/b.js',
  'src/ü b.js',
];

test.each([
  [['src'], ['src/a.js', 'src/gen/b.js', 'src/ü b.js']],
  [['./src/'], ['src/a.js', 'src/gen/b.js', 'src/ü b.js']],
  [['/src/*.js'], ['src/a.js', 'src/ü b.js']],
  [
    ['**/*.js', '!src/gen'],
    ['src/a.js', 'src/ü b.js'],
  ],
  [['!src'], []],
  [['.github/**'], ['.github/workflows/ci.yml']],
  [['*'], ['.github/workflows/ci.yml', ...FILES.slice(1)]],
  [['*.json'], ['package.json']],
  [['app/[id]/page.tsx'], ['app/[id]/page.tsx']],
  [['app/[id]'], ['app/[id]/page.tsx']],
  [['src/{a,c}.js'], ['src/a.js']],
  [['rc'], []],
  [[], []],
])('%j takes %j', (globs, expected) => {
  expect(filterByGlobs(FILES, globs)).toEqual(expected);
});
