import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/**
 * Which room may import which, lowest first. A room is a folder that holds sources; `core/errors` and
 * `core/worker/context` are files that count as rooms. A name also stands for the rooms below it only
 * where it ends in `/*`.
 */
const BASE = ['types/*', 'core/errors'];
const GROUND = [...BASE, 'core/files', 'core/processes', 'core/project'];
const WORKER = [
  ...GROUND,
  'core/plan',
  'core/messages',
  'core/git',
  'core/forge',
  'core/scope',
  'core/agents',
  'core/needs',
  'core/sandbox',
  'core/trust',
  'core/seal',
];
const MAY_IMPORT: Record<string, string[]> = {
  'types/*': ['types/*'],
  'core/errors': ['types/*'],
  'core/project': BASE,
  'core/processes': [...BASE, 'core/files'],
  'core/files': [...BASE, 'core/project'],
  'core/git': [...BASE, 'core/processes', 'core/project', 'core/files'],
  'core/scope': ['types/*'],
  'core/plan': GROUND,
  'core/messages': [...GROUND, 'core/plan'],
  'core/records': [...GROUND, 'core/plan', 'core/agents/claude/stream'],
  'core/forge': [...GROUND, 'core/git', 'core/plan'],
  'core/agents': [...GROUND, 'core/plan', 'core/scope'],
  'core/agents/claude': [
    ...GROUND,
    'core/agents',
    'core/scope',
    'core/agents/claude/account',
    'core/agents/claude/stream',
    'core/agents/claude/tasklist',
  ],
  'core/agents/claude/stream': [...BASE, 'core/agents'],
  'core/agents/claude/account': [...GROUND, 'core/agents'],
  'core/agents/claude/tasklist': [...GROUND, 'core/plan', 'core/agents'],
  'core/overview/facts': [...GROUND, 'core/git', 'core/plan'],
  'core/overview': [...GROUND, 'core/plan', 'core/records', 'core/overview/facts'],
  'core/overview/watch': [...GROUND, 'core/overview'],
  'core/plan-text': ['types/*'],
  'core/authoring': [...GROUND, 'core/plan', 'core/plan-text', 'core/overview'],
  'core/overview/live': [
    ...GROUND,
    'core/plan',
    'core/records',
    'core/authoring',
    'core/overview',
    'core/overview/facts',
    'core/overview/watch',
  ],
  'core/overview/history': [
    ...GROUND,
    'core/plan',
    'core/records',
    'core/git',
    'core/overview/live',
  ],
  'core/sandbox': [...GROUND, 'core/git', 'core/agents'],
  'core/seal': GROUND,
  'core/needs': [...GROUND, 'core/git', 'core/agents', 'core/sandbox'],
  'core/trust': [...GROUND, 'core/plan', 'core/agents/claude/account'],
  'core/notify': GROUND,
  'core/sessions': [
    ...GROUND,
    'core/plan',
    'core/trust',
    'core/records',
    'core/overview',
    'core/agents/*',
    'core/needs',
    'core/worker',
  ],
  'core/worker/decide': ['types/*', 'core/agents'],
  'core/worker/context': [...WORKER, 'core/worker/decide'],
  'core/worker/base': [...WORKER, 'core/worker/context', 'core/worker/settle'],
  'core/worker/follow': [...WORKER, 'core/worker/context'],
  'core/worker/run': [...WORKER, 'core/worker/context', 'core/worker/decide'],
  'core/worker/deliver': [...WORKER, 'core/worker/context'],
  'core/worker/elsewhere': [...WORKER, 'core/worker/context'],
  'core/worker/settle': [
    ...WORKER,
    'core/worker/context',
    'core/worker/deliver',
    'core/worker/elsewhere',
  ],
  'core/worker/prepare': [
    ...WORKER,
    'core/worker/context',
    'core/worker/run',
    'core/worker/settle',
  ],
  'core/worker/clean': [...WORKER, 'core/worker/context', 'core/worker/run', 'core/worker/prepare'],
  'core/worker/gate': [
    ...WORKER,
    'core/worker/clean',
    'core/worker/decide',
    'core/worker/context',
    'core/worker/run',
    'core/worker/settle',
    'core/worker/deliver',
  ],
  'core/worker': [...WORKER, 'core/records', 'core/notify', 'core/worker/*', 'core/agents/claude'],
  'core/update': [
    ...WORKER,
    'core/overview/facts',
    'core/worker',
    'core/worker/base',
    'core/worker/context',
    'core/worker/settle',
    'core/agents/claude',
  ],
  'core/epic': [
    ...WORKER,
    'core/notify',
    'core/agents/claude',
    'core/records',
    'core/overview',
    'core/overview/watch',
    'core/sessions',
    'core/update',
    'core/worker',
    'core/worker/*',
  ],
  'core/review': [...GROUND, 'core/git', 'core/plan', 'core/worker'],
  'core/landing': [
    ...WORKER,
    'core/agents/claude',
    'core/overview',
    'core/review',
    'core/epic',
    'core/recovery',
    'core/worker',
    'core/worker/context',
    'core/worker/gate',
    'core/worker/run',
  ],
  'core/epic/look': [...GROUND, 'core/plan', 'core/records', 'core/overview/live', 'core/epic'],
  'core/trash': [...GROUND, 'core/git'],
  'core/recovery': [
    ...WORKER,
    'core/agents/claude',
    'core/agents/claude/tasklist',
    'core/overview',
    'core/records',
    'core/sessions',
    'core/trash',
    'core/worker/prepare',
    'core/worker/settle',
  ],
  'core/lint': [...GROUND, 'core/plan', 'core/git', 'core/epic'],
  'core/migrate': [
    ...GROUND,
    'core/plan',
    'core/plan-text',
    'core/git',
    'core/trash',
    'core/authoring',
  ],
  'core/shaper': [
    ...GROUND,
    'core/plan',
    'core/authoring',
    'core/lint',
    'core/agents/claude',
    'core/agents/claude/account',
  ],
  'core/rehearsal': [...WORKER, 'core/worker/*', 'core/agents/claude'],
  'core/doctor': [
    ...WORKER,
    'core/agents/claude',
    'core/agents/claude/account',
    'core/authoring',
    'core/notify',
    'core/records',
    'core/recovery',
    'core/sessions',
    'core/rehearsal',
    'core/worker/run',
    'core/worker/prepare',
  ],
  'model/*': ['types/*', 'core/*', 'model/*'],
  'dashboard/server/*': ['types/*', 'core/*', 'dashboard/server/*'],
  'dashboard/client/*': ['types/*', 'dashboard/client/*'],
  'cli/*': ['types/*', 'core/*', 'model/*', 'dashboard/server/*', 'cli/*'],
  'plugin-scripts': ['types/*', 'core/*', 'cli/*'],
};

