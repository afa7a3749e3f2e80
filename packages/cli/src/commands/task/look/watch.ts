import { setTimeout as sleep } from 'node:timers/promises';
import type { TaskChangeJson, TaskView } from '@saga-ai/types/screens/json/task';
import type { TaskState } from '@saga-ai/types/screens/story-state';
import type { Problem } from '@saga-ai/types/words/problem';
import type { Command } from '../../../command.ts';
import { LiveBlock } from '../../../output/live-block.ts';
import { formatLines, formatProblem, formatValue, type Output } from '../../../output/output.ts';
import { formatRows } from '../../../output/rows.ts';
import { formatBar, formatProgress } from '../../../output/state.ts';
import { cleanLine } from '../../../output/text.ts';
import { writeAll } from '../../../output/write.ts';
import { openTasks, TASK_OPTIONS } from '../open-tasks.ts';
import { loadViews, toRow } from './task-view.ts';

/** Short enough to look live. Reading a list takes a few milliseconds. */
const EVERY_MS = 300;

export const command: Command<TaskChangeJson> = {
  output: () => import('@saga-ai/types/screens/json/task').then((it) => it.TaskChangeJson),
  stream: 'lines',
  options: {
    ...TASK_OPTIONS,
    until: { type: 'text', choices: ['done'], help: 'exit when every task is completed' },
  },
  about: `On a terminal the list is drawn again at every change. In a pipe or a file each change is one line;
with --json, one JSON object per line.`,
  async run(invocation) {
    const { out, text } = invocation;
    const source = await openTasks(invocation);
    const live = process.stdout.isTTY === true && !out.json;
    let before = new Map<string, TaskView>();
    const block = new LiveBlock(': saga task list');
    let said = '';
    for (;;) {
      const { tasks, problems } = loadViews(source);
      const faults = problems.map(({ message }) => message).join('\n');
      if (live) block.draw(describeList(source.label, tasks, problems, out));
      else {
        if (faults !== said) out.problems(problems);
        said = faults;
        for (const change of changedSince(before, tasks)) printChange(change, out.json);
      }
      before = new Map(tasks.map((task) => [task.id, task]));
      const isDone = tasks.length > 0 && tasks.every((task) => task.state === 'done');
      if (text('until') === 'done' && isDone) return 0;
      await sleep(EVERY_MS);
    }
  },
};

function describeList(
  label: string,
  tasks: readonly TaskView[],
  problems: readonly Problem[],
  out: Output,
): string[] {
  const completed = tasks.filter((task) => task.state === 'done').length;
  const progress = { completed, total: tasks.length };
  return [
    ...problems.flatMap((problem) => formatProblem(problem, out.width, out.paint)),
    `${label}  ${formatBar(progress)}  ${formatProgress(progress)}`,
    ...formatRows(tasks.map(toRow), { ...out, indent: '  ' }),
  ];
}

interface StateChange {
  task: TaskView;
  from: TaskState | null;
  to: TaskState | null;
}

function changedSince(before: ReadonlyMap<string, TaskView>, tasks: TaskView[]): StateChange[] {
  const now = new Map(tasks.map((task) => [task.id, task]));
  const gone = [...before.values()].filter((task) => !now.has(task.id));
  return [
    ...gone.map((task) => ({ task, from: task.state, to: null })),
    ...tasks
      .map((task) => ({ task, from: before.get(task.id)?.state ?? null, to: task.state }))
      .filter(({ from, to }) => from !== to),
  ];
}

function printChange({ task, from, to }: StateChange, json: boolean): void {
  const { id, subject, owner } = task;
  const time = new Date().toISOString();
  const change: TaskChangeJson = { time, id, from, to, owner: owner ?? null };
  writeAll(
    1,
    json
      ? formatValue(change, 0)
      : formatLines([`${time}  ${id}  ${from ?? 'new'} → ${to ?? 'gone'}  ${cleanLine(subject)}`]),
  );
}
