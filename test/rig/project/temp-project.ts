import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Paths } from '@saga-ai/core/project/paths';
import type { Overview } from '@saga-ai/types/screens/overview';
import {
  type Ended,
  PLAIN_ENVIRONMENT,
  type RunOptions,
  runProgram,
  SAGA,
} from '../programs/run-program.ts';
import { completeStory } from './done.ts';
import { buildEpic, type Child, openPlanFiles, type PlanFiles, writeStart } from './plan-files.ts';
import { initRepository, openGit } from './repository.ts';
import { createTempFolder } from './temp-folder.ts';

/** A git repository with a `.saga`, and the built `saga` command in it. Paths are relative to `.saga`. */
export class TempProject implements AsyncDisposable {
  readonly root: string;
  readonly paths: Paths;
  readonly #files: PlanFiles;

  constructor(root: string) {
    this.#files = openPlanFiles(root);
    this.root = root;
    this.paths = this.#files.paths;
  }

  saga(args: string[], options: RunOptions = {}): Promise<Ended> {
    return runProgram(SAGA, args, { cwd: this.root, ...options });
  }

  async list(): Promise<Overview> {
    const { stdout } = await this.saga(['list', '--json']);
    return JSON.parse(stdout) as Overview;
  }

  /** Writes a text as it is, and any other value as JSON. */
  write(path: string, content: unknown): void {
    this.#files.write(join('.saga', path), content);
  }

  read(path: string): string {
    return this.#files.read(join('.saga', path));
  }

  json(path: string): Record<string, unknown> {
    return JSON.parse(this.read(path));
  }

  /** Tasks that are given without an id are called task-1, task-2 and so on. */
  writeStory(id: string, fields: object = {}, tasks: object[] = [{}]): void {
    const idOf = (task: object, i: number) => ('id' in task ? String(task.id) : `task-${i + 1}`);
    const named = tasks.map((task, i) => [idOf(task, i), task]);
    this.#files.story(id, fields, Object.fromEntries(named));
  }

  writeEpic(id: string, children: Child[]): void {
    this.write(`epics/${id}.json`, buildEpic(id, children));
  }

  /** Completes a story and commits it with evidence that its gate passed. */
  async done(id: string): Promise<void> {
    completeStory(this.#files, id);
  }

  /** Lists every path below a folder of `.saga`. Folders end with a slash. */
  tree(folder = '.'): string[] {
    return readdirSync(join(this.paths.saga, folder), { recursive: true, withFileTypes: true })
      .map((entry) => {
        const below = join(entry.parentPath, entry.name).slice(this.paths.saga.length + 1);
        return entry.isDirectory() ? `${below}/` : below;
      })
      .sort();
  }

  /** Returns the tracked files of `.saga` with their texts. A refused command must not change them. */
  plan(): Record<string, string> {
    const tracked = this.tree().filter((path) => !/^(runs|cache|worktrees)\//.test(path));
    return Object.fromEntries(
      tracked.map((path) => [path, path.endsWith('/') ? '' : this.read(path)]),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    rmSync(this.root, { recursive: true, force: true });
  }
}

export async function createTempProject(): Promise<TempProject> {
  const { path: root } = createTempFolder();
  initRepository(openGit(PLAIN_ENVIRONMENT), root);
  const project = new TempProject(root);
  writeStart(openPlanFiles(root));
  mkdirSync(project.paths.stories);
  mkdirSync(project.paths.epics);
  return project;
}
