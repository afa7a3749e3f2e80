import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  isPure,
  MAY_IMPORT,
  MOST_FILES,
  READS_ENVIRONMENT,
  RIG,
  TESTS_MAY_IMPORT,
} from './architecture-tables.ts';

const STARTS_PROCESSES = ['packages/core/src/processes/run.ts'];

const sources = globSync('packages/*/src/**/*.{ts,tsx}')
  .filter((path) => !path.includes('.test.'))
  .map((path) => ({ path, text: readFileSync(path, 'utf8'), room: roomOf(path) }));
const tests = globSync(['packages/*/src/**/*.test.ts', 'test/**/*.ts'])
  .filter((path) => !path.includes('node_modules'))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }));

function roomOf(path: string): string {
  const inside = path
    .replace(/^packages\//, '')
    .replace('/src/', '/')
    .replace(/\.tsx?$/, '');
  if (['core/errors', 'core/worker/context'].includes(inside)) return inside;
  return inside.split('/').slice(0, -1).join('/');
}

/** Static, dynamic, type and side-effect imports alike: a type that points back is a wall with a hole. */
function importsOf(path: string, text: string): string[] {
  const found = text.matchAll(/(?:\bfrom|\bimport\(|^import)\s*'([^']+)'/gm);
  return [...found].flatMap(([, target = '']) => {
    if (target.startsWith('@saga-ai/'))
      return `packages/${target.slice(9).replace('/', '/src/')}.ts`;
    if (!target.startsWith('.')) return [];
    return new URL(target, `file:///${path}`).pathname.slice(1);
  });
}

function covers(name: string, room: string): boolean {
  if (!name.endsWith('/*')) return name === room;
  const above = name.slice(0, -2);
  return room === above || room.startsWith(`${above}/`);
}

function mayImport(room: string, target: string): boolean {
  const allowed = Object.entries(MAY_IMPORT).filter(([name]) => covers(name, room));
  return allowed.some(([, names]) => names.some((name) => covers(name, target)));
}

test('there is something to look at', () => {
  expect(sources.length).toBeGreaterThan(50);
  expect(tests.length).toBeGreaterThan(20);
});

test('nothing points back', () => {
  const wrong = sources.flatMap(({ path, text, room }) =>
    importsOf(path, text)
      .map(roomOf)
      .filter((target) => target !== room && !mayImport(room, target))
      .map((target) => `${path} imports ${target}`),
  );
  expect(wrong).toEqual([]);
});

test('tests beside the code import the rig, their own package and what it may import, and no more', () => {
  const wrong = tests
    .filter(({ path }) => path.startsWith('packages/'))
    .flatMap(({ path, text }) =>
      importsOf(path, text)
        .map((target) => target.split('/').slice(0, 2).join('/'))
        .filter((target) => !TESTS_MAY_IMPORT[path.split('/')[1] ?? '']?.includes(target))
        .map((target) => `${path} imports ${target}`),
    );
  expect(wrong).toEqual([]);
});

test('each folder of the rig builds on those before it', () => {
  const folderOf = (path: string) => path.match(/^test\/rig\/(\w+)\//)?.[1];
  const parts = tests.filter(({ path }) => path.startsWith('test/rig/'));
  const found = new Set(parts.flatMap(({ path }) => folderOf(path) ?? []));
  expect([...found].toSorted()).toEqual(RIG.toSorted());
  const wrong = parts.flatMap(({ path, text }) => {
    const own = RIG.indexOf(folderOf(path) ?? '');
    return importsOf(path, text)
      .filter((target) => own >= 0 && RIG.indexOf(folderOf(target) ?? '') > own)
      .map((target) => `${path} imports ${target}`);
  });
  expect(wrong).toEqual([]);
});

test('no file imports itself through others', () => {
  // A command that is loaded when it is called may ask the table of commands; that closes no circle.
  const atOnce = (text: string) => text.replaceAll(/\bimport\('[^']+'\)/g, '');
  const imports = new Map(sources.map(({ path, text }) => [path, importsOf(path, atOnce(text))]));
  const finished = new Set<string>();
  const circles: string[] = [];
  const visit = (path: string, trail: readonly string[]) => {
    if (trail.includes(path)) {
      circles.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
      return;
    }
    if (finished.has(path)) return;
    for (const target of imports.get(path) ?? []) visit(target, [...trail, path]);
    finished.add(path);
  };
  for (const path of imports.keys()) visit(path, []);
  expect(circles).toEqual([]);
});

test(`no room holds more than ${MOST_FILES} files, and no folder of the rig does`, () => {
  const rig = tests.filter(({ path }) => path.startsWith('test/rig/'));
  const rooms = Map.groupBy([...sources, ...rig], ({ path }) =>
    path.slice(0, path.lastIndexOf('/')),
  );
  const full = [...rooms].filter(([, files]) => files.length > MOST_FILES).map(([room]) => room);
  expect(full).toEqual([]);
});

test('every room is named in the picture', () => {
  const known = (room: string) => Object.keys(MAY_IMPORT).some((name) => covers(name, room));
  expect([...new Set(sources.map(({ room }) => room))].filter((room) => !known(room))).toEqual([]);
});

test.each<[string, RegExp, (path: string, room: string) => boolean]>([
  [
    'process.env is read in named files only',
    /process\.env\b|\benv\b[^=]*\} = process\b/,
    (path) => READS_ENVIRONMENT.includes(path),
  ],
  [
    'processes are started in one file',
    /node:child_process/,
    (path) => STARTS_PROCESSES.includes(path),
  ],
  [
    'types and decisions touch no disk and start no process',
    /node:(fs|child_process|http|net|timers)/,
    (path, room) => !isPure(path, room) && !room.startsWith('types'),
  ],
  [
    'decisions ask no clock',
    /Date\.now|new Date\(\)|performance\.now/,
    (path, room) => !isPure(path, room),
  ],
  ['types run in a browser', /from 'node:/, (_, room) => !room.startsWith('types')],
  [
    'only what describes formats knows zod',
    /from 'zod/,
    (path, room) =>
      room.startsWith('types') ||
      room === 'core/agents/claude/tasklist' ||
      path === 'packages/model/src/turn-schema.ts',
  ],
])('%s', (_, pattern, allowed) => {
  const wrong = sources.filter(
    ({ path, text, room }) => pattern.test(text) && !allowed(path, room),
  );
  expect(wrong.map(({ path }) => path)).toEqual([]);
});

/** Where Claude Code's own spellings may stand beside `core/agents/claude`, and why. */
const KNOWS_CLIENT: Record<string, string> = {
  'packages/model/': 'it imitates the API that the client talks to',
};

test("the client's format stays in one room", () => {
  const spelling =
    /\btool_(use|result|name|input|response)|\bis_error\b|hookSpecificOutput|hook_event_name|PreToolUse|--output-format|stream-json|--permission-mode|\bCLAUDE_|\.claude\/|'\.claude'|\bTask(List|Get|Update)\b(?!Folder)|ToolSearch|NotebookEdit|MultiEdit/;
  const isAllowed = (path: string) =>
    path.startsWith('packages/core/src/agents/claude/') ||
    Object.keys(KNOWS_CLIENT).some((place) => path.startsWith(place));
  const wrong = sources.filter(({ path, text }) => !isAllowed(path) && spelling.test(text));
  expect(wrong.map(({ path }) => path)).toEqual([]);
  // A list of exceptions that nobody needs any more would hide the next one.
  const needless = Object.keys(KNOWS_CLIENT).filter(
    (place) => !sources.some(({ path, text }) => path.startsWith(place) && spelling.test(text)),
  );
  expect(needless).toEqual([]);
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

test('a page is never asked once for what may come later: `textOf` and `eventually` ask until it is there', () => {
  // What is denied (`.not`) is looked at once, after an event.
  const once =
    /expect\(\s*(await [^;]*\.(textContent|allTextContents|getAttribute|title)\(\)|page\.url\(\)|new URL\(page)[^;]*?\)\s*\.to/;
  const wrong = tests.filter(
    ({ path, text }) =>
      path.endsWith('.test.ts') && text.includes('screens/browser') && once.test(text),
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
