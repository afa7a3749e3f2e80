import { execFileSync } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { claude } from '@saga-ai/core/agents/claude/agent';
import { chooseBaseBranch, readBaseRule } from '@saga-ai/core/overview/facts/choose-base-branch';
import type { Worker } from '@saga-ai/core/worker/context';
import { Config } from '@saga-ai/types/config';
import type { EventType, RunEvent } from '@saga-ai/types/run/event';
import { NO_LIFELINE } from '../programs/no-lifeline.ts';
import { OWN_PROJECT } from '../programs/run-program.ts';
import { openPlanFiles, type PlanFiles, writeStart } from './plan-files.ts';
import { copyPrepared } from './prepared.ts';
import {
  addOrigin,
  commitAll,
  createHome,
  type Git,
  initRepository,
  openGit,
} from './repository.ts';
import { createTempFolder } from './temp-folder.ts';

/** A project with a bare origin, and workers for it that never start a client. */
export interface Project extends PlanFiles, Disposable {
  /** The temporary folder that contains everything. */
  folder: string;
  /** Where worktrees of its stories are made. */
  worktrees: string;
  origin: string;
  home: string;
  env: Record<string, string>;
  /** The events of all workers so far. */
  events: RunEvent[];
  git(...args: string[]): string;
  /** Runs git in any folder. */
  gitIn(cwd: string, ...args: string[]): string;
  worker(config?: object, more?: Partial<Worker>): Worker;
  /** Returns the events of one type, in order. */
  said<T extends EventType>(type: T): RunEvent<T>[];
}

export interface ProjectOptions {
  /** The name of the project's folder, below the temporary folder. */
  name?: string;
  branch?: string;
  /** The name of the remote. Null means that there is none. */
  remote?: string | null;
  /** The tasks of a story that a test writes without tasks. */
  tasks?: readonly string[];
  /** Called in place of `git init`. */
  init?: (project: Pick<Project, 'root' | 'folder' | 'gitIn'>) => void;
}

export function createProject(options: ProjectOptions = {}): Project {
  const { name = 'project', branch = 'main', remote = 'origin', tasks = ['one', 'two'] } = options;
  const temp = createTempFolder();
  const folder = temp.path;
  const root = join(folder, name);
  const origin = join(folder, 'origin.git');
  const home = join(folder, 'home');
  createHome(home);
  const env = { PATH: process.env.PATH ?? '', HOME: home, LANG: 'C.UTF-8', ...OWN_PROJECT };
  const gitIn = openGit(env);
  const events: RunEvent[] = [];
  const files = openPlanFiles(root, tasks);
  const { init } = options;
  if (init) begin(files, gitIn, { origin, branch, remote }, () => init({ root, folder, gitIn }));
  else {
    copyPrepared({ branch, remote }, join(folder, 'prepared'), (place) => {
      const there = { origin: join(place, 'origin.git'), branch, remote };
      const prepared = openPlanFiles(join(place, 'project'), tasks);
      begin(prepared, gitIn, there, () => initRepository(gitIn, prepared.root, branch));
    });
    for (const [from, to] of [
      ['project', root],
      ['origin.git', origin],
    ] as const) {
      const prepared = join(folder, 'prepared', from);
      if (existsSync(prepared)) renameSync(prepared, to);
    }
    rmSync(join(folder, 'prepared'), { recursive: true });
    if (remote !== null) gitIn(root, 'remote', 'set-url', remote, origin);
    // Git knows a copied file only by what is in it.
    gitIn(root, 'update-index', '-q', '--refresh');
  }
  return {
    ...files,
    folder,
    worktrees: `${root}.stories`,
    origin,
    home,
    env,
    events,
    git: (...args) => gitIn(root, ...args),
    gitIn,
    worker: (config = {}, more = {}) => ({
      paths: files.paths,
      storyId: 'x',
      config: Config.parse(config),
      base: chooseBaseBranch(readBaseRule(Config.parse(config)), [], () => false),
      env,
      agent: claude,
      agentHome: { config: join(home, '.claude') },
      session: 'saga-story-x-1',
      timestamp: 1,
      deadline: Date.now() + 600_000,
      stop: new AbortController().signal,
      anyway: false,
      isRoot: false,
      emit: (type, fields) => void events.push({ time: '', type, ...fields } as RunEvent),
      lifeline: NO_LIFELINE,
      network: {
        ends: { asking: new AbortController().signal, delivering: new AbortController().signal },
        lifeline: NO_LIFELINE,
      },
      ...more,
    }),
    said: <T extends EventType>(type: T) =>
      events.filter((event): event is RunEvent<T> => event.type === type),
    [Symbol.dispose]: () => temp[Symbol.dispose](),
  };
}

/** The first commit of a project, and its remote. */
function begin(
  files: PlanFiles,
  git: Git,
  { remote, ...at }: { origin: string; branch: string; remote: string | null },
  init: () => void,
): void {
  init();
  writeStart(files);
  files.write('README.md', '# Widgets\n');
  commitAll(git, files.root, 'First');
  if (remote !== null) addOrigin(git, files.root, { ...at, remote });
}

/**
 * Gives a worker so many milliseconds from the moment when it first reads its deadline, which is when it starts a
 * command. So the time that git took before does not matter.
 */
export function limitLate(worker: Worker, ms: number): Worker {
  let deadline: number | undefined;
  return Object.defineProperty(worker, 'deadline', {
    get: () => {
      deadline ??= Date.now() + ms;
      return deadline;
    },
  });
}

/**
 * Returns every file below a folder with its text and mode, including git's own files. A test compares this with a
 * later state.
 */
export function readWhole(folder: string): string {
  const script =
    'find . -printf "%p %y %m %l\\n" | sort; find . -type f | sort | xargs -d "\\n" sha256sum';
  return existsSync(folder)
    ? execFileSync('sh', ['-c', script], { cwd: folder, encoding: 'utf8' })
    : '';
}
