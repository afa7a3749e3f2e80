import { expect, test } from 'vitest';
import { LAYOUT, POINTS_UP } from './architecture-layout.ts';
import { isPure } from './architecture-pure.ts';
import {
  findCircles,
  homeOf,
  importsAtOnce,
  importsOf,
  nameOf,
  pointsDown,
  roomOf,
  sources,
  tests,
} from './architecture-sources.ts';
import {
  MOST_FILES,
  READS_ENVIRONMENT,
  RIG,
  ROOM_CIRCLES,
  TESTS_MAY_IMPORT,
} from './architecture-tables.ts';

const STARTS_PROCESSES = ['packages/core/src/processes/run.ts'];

/** Every path below `.saga`, as the disk has it and as git names it. */
const BUILDS_PATHS = [
  'packages/core/src/project/paths.ts',
  'packages/types/src/plan/plan-paths.ts',
];
const NAMES_TRASH = ['packages/core/src/git/refs/trash-refs.ts'];

test('there is something to look at', () => {
  expect(sources.length).toBeGreaterThan(50);
  expect(tests.length).toBeGreaterThan(20);
});

test('every source has a place in the layout, and every row of it takes a source', () => {
  const lost = sources.filter(({ path }) => homeOf(path) === undefined).map(({ path }) => path);
  const taken = new Set(sources.map(({ path }) => homeOf(path)?.folder));
  const empty = LAYOUT.map(([folder]) => folder).filter((folder) => !taken.has(folder));
  expect({ lost, empty }).toEqual({ lost: [], empty: [] });
});

test('imports point down, but for those of today that are listed, and no list is too long', () => {
  const up = sources.flatMap(({ path, text }) => {
    const from = homeOf(path);
    return importsAtOnce(path, text).flatMap((target) => {
      const to = homeOf(target);
      if (!from || !to || pointsDown(from, to)) return [];
      return [{ target: nameOf(target), from: nameOf(path) }];
    });
  });
  const found = Map.groupBy(up, ({ target }) => target);
  const listed = [...found].map(([target, some]) => [
    target,
    [...new Set(some.map(({ from }) => from))].toSorted(),
  ]);
  expect(Object.fromEntries(listed)).toEqual(POINTS_UP);
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
  const imports = sources.map(({ path, text }) => [path, importsAtOnce(path, text)] as const);
  expect(findCircles(new Map(imports))).toEqual([]);
});

test('no room imports itself through others, but for the named few', () => {
  // A barrel stands above its package.
  const inside = sources.filter(({ path }) => !path.endsWith('/src/index.ts'));
  const imports = [...Map.groupBy(inside, ({ room }) => room)].map(([room, files]) => ({
    room,
    targets: files
      .flatMap(({ path, text }) => importsAtOnce(path, text).map(roomOf))
      .filter((target) => target !== room),
  }));
  const circlesWithout = (few: typeof ROOM_CIRCLES) => {
    const isOneOf = (room: string, target: string) =>
      few.some(([from, to]) => from === room && to === target);
    const left = imports.map(
      ({ room, targets }) => [room, targets.filter((target) => !isOneOf(room, target))] as const,
    );
    return findCircles(new Map(left));
  };
  expect(circlesWithout(ROOM_CIRCLES)).toEqual([]);
  // An exception that nobody needs any more would hide the next circle.
  const needless = ROOM_CIRCLES.filter(
    (it) => circlesWithout(ROOM_CIRCLES.filter((other) => other !== it)).length === 0,
  );
  expect(needless).toEqual([]);
});

