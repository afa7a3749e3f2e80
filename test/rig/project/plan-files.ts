import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildPaths, type Paths } from '@saga-ai/core/project/paths';

/** Short ways to write a project's files and to read them. Paths are relative to its root. */
export interface PlanFiles {
  root: string;
  paths: Paths;
  /** Writes a text as it is, and any other value as JSON. Returns the whole path. */
  write(path: string, content: unknown): string;
  read(path: string): string;
  /** Writes a story with its tasks. Fields that are not given are filled in. */
  story(id: string, fields?: object, tasks?: Record<string, object>): void;
  /** Writes an epic. `children` maps each child to its blockers. */
  epic(id: string, children: Record<string, string[]>, fields?: object): void;
}

export interface Child {
  id: string;
  blockedBy?: string[];
}

/** A story gets the usual tasks if it is written without any. */
export function openPlanFiles(root: string, usualTasks: readonly string[] = []): PlanFiles {
  const write: PlanFiles['write'] = (path, content) => {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    const text = typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`;
    writeFileSync(file, text);
    return file;
  };
  const usual = Object.fromEntries(usualTasks.map((id) => [id, {}]));
  return {
    root,
    // Asked for later: where they lead depends on whether there is a repository.
    get paths() {
      return buildPaths(root);
    },
    write,
    read: (path) => readFileSync(join(root, path), 'utf8'),
    story(id, fields = {}, tasks = usual) {
      const folder = `.saga/stories/${id}`;
      write(`${folder}/story.json`, buildStory(id, fields));
      for (const [taskId, more] of Object.entries(tasks))
        write(`${folder}/${taskId}.json`, buildTask(taskId, more));
    },
    epic(id, children, fields) {
      const list = Object.entries(children).map(([child, blockedBy]) => ({ id: child, blockedBy }));
      write(`.saga/epics/${id}.json`, buildEpic(id, list, fields));
    },
  };
}

/** Writes the files that `saga init` writes. */
export function writeStart({ write }: Pick<PlanFiles, 'write'>): void {
  write('.saga/.gitignore', '/worktrees/\n/runs/\n/cache/\n.*.tmp\n');
  write('.saga/config.json', {});
}

export function buildStory(id: string, fields: object = {}) {
  return { id, title: `Story ${id}`, description: `About ${id}.`, ...fields };
}

export function buildTask(id: string, fields: object = {}) {
  const state = { status: 'pending', blockedBy: [] as string[] };
  return { id, subject: `Do ${id}`, description: `All of ${id}.`, ...state, ...fields };
}

export function buildEpic(id: string, children: readonly Child[], fields: object = {}) {
  const whole = children.map((child) => ({ blockedBy: [] as string[], ...child }));
  return { id, title: `Epic ${id}`, description: `About ${id}.`, children: whole, ...fields };
}
