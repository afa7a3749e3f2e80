import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { claude } from '@saga-ai/core/agents/claude/agent';
import type { Environment } from '@saga-ai/core/processes/run';
import { buildPaths, type Paths } from '@saga-ai/core/project/paths';
import type { Worker } from '@saga-ai/core/worker/context';
import { Config } from '@saga-ai/types/config';
import type { EventType, RunEvent } from '@saga-ai/types/run/event';
import { NO_LIFELINE } from '../programs/no-lifeline.ts';
import { createTempFolder } from './temp-folder.ts';

/** A project with a bare origin, and workers for it that never start a client. */
export interface Project extends Disposable {
  folder: string;
  root: string;
  /** Where worktrees of its stories are made. */
  worktrees: string;
  paths: Paths;
  origin: string;
  env: Record<string, string>;
  /** What workers have said so far. */
  events: RunEvent[];
  git(...args: string[]): string;
  /** In any folder. */
  gitIn(cwd: string, ...args: string[]): string;
  write(path: string, content: unknown): void;
  read(path: string): string;
  story(id: string, fields?: object, tasks?: Record<string, object>): void;
  worker(config?: object, more?: Partial<Worker>): Worker;
  /** Values of one kind of event, in order. */
  said<T extends EventType>(type: T): RunEvent<T>[];
}

export interface ProjectOptions {
  /** Below the temp folder. */
  name?: string;
  branch?: string;
  remote?: string | null;
  env?: Environment;
  /** Instead of `git init`. */
  init?: (project: Pick<Project, 'root' | 'folder' | 'gitIn'>) => void;
}

export function createProject(options: ProjectOptions = {}): Project {
  const { name = 'project', branch = 'main', remote = 'origin' } = options;
  const temp = createTempFolder();
  const folder = temp.path;
  const root = join(folder, name);
  const origin = join(folder, 'origin.git');
  const home = join(folder, 'home');
  mkdirSync(home);
  writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = W\n\temail = w@example.org\n');
  const env = { PATH: process.env.PATH ?? '', HOME: home, LANG: 'C.UTF-8' };
  const gitIn = (cwd: string, ...args: string[]) =>
    execFileSync('git', args, { cwd, env, encoding: 'utf8', stdio: 'pipe' });
  const git = (...args: string[]) => gitIn(root, ...args);
  const events: RunEvent[] = [];
  const write = (path: string, content: unknown) => {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    const text = typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`;
    writeFileSync(file, text);
  };
  if (options.init) options.init({ root, folder, gitIn });
  else gitIn(folder, 'init', '-q', '-b', branch, name);
  write('.saga/.gitignore', '/worktrees/\n/runs/\n/cache/\n.*.tmp\n');
  write('.saga/config.json', {});
  write('README.md', '# Widgets\n');
  git('add', '-A');
  git('commit', '-q', '-m', 'First');
  if (remote !== null) {
    gitIn(folder, 'init', '-q', '--bare', '-b', branch, origin);
    git('remote', 'add', remote, origin);
    git('push', '-q', '-u', remote, `HEAD:refs/heads/${branch}`);
    git('remote', 'set-head', remote, branch);
  }
  const paths = buildPaths(root);
  return {
    folder,
    root,
    worktrees: `${root}.stories`,
    paths,
    origin,
    env,
    events,
    git,
    gitIn,
    write,
    read: (path) => readFileSync(join(root, path), 'utf8'),
    story(id, fields = {}, tasks = { one: {}, two: {} }) {
      const story = { id, title: `Story ${id}`, description: `About ${id}.`, ...fields };
      write(`.saga/stories/${id}/story.json`, story);
      for (const [taskId, more] of Object.entries(tasks)) {
        const task = { id: taskId, subject: `Do ${taskId}`, description: `All of ${taskId}.` };
        const state = { status: 'pending', blockedBy: [] };
        write(`.saga/stories/${id}/${taskId}.json`, { ...task, ...state, ...more });
      }
    },
    worker: (config = {}, more = {}) => ({
      paths,
      storyId: 'x',
      config: Config.parse(config),
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

/**
 * Gives a worker so many milliseconds from the moment it first asks for its deadline, that is when it
 * starts a command: how long git took until then does not matter.
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

/** Every file below a folder with its text and mode, git's own included: what must stay as it was. */
export function readWhole(folder: string): string {
  const script =
    'find . -printf "%p %y %m %l\\n" | sort; find . -type f | sort | xargs -d "\\n" sha256sum';
  return existsSync(folder)
    ? execFileSync('sh', ['-c', script], { cwd: folder, encoding: 'utf8' })
    : '';
}
