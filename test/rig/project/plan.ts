import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildPaths, type Paths } from '@saga-ai/core/project/paths';
import { createTempFolder } from './temp-folder.ts';

/** A git repository with a `.saga`, and short ways to put files there. */
export interface Plan extends Disposable {
  paths: Paths;
  root: string;
  /** Writes a file below the project: text as it is, anything else as JSON. */
  write(path: string, content: unknown): void;
  /** A story with its tasks; fields that are not given are filled in. */
  story(id: string, fields?: object, tasks?: Record<string, object>): void;
  epic(id: string, children: Record<string, string[]>, fields?: object): void;
}

export function createPlan(): Plan {
  const folder = createTempFolder();
  const root = folder.path;
  execFileSync('git', ['init', '-q', root]);
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
    epic(id, children, fields = {}) {
      const list = Object.entries(children).map(([child, blockedBy]) => ({ id: child, blockedBy }));
      const epic = { id, title: `Epic ${id}`, description: `About ${id}.`, children: list };
      write(`.saga/epics/${id}.json`, { ...epic, ...fields });
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}