/** Decisions over data: no disk, no clock, no process. */
const PURE_ROOMS = ['core/scope', 'core/plan-text', 'core/worker/decide'];
const PURE_FILES = [
  'core/src/agents/claude/accesses.ts',
  'core/src/agents/claude/account/account-settings.ts',
  'core/src/agents/claude/account/model-endpoints.ts',
  'core/src/agents/claude/account/project-settings.ts',
  'core/src/agents/claude/client-features.ts',
  'core/src/agents/claude/client-home.ts',
  'core/src/agents/claude/client-invocation.ts',
  'core/src/agents/claude/outer-session.ts',
  'core/src/agents/claude/stream/price.ts',
  'core/src/agents/claude/stream/read-log-line.ts',
  'core/src/agents/claude/remedies.ts',
  'core/src/agents/claude/run-environment.ts',
  'core/src/agents/claude/stream/run-result.ts',
  'core/src/agents/claude/guard-wire.ts',
  'core/src/agents/claude/stage-environment.ts',
  'core/src/agents/claude/stream/stream.ts',
  'core/src/agents/claude/stream/tool-call.ts',
  'core/src/agents/claude/stream/translate.ts',
  'core/src/agents/claude/tasklist/claude-task.ts',
  'core/src/agents/claude/tasklist/task-state.ts',
  'core/src/agents/claude/tasklist/task-sync.ts',
  'core/src/authoring/compare-plans.ts',
  'core/src/authoring/plan-draft.ts',
  'core/src/authoring/propose-setup.ts',
  'core/src/authoring/propose-verify.ts',
  'core/src/authoring/read-draft.ts',
  'core/src/epic/forecast.ts',
  'core/src/epic/layout.ts',
  'core/src/epic/look/describe-hold.ts',
  'core/src/epic/look/expect-ends.ts',
  'core/src/epic/look/find-hold-ups.ts',
  'core/src/epic/look/forecast-run.ts',
  'core/src/epic/look/recall-run.ts',
  'core/src/epic/look/session-steps.ts',
  'core/src/epic/overlap.ts',
  'core/src/epic/schedule.ts',
  'core/src/epic/survey.ts',
  'core/src/forge/compare-url.ts',
  'core/src/forge/pull-request-status.ts',
  'core/src/forge/reviewed.ts',
  'core/src/landing/decide-merge.ts',
  'core/src/git/trash-refs.ts',
  'core/src/lint/judge-order.ts',
  'core/src/lint/judge-story.ts',
  'core/src/lint/lint-plan.ts',
  'core/src/lint/overlaps.ts',
  'core/src/lint/reach.ts',
  'core/src/migrate/from-beads.ts',
  'core/src/migrate/from-markdown-stories.ts',
  'core/src/migrate/from-spec-kit.ts',
  'core/src/migrate/from-task-lists.ts',
  'core/src/migrate/from-task-master.ts',
  'core/src/migrate/untie.ts',
  'core/src/notify/find-news.ts',
  'core/src/plan/check-plan.ts',
  'core/src/plan/check-tasks.ts',
  'core/src/recovery/plan.ts',
  'core/src/recovery/orphans.ts',
  'core/src/rehearsal/rehearsal-findings.ts',
  'core/src/sandbox/allowed-hosts.ts',
  'core/src/sandbox/bubblewrap-arguments.ts',
  'core/src/sandbox/explain-network.ts',
  'core/src/sandbox/find-refusal.ts',
  'core/src/agents/claude/shaper-run.ts',
  'core/src/seal/sealed-text.ts',
  'core/src/shaper/shaper-prompt.ts',
  'core/src/worker/base/merge-plans.ts',
  'core/src/worker/session-spent.ts',
  'core/src/worker/deliver/pull-request-body.ts',
  'core/src/worker/clean/setup-inputs.ts',
  'core/src/worker/elsewhere/config-changes.ts',
  'core/src/worker/elsewhere/ref-changes.ts',
  'core/src/worker/follow/find-work.ts',
  'core/src/worker/follow/plain-text.ts',
  'core/src/worker/follow/quote-work.ts',
  'core/src/worker/gate/checks.ts',
  'core/src/worker/gate/warn-of-changes.ts',
].map((path) => `packages/${path}`);
const MOST_FILES = 20;

