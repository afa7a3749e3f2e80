import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findClient } from '../../../test/rig/client/client.ts';
import { buildClientEnvironment } from '../../../test/rig/client/client-environment.ts';
import { writeNativeTask } from '../../../test/rig/client/native-task.ts';
import { createHome, initRepository, openGit } from '../../../test/rig/project/repository.ts';
import { loadScript, type Model, startModel, walkTasks } from './index.ts';

const LIST = 'saga__walk__1';
/** A test waits for real programs on whatever machine it is. */
let root: string;
const clients: ChildProcess[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'saga-model-client-'));
});
afterEach(() => {
  for (const client of clients.splice(0)) client.kill('SIGKILL');
  rmSync(root, { recursive: true, maxRetries: 3 });
});

/** A machine of its own: a home with a task list, and a repository. */
function createPlace(name: string, tasks: Readonly<Record<string, string[]>>) {
  const place = {
    home: join(root, name),
    repo: join(root, name, 'repo'),
    list: join(root, name, '.claude', 'tasks', LIST),
  };
  createHome(place.home);
  mkdirSync(place.list, { recursive: true });
  for (const [id, blockedBy] of Object.entries(tasks))
    writeNativeTask(place.list, id, { blockedBy });
  initRepository(openGit(environmentOf(place)), place.repo);
  return place;
}

type Place = ReturnType<typeof createPlace>;

function environmentOf({ home }: { home: string }, model?: Model) {
  return buildClientEnvironment({ home, temp: root, modelUrl: model?.url });
}

async function runClient(model: Model, place: Place, args: string[], more = {}) {
  const { program, lead } = findClient();
  const client = spawn(
    program,
    [...lead, '-p', '--output-format', 'stream-json', '--verbose', '--setting-sources', 'project']
      .concat(['--strict-mcp-config', '--permission-mode', 'acceptEdits', '--allowedTools', 'Bash'])
      .concat(args),
    {
      cwd: place.repo,
      stdio: ['pipe', 'pipe', 'inherit'],
      env: {
        ...environmentOf(place, model),
        CLAUDE_CODE_ENABLE_TASKS: 'true',
        CLAUDE_CODE_ENABLE_TODO_TOOLS: '1',
        CLAUDE_CODE_TASK_LIST_ID: LIST,
        ...more,
      },
    },
  );
  clients.push(client);
  client.stdin.end('Work through the task list. The journal is `journal.md`.');
  const lines = (await readText(client.stdout)).trimEnd().split('\n');
  return JSON.parse(lines.at(-1) ?? '');
}

function readStatuses({ list }: Place): Record<string, string> {
  const files = readdirSync(list).filter((file) => file.endsWith('.json'));
  const tasks = files.map((file) => JSON.parse(readFileSync(join(list, file), 'utf8')));
  return Object.fromEntries(tasks.map((task) => [task.id, task.status]));
}

function git(place: Place, ...args: string[]): string {
  return openGit(environmentOf(place))(place.repo, ...args);
}

test('walk-tasks takes two sessions at once through their tasks, tools direct and deferred', async () => {
  const tasks = { plan: [], build: ['plan'], ship: ['plan', 'build'] };
  const rehearsals = {
    plan: { write: { 'plan.md': '# Plan\n' }, commit: "plan: it's all there" },
    build: {
      run: ['mkdir -p out && echo "$PWD" > out/where.txt'],
      journal: { kind: 'Decision' as const, title: 'Build with make', body: 'Because.' },
      commit: 'build: done',
    },
  };
  await using model = await startModel({ policy: walkTasks({ rehearsals }) });
  const direct = createPlace('direct', tasks);
  const deferred = createPlace('deferred', tasks);
  const results = await Promise.all([
    runClient(model, direct, ['--tools', 'Bash,Read,Write,TaskList,TaskGet,TaskUpdate'], {
      ENABLE_TOOL_SEARCH: 'false',
    }),
    runClient(model, deferred, []),
  ]);

  model.check();
  for (const result of results) {
    expect(result).toMatchObject({ is_error: false, result: 'All tasks are completed (3).' });
    expect(result.total_cost_usd).toBe(0);
  }
  for (const place of [direct, deferred]) {
    expect(readStatuses(place)).toEqual({
      plan: 'completed',
      build: 'completed',
      ship: 'completed',
    });
    expect(git(place, 'log', '--reverse', '--format=%s').trim().split('\n')).toEqual([
      "plan: it's all there",
      'build: done',
      'ship: Do ship',
    ]);
    expect(git(place, 'status', '--short')).toBe('');
    expect(git(place, 'ls-files').trim().split('\n')).toEqual([
      'journal.md',
      'out/where.txt',
      'plan.md',
      'rehearsed/ship.md',
    ]);
    expect(readFileSync(join(place.repo, 'journal.md'), 'utf8')).toContain(
      'Decision: Build with make',
    );
    expect(findSearches(model, place)).toEqual(
      place === deferred ? ['select:TaskList,TaskGet,TaskUpdate'] : [],
    );
  }
});

function findSearches({ requests }: Model, { repo }: Place): unknown[] {
  const last = requests.findLast(({ conversation }) => conversation.cwd === repo);
  const calls = last?.conversation.calls.filter((call) => call.tool === 'ToolSearch') ?? [];
  return calls.map((call) => call.input.query);
}

test('a script drives the client over a fault, at a given cost', async () => {
  const script = loadScript(join(import.meta.dirname, 'real-client.retry.script.json'));
  await using model = await startModel({ script });
  const result = await runClient(model, createPlace('retry', {}), []);
  model.check();
  expect(result).toMatchObject({ is_error: false, result: 'Done.', total_cost_usd: 0.25 });
  expect(model.requests.map((request) => request.kind)).toEqual(['turn', 'turn', 'turn']);
  expect(model.requests.at(-1)?.conversation.calls).toMatchObject([
    { tool: 'Bash', result: { text: 'seen', isError: false } },
  ]);
});
