import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Ended, type RunOptions, runProgram, SAGA } from '../programs/run-program.ts';
import { createTempFolder } from '../project/temp-folder.ts';
import { writeNativeTask } from './native-task.ts';

/** A native list called demo, below a configuration of its own, and `saga task` on it. */
export interface TempTaskList extends Disposable {
  config: string;
  folder: string;
  env: Record<string, string>;
  /** Fields that are not given are filled in; a text is written as it is. */
  write(id: string, content?: object | string): void;
  read(id: string): Record<string, unknown>;
  /** Lists the files, without the folder's own bookkeeping. */
  files(): string[];
  /** Leaves a lock, as a process that was killed so many seconds ago leaves it. */
  leaveLock(target: string, seconds: number): void;
  saga(args: string[], options?: RunOptions): Promise<Ended>;
  /** Runs a command, and returns what a person sees of it on a terminal of 80 columns. */
  show(line: string): Promise<string>;
  json(line: string): Promise<Record<string, unknown>>;
}

export function createTaskList(tasks: Record<string, object> = {}): TempTaskList {
  const { path: config, ...rest } = createTempFolder();
  const folder = join(config, 'tasks/demo');
  const env = {
    CLAUDE_CONFIG_DIR: config,
    CLAUDE_CODE_TASK_LIST_ID: 'demo',
    SAGA_OWNER: 'ada',
    COLUMNS: '80',
  };
  const saga = (args: string[], options: RunOptions = {}) =>
    runProgram(SAGA, ['task', ...args], {
      cwd: config,
      ...options,
      env: { ...env, ...options.env },
    });
  const write = (id: string, content: object | string = {}) => {
    if (typeof content === 'string') writeFileSync(join(folder, `${id}.json`), content);
    else writeNativeTask(folder, id, content);
  };
  mkdirSync(folder, { recursive: true });
  for (const [id, fields] of Object.entries(tasks)) write(id, fields);
  return {
    config,
    folder,
    env,
    write,
    read: (id) => JSON.parse(readFileSync(join(folder, `${id}.json`), 'utf8')),
    files: () => readdirSync(folder).filter((name) => !/^\.(lock|highwatermark)$/.test(name)),
    leaveLock(target, seconds) {
      const lock = join(folder, `${target}.lock`);
      mkdirSync(lock);
      const time = Date.now() / 1000 - seconds;
      utimesSync(lock, time, time);
    },
    saga,
    show: async (line) => printed(await saga(line.split(' '))),
    json: async (line) => JSON.parse((await saga([...line.split(' '), '--json'])).stdout),
    [Symbol.dispose]: rest[Symbol.dispose],
  };
}

/** Returns the output, with the exit code if it is not 0, and without texts that differ each time. */
export function printed({ code, stdout, stderr }: Ended): string {
  const text = `${stdout}${stderr}${code === 0 ? '' : `exit ${code}\n`}`;
  return text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/\(process \d+ on [^)]+\)/g, '(process <pid> on <host>)')
    .replaceAll(/ +(\[[a-z-]+\])$/gm, '  $1')
    .replaceAll(/\S*\/saga-(test|edit)-[^/\s]+/g, '<folder>');
}
