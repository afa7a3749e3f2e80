import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { buildPaths, type Paths } from '@saga-ai/core/project/paths';
import { type Model, type ModelOptions, startModel, walkTasks } from '@saga-ai/model';
import type { Rehearsal } from '@saga-ai/types/plan/task';
import type { RunEvent } from '@saga-ai/types/run/event';
import { findClient } from '../client/client.ts';
import { GITHUB_URL, type GitHub, startGitHub } from '../github/github.ts';
import { type Ended, type RunOptions, runProgram, SAGA } from '../programs/run-program.ts';
import { createTempFolder } from '../project/temp-folder.ts';
import { requireEvent } from './require-event.ts';

/**
 * All a worker needs, real but for the model and GitHub: a repository with a bare origin and a
 * `.saga`, the client on PATH with a home of its own, gh, git and a place for output files.
 */
export interface Workshop extends AsyncDisposable {
  root: string;
  /** Where worktrees of its stories are made. */
  worktrees: string;
  paths: Paths;
  origin: string;
  home: string;
  model: Model;
  github: GitHub;
  environment: Record<string, string>;
  saga(args: string[], options?: RunOptions): Promise<Ended>;
  git(...args: string[]): string;
  /** Writes below the project: text as it is, anything else as JSON. */
  write(path: string, content: unknown): void;
  story(id: string, fields?: object, tasks?: Record<string, object>): void;
  /** Of a story's live copy. */
  readStory(id: string, file: string): string;
  /** Status of each task in the branch as it was pushed. */
  pushedStatuses(id: string): Record<string, string>;
  /** The events of the newest output file. */
  events(): RunEvent[];
  outputFiles(): string[];
}

export interface WorkshopOptions {
  defaultBranch?: string;
  /** Without it there is no remote at all. */
  remote?: boolean;
  model?: ModelOptions;
  /** What the model does for a task; a small file and a commit if nothing is said. */
  rehearsals?: Record<string, Rehearsal>;
}

export async function createWorkshop(options: WorkshopOptions = {}): Promise<Workshop> {
  const { defaultBranch = 'main', remote = true, rehearsals = {} } = options;
  const folder = createTempFolder();
  const root = join(folder.path, 'project');
  const origin = join(folder.path, 'origin.git');
  const home = join(folder.path, 'home');
  const temp = join(folder.path, 'temp');
  const bin = join(folder.path, 'bin');
  const sessions = join(folder.path, 'sessions');
  for (const path of [home, temp, bin]) mkdirSync(path);
  writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = W\n\temail = w@example.org\n');
  writeClient(join(bin, 'claude'));
  const model = await startModel(options.model ?? { policy: walkTasks({ rehearsals }) });
  const github = await startGitHub({ origin, defaultBranch });
  const environment = {
    PATH: `${bin}:${process.env.PATH ?? ''}`,
    HOME: home,
    TMPDIR: temp,
    CLAUDE_CODE_TMPDIR: temp,
    TERM: 'dumb',
    LANG: 'C.UTF-8',
    SAGA_SESSION_DIR: sessions,
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'dummy',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    ...github.environment,
  };
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, env: environment, encoding: 'utf8', stdio: 'pipe' });
  const write = (path: string, content: unknown) => {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    const text = typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`;
    writeFileSync(file, text);
  };
  mkdirSync(root);
  git('init', '-q', '-b', defaultBranch);
  write('.saga/.gitignore', '/worktrees/\n/runs/\n/cache/\n.*.tmp\n');
  write('.saga/config.json', {});
  write('README.md', '# Widgets\n');
  git('add', '-A');
  git('commit', '-q', '-m', 'First');
  if (remote) {
    execFileSync('git', ['init', '-q', '--bare', '-b', defaultBranch, origin]);
    git('remote', 'add', 'origin', origin);
    git('remote', 'add', 'github', GITHUB_URL);
    git('push', '-q', 'origin', defaultBranch);
    git('remote', 'set-head', 'origin', defaultBranch);
  }
  const paths = buildPaths(root);
  const outputFiles = () =>
    existsSync(sessions)
      ? readdirSync(sessions)
          .filter((name) => name.endsWith('.jsonl'))
          .sort()
          .map((name) => join(sessions, name))
      : [];
  return {
    root,
    worktrees: `${root}.stories`,
    paths,
    origin,
    home,
    model,
    github,
    environment,
    git,
    write,
    outputFiles,
    saga: (args, { env, ...more } = {}) =>
      runProgram(SAGA, args, { cwd: root, env: { ...environment, ...env }, ...more }),
    story(id, fields = {}, tasks = { one: {}, two: {}, three: {} }) {
      const story = { id, title: `Story ${id}`, description: `About ${id}.`, ...fields };
      write(`.saga/stories/${id}/story.json`, story);
      for (const [taskId, more] of Object.entries(tasks)) {
        const task = { id: taskId, subject: `Do ${taskId}`, description: `All of ${taskId}.` };
        const state = { status: 'pending', blockedBy: [] };
        write(`.saga/stories/${id}/${taskId}.json`, { ...task, ...state, ...more });
      }
    },
    readStory: (id, file) =>
      readFileSync(join(`${root}.stories`, id, '.saga/stories', id, file), 'utf8'),
    pushedStatuses(id) {
      const folder = `.saga/stories/${id}/`;
      const inOrigin = (...args: string[]) =>
        execFileSync('git', ['-C', origin, ...args], { encoding: 'utf8' });
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
      const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
      return lines.map(requireEvent);
    },
    async [Symbol.asyncDispose]() {
      await model.close();
      await github[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

/** As `npm install -g` would put it on PATH; old versions are a script for Node. */
export function writeClient(path: string): void {
  const { program, lead } = findClient();
  if (lead.length === 0) {
    symlinkSync(program, path);
    return;
  }
  const words = [program, ...lead].map((word) => `'${word}'`).join(' ');
  writeFileSync(path, `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
}
