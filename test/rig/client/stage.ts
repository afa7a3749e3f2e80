import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Fault,
  type Model,
  parseScript,
  startModel,
  type Turn,
  type Usage,
} from '@saga-ai/model';
import { openPlanFiles } from '../project/plan-files.ts';
import { createHome, initRepository, openGit } from '../project/repository.ts';
import { createTempFolder } from '../project/temp-folder.ts';
import { type Client, findClient } from './client.ts';
import { buildClientEnvironment } from './client-environment.ts';
import { type ClientRun, type RunningClient, startClient } from './client-run.ts';
import { writeNativeTask } from './native-task.ts';

/** The Task tools as a worker asks for them. */
export const TASKS_ON = {
  CLAUDE_CODE_ENABLE_TASKS: 'true',
  CLAUDE_CODE_ENABLE_TODO_TOOLS: '1',
  ENABLE_TOOL_SEARCH: 'false',
};

export const TOOLS = 'Bash,Read,Write,Edit,NotebookEdit,TaskList,TaskGet,TaskUpdate,TaskCreate';

export interface RunRequest {
  turns: readonly Turn[];
  /** Arguments that are added to those of a worker: -p, stream-json, guarded permissions. */
  args?: string[];
  /** Arguments in place of those of a worker. */
  bareArgs?: string[];
  env?: Record<string, string>;
  prompt?: string;
  settings?: object;
  /** True for a conversation: the prompt is its first message, and more can be sent until it is closed. */
  isOpen?: boolean;
  /** True to leave out `--tools` and the variables of the Task tools. */
  plain?: boolean;
  usage?: Usage;
  fault?: Fault;
}

export interface StagedRun extends ClientRun {
  model: Model;
}

/**
 * A machine of its own for the real client: a home, a repository and a task list that nobody else uses, and a scripted
 * model for each run. Everything is removed when the test ends.
 */
export interface Stage extends AsyncDisposable {
  client: Client;
  home: string;
  repo: string;
  /** `<config>/tasks/<list>`. */
  tasks: string;
  listId: string;
  run(request: RunRequest): Promise<StagedRun>;
  start(request: RunRequest): Promise<RunningClient & { model: Model }>;
  /** Runs any other client command, such as `plugin validate`. */
  command(args: string[], env?: Record<string, string>): Promise<ClientRun>;
  /** Writes below the repository. */
  write(path: string, content: string): string;
  writeTask(id: string, fields?: object): void;
  readTask(id: string): Record<string, unknown>;
  taskFiles(): string[];
  environment(model?: Model): Record<string, string>;
}

export async function createStage(): Promise<Stage> {
  const client = findClient();
  const folder = createTempFolder();
  const home = join(folder.path, 'home');
  const repo = join(folder.path, 'repo');
  const listId = 'saga__stage__1';
  const tasks = join(home, '.claude', 'tasks', listId);
  const temp = join(folder.path, 'temp');
  mkdirSync(tasks, { recursive: true });
  mkdirSync(temp);
  createHome(home);
  initRepository(openGit(buildClientEnvironment({ home, temp })), repo);
  const running: RunningClient[] = [];
  const models: Model[] = [];

  const environment = (model?: Model): Record<string, string> =>
    buildClientEnvironment({ home, temp, modelUrl: model?.url });

  const start = async (request: RunRequest) => {
    const { turns, args = [], env = {}, prompt = 'Go.', settings, plain, usage, fault } = request;
    const script = parseScript('stage', { turns });
    const model = await startModel({ script, usage });
    models.push(model);
    if (fault) model.failNext(fault);
    const list = plain ? {} : { ...TASKS_ON, CLAUDE_CODE_TASK_LIST_ID: listId };
    const client_ = startClient(client, {
      args: [
        ...(request.bareArgs ?? workerArgs(plain === true)),
        ...(request.isOpen ? OPEN : []),
        ...(settings ? ['--settings', JSON.stringify(settings)] : []),
        ...args,
      ],
      cwd: repo,
      env: { ...environment(model), ...list, ...env },
      prompt,
      isOpen: request.isOpen === true,
    });
    running.push(client_);
    return { ...client_, model };
  };

  return {
    client,
    home,
    repo,
    tasks,
    listId,
    environment,
    start,
    async run(request) {
      const { ended, model } = await start(request);
      const run = await ended;
      model.check();
      return { ...run, model };
    },
    async command(args, env = {}) {
      const started = startClient(client, {
        args,
        cwd: repo,
        env: { ...environment(), ...env },
        prompt: '',
      });
      running.push(started);
      return started.ended;
    },
    write: openPlanFiles(repo).write,
    writeTask: (id, fields) => writeNativeTask(tasks, id, fields),
    readTask: (id) => JSON.parse(readFileSync(join(tasks, `${id}.json`), 'utf8')),
    taskFiles: () => readdirSync(tasks).toSorted(),
    async [Symbol.asyncDispose]() {
      await Promise.all(running.map(stopClient));
      await Promise.all(models.map((model) => model.close()));
      folder[Symbol.dispose]();
    },
  };
}

const OPEN = ['--input-format', 'stream-json', '--replay-user-messages'];

function workerArgs(plain: boolean): string[] {
  return [
    '-p',
    '--output-format',
    'stream-json',
    '--verbose',
    '--permission-mode',
    'acceptEdits',
    '--allowedTools',
    'Bash',
    '--strict-mcp-config',
    '--setting-sources',
    'project',
    ...(plain ? [] : ['--tools', TOOLS]),
  ];
}

/**
 * Asks the client to end before it is killed. A client that is asked ends the children of its tools. A client that is
 * killed leaves them, in process sessions that a signal to its group does not reach.
 */
async function stopClient({ child, ended }: RunningClient): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  const giveUp = setTimeout(() => child.kill('SIGKILL'), 30_000);
  await ended.catch(() => undefined);
  clearTimeout(giveUp);
}