test(`no room holds more than ${MOST_FILES} files, and no folder of tests does`, () => {
  // A test beside its source is no file more.
  const apart = tests.filter(({ path }) => path.startsWith('test/'));
  const rooms = Map.groupBy([...sources, ...apart], ({ path }) =>
    path.slice(0, path.lastIndexOf('/')),
  );
  const full = [...rooms].filter(([, files]) => files.length > MOST_FILES).map(([room]) => room);
  expect(full).toEqual([]);
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
  [
    'a path below .saga has its name in one place',
    /\bjoin\([^,;]*\b(?:saga|stories|epics|archive|archivedStories|archivedEpics|innerWorktrees|runs|locks|staging|sessions|cache),\s*['`]/,
    (path) => BUILDS_PATHS.includes(path),
  ],
  [
    'the folder of the plan is spelled in one place',
    /'\.saga'|startsWith\('\.saga|PLAN_FOLDER\}\/\w|['":`]\.saga\/(?:stories|epics|archive|worktrees|runs|cache)(?:['"]|\/\$)|\\\.saga\\\//,
    (path) => BUILDS_PATHS.includes(path),
  ],
  [
    'the folder of the trash is spelled in one place',
    /['"=`]refs\/saga\/trash|refs\\\/saga\\\/trash/,
    (path) => NAMES_TRASH.includes(path),
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
  'packages/cli/src/commands/machine/model.ts':
    'it prints by which variables a client finds that API',
};

test("the client's format stays in one room", () => {
  const spelling =
    /\btool_(use|result|name|input|response)|\bis_error\b|hookSpecificOutput|hook_event_name|PreToolUse|--output-format|stream-json|--permission-mode|\bCLAUDE_|\.claude\/|'\.claude'|\bTask(List|Get|Update)\b(?!Folder)|ToolSearch|NotebookEdit|MultiEdit|\bANTHROPIC_|structured_output|\bdontAsk\b|\bacceptEdits\b|\bclaude (?:update|-p|--)/;
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

/** Who imports `core/agents/claude` itself and not through `core/agents/chosen`, and why. */
const NAMES_CLIENT: Record<string, string> = {
  'packages/cli/src/environment.ts': 'every command loads it, so it may not load a whole agent',
  'packages/cli/src/commands/task.ts': "saga task works on the client's native lists",
  'packages/cli/src/commands/task/': 'the same',
  'packages/cli/src/commands/plan/schema.ts': 'it prints the schema of a native task',
  'packages/cli/src/commands/told/costs.ts': 'it says which table of prices an estimate is from',
  'packages/cli/src/commands/machine/demo.ts': 'the demo installs the client if there is none',
  'packages/model/src/price.ts': 'the scripted model says what its answers would cost',
  'packages/cli/src/hooks/': "they are hooks of the client's own plugin",
};

test('outside of its room Claude Code is named by few, each for a reason', () => {
  const named = sources.filter(
    ({ path, text }) =>
      !path.startsWith('packages/core/src/agents/') &&
      importsOf(path, text).some((it) => it.startsWith('packages/core/src/agents/claude/')),
  );
  const places = Object.keys(NAMES_CLIENT);
  const wrong = named.filter(({ path }) => !places.some((place) => path.startsWith(place)));
  expect(wrong.map(({ path }) => path)).toEqual([]);
  const needless = places.filter((place) => !named.some(({ path }) => path.startsWith(place)));
  expect(needless).toEqual([]);
});

test('the agent is chosen in one file', () => {
  const named = sources.filter(({ path, text }) =>
    importsOf(path, text).includes('packages/core/src/agents/claude/agent.ts'),
  );
  expect(named.map(({ path }) => path)).toEqual(['packages/core/src/agents/chosen.ts']);
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

test('in core a name that one file exports belongs to that file alone: one word for one thing', () => {
  const declared =
    /^export (?:default )?(?:declare )?(?:abstract )?(?:async )?(?:function\*?|class|interface|type|const|let|enum) (\w+)/gm;
  const exported = sources
    .filter(({ path }) => path.startsWith('packages/core/src/'))
    .flatMap(({ path, text }) =>
      // Overloads of a function are one name.
      [...new Set([...text.matchAll(declared)].map(([, name = '']) => name))].map((name) => ({
        name,
        path,
      })),
    );
  expect(exported.length).toBeGreaterThan(500);
  const shared = [...Map.groupBy(exported, ({ name }) => name)]
    .filter(([, files]) => files.length > 1)
    .map(([name, files]) => `${name}: ${files.map(({ path }) => path).join(', ')}`);
  expect(shared).toEqual([]);
});

test('files stay small and are named in kebab-case', () => {
  const large = sources.filter(({ text }) => text.split('\n').length > 400).map(({ path }) => path);
  const misnamed = sources
    .filter(({ path }) => !/\/[a-z0-9-]+\.tsx?$/.test(path))
    .map(({ path }) => path);
  expect({ large, misnamed }).toEqual({ large: [], misnamed: [] });
});

test('git never forgets worktrees that only moved with the project (decisions 22 and 29)', () => {
  const prunes = sources.filter(({ text }) => /'worktree',\s*'prune'/.test(text));
  expect(prunes.map(({ path }) => path)).toEqual([]);
});
