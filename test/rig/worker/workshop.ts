import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Model, type ModelOptions, startModel, walkTasks } from '@saga-ai/model';
import type { Rehearsal } from '@saga-ai/types/plan/task';
import type { RunEvent } from '@saga-ai/types/run/event';
import { writeClient } from '../client/client.ts';
import { buildClientEnvironment } from '../client/client-environment.ts';
import { GITHUB_URL, type GitHub, startGitHub } from '../github/github.ts';
import {
  type Ended,
  OWN_PROJECT,
  type ProgramOptions,
  runProgram,
  SAGA,
} from '../programs/run-program.ts';
import type { PlanFiles } from '../project/plan-files.ts';
import { createProject } from '../project/project.ts';
import { requireEvent } from './require-event.ts';

/**
 * Everything a worker needs: a repository with a bare origin and a `.saga`, the client on PATH with a home of its own,
 * gh, git and a place for output files. Only the model and GitHub are not real.
 */
export interface Workshop extends PlanFiles, AsyncDisposable {
  /** Where worktrees of its stories are made. */
  worktrees: string;
  origin: string;
  home: string;
  model: Model;
  github: GitHub;
  environment: Record<string, string>;
  saga(args: string[], options?: ProgramOptions): Promise<Ended>;
  git(...args: string[]): string;
  /** Reads a file of a story's live copy. */
  readStory(id: string, file: string): string;
  /** Returns the status of each task in the pushed branch. */
  pushedStatuses(id: string): Record<string, string>;
  /** The events of the newest output file. */
  events(): RunEvent[];
  outputFiles(): string[];
}

export interface WorkshopOptions {
  defaultBranch?: string;
  /** False to make no remote. */
  remote?: boolean;
  model?: ModelOptions;
  /** What the model does for each task. For a task that is missing here, it writes a small file and commits it. */
  rehearsals?: Record<string, Rehearsal>;
}

/** Raises the client's limit of two minutes, because a command that waits for the test takes longer. */
const NO_TOOL_LIMIT = { BASH_DEFAULT_TIMEOUT_MS: '1800000', BASH_MAX_TIMEOUT_MS: '1800000' };

export async function createWorkshop(options: WorkshopOptions = {}): Promise<Workshop> {
  const { defaultBranch = 'main', remote = true, rehearsals = {} } = options;
  const project = createProject({
    branch: defaultBranch,
    remote: remote ? 'origin' : null,
    tasks: ['one', 'two', 'three'],
  });
  const { folder, worktrees, origin, home, git, gitIn } = project;
  const { root, paths, write, read, story, epic } = project;
  if (remote) git('remote', 'add', 'github', GITHUB_URL);
  const temp = join(folder, 'temp');
  const bin = join(folder, 'bin');
  const sessions = join(folder, 'sessions');
  for (const path of [temp, bin]) mkdirSync(path);
  // Some machines forbid a sandbox, and a test must end the same everywhere. Tests of the sandbox ask for one.
  mkdirSync(join(home, '.config/saga'), { recursive: true });
  writeFileSync(join(home, '.config/saga/config.json'), '{ "worker": { "sandbox": "off" } }\n');
  writeClient(join(bin, 'claude'));
  const model = await startModel(options.model ?? { policy: walkTasks({ rehearsals }) });
  const github = await startGitHub({ origin, defaultBranch });
  const environment = {
    ...buildClientEnvironment({
      home,
      temp,
      path: `${bin}:${process.env.PATH ?? ''}`,
      modelUrl: model.url,
    }),
    ...OWN_PROJECT,
    SAGA_SESSION_DIR: sessions,
    ...NO_TOOL_LIMIT,
    ...github.environment,
  };
  const outputFiles = () =>
    existsSync(sessions)
      ? readdirSync(sessions)
          .filter((name) => name.endsWith('.jsonl'))
          .sort()
          .map((name) => join(sessions, name))
      : [];
  return {
    root,
    paths,
    write,
    read,
    story,
    epic,
    worktrees,
    origin,
    home,
    model,
    github,
    environment,
    git,
    outputFiles,
    saga: (args, { env, ...more } = {}) =>
      runProgram(SAGA, args, { cwd: root, env: { ...environment, ...env }, ...more }),
    readStory: (id, file) => readFileSync(join(worktrees, id, '.saga/stories', id, file), 'utf8'),
    pushedStatuses(id) {
      const folder = `.saga/stories/${id}/`;
      const inOrigin = (...args: string[]) => gitIn(origin, ...args);
      const names = inOrigin('ls-tree', '--name-only', `story/${id}`, folder).trim().split('\n');
      const tasks = names.filter((it) => /\.json$/.test(it) && !/(story|evidence)\.json$/.test(it));
      return Object.fromEntries(
        tasks.map((path) => {
          const { id: taskId, status } = JSON.parse(inOrigin('show', `story/${id}:${path}`));
          return [taskId, status];
        }),
      );
    },
    events() {
      const file = outputFiles().at(-1);
      if (file === undefined) return [];
      // The file may be new, or its last line may be incomplete.
      const whole = readFileSync(file, 'utf8').split('\n').slice(0, -1);
      return whole.map(requireEvent);
    },
    async [Symbol.asyncDispose]() {
      await model.close();
      await github[Symbol.asyncDispose]();
      project[Symbol.dispose]();
    },
  };
}
