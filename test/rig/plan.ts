import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildPaths, type Paths } from '@saga-ai/core/project/paths';
import type { Evidence } from '@saga-ai/types/run/evidence';
import { createTempFolder } from './temp-folder.ts';

/** For git: nothing of the person's settings. */
export const PLAN_ENV = {
  PATH: process.env.PATH,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
};

/** As a gate writes it that passed, or did not. */
export function createEvidence(story: string, fields: Partial<Evidence> = {}): Evidence {
  const at = '2026-01-01T00:00:00.000Z';
  return {
    version: 1,
    story,
    outcome: 'passed',
    base: '0'.repeat(40),
    head: '1'.repeat(40),
    tree: '2'.repeat(40),
    startedAt: at,
    endedAt: at,
    checks: [{ name: 'tasks', outcome: 'passed', detail: 'all tasks are completed' }],
    verify: {
      command: 'npm test',
      exitCode: 0,
      startedAt: at,
      endedAt: at,
      outputSha256: '3'.repeat(64),
      outputEnd: '',
    },
    restored: [],
    ...fields,
  };
}

/** A git repository with a `.saga`, and short ways to put files there. */
export interface Plan extends Disposable {
  paths: Paths;
  root: string;
  /** Writes a file below the project: text as it is, anything else as JSON. */
  write(path: string, content: unknown): void;
  /** A story with its tasks; fields that are not given are filled in. */
  story(id: string, fields?: object, tasks?: Record<string, object>): void;
  /** Completes all tasks of a story and commits it with evidence that its gate passed. */
  done(id: string): void;
  epic(id: string, children: Record<string, string[]>, fields?: object): void;
}

export function createPlan(): Plan {
  const folder = createTempFolder();
  const root = folder.path;
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, env: PLAN_ENV, encoding: 'utf8' }).trim();
  git('init', '-q', '-b', 'main');
  mkdirSync(join(root, '.saga'));
  const write = (path: string, content: unknown) => {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    const text = typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`;
    writeFileSync(file, text);
  };
  return {
    paths: buildPaths(root),
    root,
    write,
    story(id, fields = {}, tasks = { work: {} }) {
      const story = { id, title: `Story ${id}`, description: `About ${id}.`, ...fields };
      write(`.saga/stories/${id}/story.json`, story);
      for (const [taskId, more] of Object.entries(tasks)) {
        const task = { id: taskId, subject: `Do ${taskId}`, description: 'All of it.' };
        const state = { status: 'pending', blockedBy: [] };
        write(`.saga/stories/${id}/${taskId}.json`, { ...task, ...state, ...more });
      }
    },
    done(id) {
      const home = join(root, '.saga/stories', id);
      for (const name of readdirSync(home)) {
        if (!name.endsWith('.json') || ['story.json', 'evidence.json'].includes(name)) continue;
        const task = JSON.parse(readFileSync(join(home, name), 'utf8'));
        write(`.saga/stories/${id}/${name}`, { ...task, status: 'completed' });
      }
      write(`.saga/stories/${id}/evidence.json`, createEvidence(id));
      git('add', '-f', `.saga/stories/${id}`);
      git('commit', '-q', '-m', `Merge ${id}`, '--', `.saga/stories/${id}`);
    },
    epic(id, children, fields = {}) {
      const list = Object.entries(children).map(([child, blockedBy]) => ({ id: child, blockedBy }));
      const epic = { id, title: `Epic ${id}`, description: `About ${id}.`, children: list };
      write(`.saga/epics/${id}.json`, { ...epic, ...fields });
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}
