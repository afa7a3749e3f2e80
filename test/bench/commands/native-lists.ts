import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ClaudeTask, toClaudeTasks } from '@saga-ai/core/agents/claude/tasklist/claude-task';
import type { Candidate } from '../measure/candidate.ts';
import { READ_ALL, TASK_POP, TASK_READY } from '../measure/rows.ts';
import type { Plan } from '../project/plan.ts';
import { runOrStop } from '../project/run-or-stop.ts';

/** Whose column the script is that only reads. */
export const NAIVE = 'naive';

/** `saga task` on a native list for each plan, beside a script that reads and parses all files. */
export function prepareNativeLists(
  workshop: string,
  saga: string,
  plans: ReadonlyMap<number, Plan>,
  env: NodeJS.ProcessEnv,
): Candidate[] {
  return [...plans].flatMap(([size, plan]) => {
    const config = join(workshop, 'native', String(size));
    const folder = join(config, 'tasks', 'list');
    const tasks = makeNativeList(folder, plan);
    const own = { ...env, CLAUDE_CONFIG_DIR: config };
    const command = (...words: string[]) => [process.execPath, saga, 'task', ...words];
    const first = checkReady(command('ready', '--list', 'list', '--json'), workshop, tasks, own);
    const shared = { program: 'saga', folder: workshop, env: own };
    const readAll = [process.execPath, join(import.meta.dirname, 'read-all.cjs'), folder];
    return [
      { ...shared, program: NAIVE, row: READ_ALL(size), command: readAll },
      { ...shared, row: TASK_READY(size), command: command('ready', '--list', 'list') },
      {
        ...shared,
        row: TASK_POP(size),
        command: command('pop', '--list', 'list', '--owner', 'bench'),
        prepare: () => writeTask(folder, first),
      },
    ];
  });
}

/** The tasks of all stories as one list; in every story that is open, one task is ready. */
function makeNativeList(folder: string, plan: Plan): ClaudeTask[] {
  mkdirSync(folder, { recursive: true });
  const tasks = plan.stories.flatMap(({ story, tasks: own }) => {
    const rename = (id: string) => `${story.id}-${id}`;
    return toClaudeTasks(
      own.map((task) => ({
        ...task,
        id: rename(task.id),
        blockedBy: task.blockedBy.map(rename),
      })),
    );
  });
  for (const task of tasks) writeTask(folder, task);
  return tasks;
}

function writeTask(folder: string, task: ClaudeTask): void {
  writeFileSync(join(folder, `${task.id}.json`), JSON.stringify(task, null, 2));
}

/** It must have understood the list before its speed means anything. Returns what is next. */
function checkReady(
  [program = '', ...args]: string[],
  folder: string,
  all: readonly ClaudeTask[],
  env: NodeJS.ProcessEnv,
): ClaudeTask {
  const done = new Set(all.filter((it) => it.status === 'completed').map((it) => it.id));
  const open = all.filter((it) => it.status === 'pending');
  const ready = open.filter((it) => it.blockedBy.every((id) => done.has(id)));
  const { tasks, problems } = JSON.parse(runOrStop(program, args, folder, env));
  const first = all.find((it) => it.id === tasks[0]?.id);
  if (tasks.length !== ready.length || problems.length > 0 || !first) {
    throw new Error(`saga sees ${tasks.length} ready tasks, not ${ready.length}.`);
  }
  return first;
}
