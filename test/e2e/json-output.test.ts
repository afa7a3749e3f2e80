import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { PLAIN_ENVIRONMENT, SAGA } from '../rig/programs/run-program.ts';
import { createSampleProject } from '../rig/project/sample-project.ts';
import { expectErrorJson, expectJson, listCommands } from '../rig/screens/expect-json.ts';

/** Called in this order, each with `--json`; more than one call for a command shows all it can print. */
const PLAN = [
  'init',
  'create --title Small --task One',
  'create --title Large --story Part',
  'edit small',
  'edit small --markdown',
  'journal pay',
  'journal cart add --title Noted',
  'check',
  'check --plan',
  'migrate',
  'status',
  'status shop',
  'list',
  'ready',
  'show cart',
  'show pay',
  'show cart one',
  'show shop',
  'show shop --markdown',
  'tree --tasks',
  'graph',
  'graph shop',
  'graph cart',
  'search cart',
  'archive old',
  'list --archived',
  'unarchive old',
  'config',
  'config worker.model',
];
const TASKS = [
  'task create First --list l --meta area=docs --label new',
  'task q Second --list l',
  'task dep add 2 1 --list l',
  'task ready --list l',
  'task blocked --list l',
  'task list --list l',
  'task search first --list l',
  'task tree --list l',
  'task graph --list l',
  'task count --list l',
  'task status --list l',
  'task update 1 --subject One --list l',
  'task label 1 docs --list l',
  'task edit 1 --list l',
  'task claim 1 --list l',
  'task release 1 --list l',
  'task pop --list l',
  'task pop --list l',
  'task show 1 --list l',
  'task close 1 --list l',
  'task reopen 1 --list l',
  'task dep rm 2 1 --list l',
  'task delete 2 --list l',
  'task close 1 --list l',
  'task watch --until done --list l',
  'task list --story cart',
  'task show one --story cart',
];
const RUNS = [
  'run small',
  'worker pay --checked',
  'sessions',
  'costs --by model',
  'wait done',
  'notify',
  'sessions done',
  'inbox',
  'logs done',
  'stop done',
  'blockers',
  'resolve pay --blocker 1 --with Both',
  'feedback small Better',
  'tell small Hello --keep',
  'verify done',
  'update cart',
  'completions bash',
  'complete sh',
];
/** What is held against its schema where the real client or a server is started, or git does much. */
const ELSEWHERE = [
  // test/e2e/fleet-commands.test.ts
  ...[
    'agent',
    'fleet drain',
    'fleet init',
    'fleet list',
    'fleet pause',
    'fleet remove',
    'fleet resume',
  ],
  ...['gate', 'plan', 'rehearse', 'doctor', 'demo', 'dashboard', 'trust', 'pause', 'continue'],
  // test/runs/recovery/commands.test.ts
  ...['recover', 'trash list', 'trash show', 'trash restore', 'trash empty'],
  ...['reset', 'rename', 'delete', 'clean'],
  // test/runs/review/follow-ups.test.ts
  ...['drafts list', 'drafts show', 'drafts accept', 'drafts drop'],
  // test/e2e/plan/diff.test.ts, test/runs/review/land.test.ts
  ...['diff', 'land'],
  // test/e2e/plan/import-export.test.ts
  ...['import', 'export'],
];

const WITH_ANOTHER_CODE = new Map([
  ['check', 1],
  ['check --plan', 1],
  ['worker pay --checked', 3],
  ['verify done', 3],
  ['task pop --list l', undefined],
]);

test.each([
  ['of the plan', PLAN],
  ['of tasks', TASKS],
  ['that run stories', RUNS],
])(
  'commands %s print what they declare, and no other key',
  async (_, calls) => {
    using project = createSampleProject();
    if (calls === RUNS) await project.saga(['create', '--title', 'Small', '--task', 'One']);
    for (const call of calls) {
      const { code, stdout, stderr } = await project.saga([...call.split(' '), '--json']);
      const expected = WITH_ANOTHER_CODE.has(call) ? WITH_ANOTHER_CODE.get(call) : 0;
      if (expected !== undefined) expect(code, `saga ${call}: ${stdout}${stderr}`).toBe(expected);
      await expectJson(await nameOf(call), stdout);
    }
  },
  600_000,
);

test('saga model says its address, and serves until it is interrupted', async () => {
  const child = spawn(process.execPath, [SAGA, 'model', '--json'], { env: PLAIN_ENVIRONMENT });
  const closed = once(child, 'close');
  const [printed] = await once(child.stdout.setEncoding('utf8'), 'data');
  child.kill('SIGINT');
  expect((await closed)[0]).toBe(0);
  await expectJson('model', printed);
});

test('every command declares what it prints, and is held to it', async () => {
  const calls = [...PLAN, ...TASKS, ...RUNS, 'model'];
  const called = new Set(await Promise.all(calls.map(nameOf)));
  const commands = await listCommands();
  const silent = commands.filter(({ command }) => typeof command.stream === 'object');
  expect(silent.map(({ name }) => name).toSorted()).toEqual(['attach', 'schema', 'watch']);
  const unheld = commands
    .filter((it) => !silent.includes(it) && !called.has(it.name))
    .map(({ name }) => name);
  expect(unheld.toSorted()).toEqual(ELSEWHERE.toSorted());
  expect(commands.filter(({ command }) => !command.output && !command.stream)).toEqual([]);
});

test('every command tells its errors in one form', async () => {
  using project = createSampleProject();
  const calls = (await listCommands()).map(({ name }) => `${name} --no-such-option`);
  const more = [
    'nothing',
    'show nothing',
    'status nothing',
    'logs nothing',
    'stop nothing',
    'verify cart',
    'resolve cart --with x',
    'task show 9 --list l',
    'task claim one --story nothing',
    'archive cart',
    'config worker.modle',
    'create --file nowhere.json',
    'create --title Cart --id cart',
    'schema nothing',
    'list --project /nowhere',
  ];
  for (const call of [...calls, ...more]) {
    const { code, stdout } = await project.saga([...call.split(' '), '--json']);
    expect(code, call).toBe(1);
    expectErrorJson(stdout, `saga ${call}`);
  }
});

async function nameOf(call: string): Promise<string> {
  const [word, verb] = call.split(' ');
  return word === 'task' ? `task ${verb}` : String(word);
}