/** A test beside the code belongs to a package, and builds on the rig. */
const TESTS_MAY_IMPORT: Record<string, string[]> = {
  types: ['packages/types', 'test/rig'],
  core: ['packages/types', 'packages/core', 'packages/model', 'test/rig'],
  model: ['packages/types', 'packages/core', 'packages/model', 'test/rig'],
  dashboard: ['packages/types', 'packages/core', 'packages/dashboard', 'test/rig'],
  cli: ['packages/types', 'packages/core', 'packages/model', 'packages/cli', 'test/rig'],
  'plugin-scripts': ['packages/types', 'packages/core', 'packages/plugin-scripts', 'test/rig'],
};

/** Folders of the rig, lowest first: each builds on those before it. */
const RIG = 'random epic programs project client github screens worker faults'.split(' ');

function isPure(path: string, room: string): boolean {
  return PURE_ROOMS.includes(room) || PURE_FILES.includes(path);
}

/** Beside the command: programs that the client starts on their own. */
const READS_ENVIRONMENT = [
  'packages/cli/src/environment.ts',
  'packages/core/src/agents/claude/guard-program.ts',
  'packages/plugin-scripts/src/scope-validator.ts',
  'packages/plugin-scripts/src/sync-hook.ts',
];
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

test('files stay small and are named in kebab-case', () => {
  const large = sources.filter(({ text }) => text.split('\n').length > 400).map(({ path }) => path);
  const misnamed = sources
    .filter(({ path }) => !/\/[a-z0-9-]+\.tsx?$/.test(path))
    .map(({ path }) => path);
  expect({ large, misnamed }).toEqual({ large: [], misnamed: [] });
});
