import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Which room may import which; a room that is not named may be imported by nobody. */
const MAY_IMPORT: Record<string, string[]> = {
  types: [],
  'core/errors': ['types'],
  'core/rules': ['types'],
  'core/project': ['types', 'core/errors'],
  'core/programs': ['core/errors'],
  'core/store': ['types', 'core/errors', 'core/rules', 'core/project', 'core/programs'],
  'core/tasklist': ['types', 'core/errors', 'core/rules', 'core/project', 'core/store'],
  'core/worker': [
    'types',
    'core/errors',
    'core/rules',
    'core/project',
    'core/programs',
    'core/store',
    'core/tasklist',
  ],
  'core/sessions': ['types', 'core/errors', 'core/project', 'core/programs', 'core/store'],
  'core/doctor': [
    'types',
    'core/errors',
    'core/rules',
    'core/project',
    'core/programs',
    'core/store',
    'core/worker',
    'core/sessions',
  ],
  'core/rehearsal': [
    'types',
    'core/errors',
    'core/rules',
    'core/project',
    'core/programs',
    'core/store',
    'core/worker',
    'core/doctor',
  ],
  'core/index': ['core'],
  cli: ['types', 'core', 'model', 'dashboard/server'],
  model: ['types', 'core'],
  'dashboard/server': ['types', 'core'],
  'dashboard/client': ['types'],
  'plugin-scripts': ['types', 'core', 'cli'],
};

/** Beside the command: programs that the client starts on their own. */
const READS_ENVIRONMENT = [
  'packages/cli/src/environment.ts',
  'packages/core/src/worker/guard-program.ts',
  'packages/plugin-scripts/src/scope-validator.ts',
  'packages/plugin-scripts/src/sync-hook.ts',
];
const STARTS_PROCESSES = ['packages/core/src/programs/run.ts'];

const sources = globSync('packages/*/src/**/*.{ts,tsx}')
  .filter((path) => !path.includes('.test.'))
  .map((path) => ({ path, text: readFileSync(path, 'utf8'), room: roomOf(path) }));
const tests = globSync(['packages/*/src/**/*.test.ts', 'test/**/*.ts'])
  .filter((path) => !path.includes('node_modules'))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }));

function roomOf(path: string): string {
  const [, name = '', , first = ''] = path.split('/');
  const hasRooms = ['core', 'dashboard'].includes(name);
  return hasRooms ? `${name}/${first.replace(/\.ts$/, '')}` : name;
}

/** Static, dynamic and type imports alike: a type that points back is a wall with a hole. */
function importsOf(path: string, text: string): string[] {
  const found = text.matchAll(/(?:from|import\()\s*'([^']+)'/g);
  return [...found].flatMap(([, target = '']) => {
    if (target.startsWith('@saga-ai/'))
      return roomOf(`packages/${target.slice(9).replace('/', '/src/')}`);
    if (!target.startsWith('.')) return [];
    return roomOf(new URL(target, `file:///${path}`).pathname.slice(1));
  });
}

test('there is something to look at', () => {
  expect(sources.length).toBeGreaterThan(50);
  expect(tests.length).toBeGreaterThan(20);
});

test('nothing points back', () => {
  const wrong = sources.flatMap(({ path, text, room }) =>
    importsOf(path, text)
      .filter((target) => target !== room)
      .filter(
        (target) => !MAY_IMPORT[room]?.some((it) => target === it || target.startsWith(`${it}/`)),
      )
      .map((target) => `${path} imports ${target}`),
  );
  expect(wrong).toEqual([]);
});

test.each<[string, RegExp, (path: string, room: string) => boolean]>([
  [
    'process.env is read in named files only',
    /process\.env\b/,
    (path) => READS_ENVIRONMENT.includes(path),
  ],
  [
    'processes are started in one file',
    /node:child_process/,
    (path) => STARTS_PROCESSES.includes(path),
  ],
  [
    'types and rules touch no disk',
    /node:fs/,
    (_, room) => !['types', 'core/rules'].includes(room),
  ],
  [
    'rules ask no clock',
    /Date\.now|new Date\(\)|performance\.now/,
    (_, room) => room !== 'core/rules',
  ],
  ['types run in a browser', /from 'node:/, (_, room) => room !== 'types'],
  ['only types knows zod', /from 'zod/, (_, room) => room === 'types'],
])('%s', (_, pattern, allowed) => {
  const wrong = sources.filter(
    ({ path, text, room }) => pattern.test(text) && !allowed(path, room),
  );
  expect(wrong.map(({ path }) => path)).toEqual([]);
});

test('no barrel is imported inside the house: a bundle would run all that stands behind it', () => {
  const wrong = sources.filter(({ text }) => /^import (?!type).*from '@saga-ai\/\w+';/m.test(text));
  expect(wrong.map(({ path }) => path)).toEqual([]);
});

test('tests use real parts, run all, and none is left out', () => {
  const forbidden = /\bvi\.(?:mock|doMock)\(|\b(?:test|it|describe)\.(?:skip|only|todo)\b/;
  const self = 'test/architecture.test.ts';
  const wrong = tests.filter(({ path, text }) => path !== self && forbidden.test(text));
  expect(wrong.map(({ path }) => path)).toEqual([]);
});

test('how fast something is is judged in test/bench alone, and nothing is tried again', () => {
  const forbidden =
    /\.now\(\) - \w+\)\s*\.toBeLess|\b(?:took|waited|elapsed|seconds|ms)\)\s*\.toBeLess|\bretry:/;
  const wrong = tests.filter(
    ({ path, text }) =>
      path.endsWith('.test.ts') && path !== 'test/architecture.test.ts' && forbidden.test(text),
  );
  expect(wrong.map(({ path }) => path)).toEqual([]);
});

test('files stay small and are named in kebab-case', () => {
  const large = sources.filter(({ text }) => text.split('\n').length > 400).map(({ path }) => path);
  const misnamed = sources
    .filter(({ path }) => !/\/[a-z0-9-]+\.tsx?$/.test(path))
    .map(({ path }) => path);
  expect({ large, misnamed }).toEqual({ large: [], misnamed: [] });
});
