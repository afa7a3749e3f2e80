import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { buildPaths, type Paths } from '@saga-ai/core/project/paths';
import type { Overview } from '@saga-ai/types/screens/overview';
import { createEvidence, PLAN_ENV } from '../rig/plan.ts';
import { type Ended, PLAIN_ENVIRONMENT, type RunOptions, runProgram, SAGA } from './run-program.ts';

const run = promisify(execFile);

/** A real git repository with a `.saga`, gone when the test is over. */
export class TempProject implements AsyncDisposable {
  readonly root: string;
  readonly paths: Paths;

  constructor(root: string) {
    this.root = root;
    this.paths = buildPaths(root);
  }

  saga(args: string[], options: RunOptions = {}): Promise<Ended> {
    return runProgram(SAGA, args, { cwd: this.root, ...options });
  }

  async list(): Promise<Overview> {
    const { stdout } = await this.saga(['list', '--json']);
    return JSON.parse(stdout) as Overview;
  }

  /** Writes below `.saga`: a text as it is, anything else as JSON. */
  write(path: string, content: unknown): void {
    const file = join(this.paths.saga, path);
    mkdirSync(dirname(file), { recursive: true });
    const text = typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`;
    writeFileSync(file, text);
  }

  read(path: string): string {
    return readFileSync(join(this.paths.saga, path), 'utf8');
  }

  json(path: string): Record<string, unknown> {
    return JSON.parse(this.read(path));
  }

  writeStory(id: string, fields: object = {}, tasks: object[] = [{}]): void {
    this.write(`stories/${id}/story.json`, { ...story(id), ...fields });
    tasks.forEach((fieldsOfTask, i) => {
      const made = { ...task(`task-${i + 1}`), ...fieldsOfTask };
      this.write(`stories/${id}/${made.id}.json`, made);
    });
  }

  writeEpic(id: string, children: { id: string; blockedBy?: string[] }[]): void {
    const whole = children.map((child) => ({ blockedBy: [], ...child }));
    this.write(`epics/${id}.json`, { id, title: `Epic ${id}`, description: '', children: whole });
  }

  /** Completes a story and commits it with evidence that its gate passed. */
  async done(id: string): Promise<void> {
    const folder = `stories/${id}`;
    for (const name of readdirSync(join(this.paths.saga, folder))) {
      if (!name.endsWith('.json') || name === 'story.json') continue;
      this.write(`${folder}/${name}`, { ...this.json(`${folder}/${name}`), status: 'completed' });
    }
    this.write(`${folder}/evidence.json`, createEvidence(id));
    const options = { cwd: this.root, env: PLAN_ENV };
    await run('git', ['add', `.saga/${folder}`], options);
    await run('git', ['commit', '-q', '-m', `Merge ${id}`, '--', `.saga/${folder}`], options);
  }

  /** Every path below a folder of `.saga`, folders with a slash at their end. */
  tree(folder = '.'): string[] {
    return readdirSync(join(this.paths.saga, folder), { recursive: true, withFileTypes: true })
      .map((entry) => {
        const below = join(entry.parentPath, entry.name).slice(this.paths.saga.length + 1);
        return entry.isDirectory() ? `${below}/` : below;
      })
      .sort();
  }

  /** What is tracked of `.saga`, with its text: what a refused command must leave as it was. */
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
  const project = new TempProject(mkdtempSync(join(tmpdir(), 'saga-test-')));
  await run('git', ['init', '--quiet'], { cwd: project.root, env: PLAIN_ENVIRONMENT });
  project.write('.gitignore', '/worktrees/\n/runs/\n/cache/\n.*.tmp\n');
  project.write('config.json', {});
  mkdirSync(project.paths.stories);
  mkdirSync(project.paths.epics);
  return project;
}

export const story = (id: string) => ({ id, title: `Story ${id}`, description: `What ${id} is.` });

export const task = (id: string) => ({
  id,
  subject: `Do ${id}`,
  description: `How to do ${id}.`,
  status: 'pending',
  blockedBy: [] as string[],
});
