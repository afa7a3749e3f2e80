import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from '../../command.ts';
import { formatLines } from '../../output/output.ts';
import { formatRows } from '../../output/rows.ts';
import { formatBar, formatProgress } from '../../output/state.ts';
import { writeAll } from '../../output/write.ts';
import { openTasks, TASK_OPTIONS } from './open-tasks.ts';
import { loadViews, type TaskView, toRow } from './task-view.ts';

/** Often enough to look live; a list is read in a few milliseconds. */
const EVERY_MS = 300;

export const command: Command = {
  options: {
    ...TASK_OPTIONS,
    until: { type: 'text', choices: ['done'], help: 'end when every task is completed' },
  },
  about: `On a terminal the list is drawn anew whenever it changes; elsewhere each change is a
line (with --json, one object a line).`,
  async run(invocation) {
    const { out, text } = invocation;
    const source = await openTasks(invocation);
    const live = process.stdout.isTTY === true && !out.json;
    let before = new Map<string, TaskView>();
    let drawn = '';
    for (;;) {
      const { tasks } = loadViews(source);
      if (live) drawn = redraw(drawn, source.label, tasks, out);
      else for (const task of changedSince(before, tasks)) printChange(task, before, out.json);
      before = new Map(tasks.map((task) => [task.id, task]));
      const isDone = tasks.length > 0 && tasks.every((task) => task.state === 'done');
      if (text('until') === 'done' && isDone) return 0;
      await sleep(EVERY_MS);
    }
  },
};

function redraw(
  drawn: string,
  label: string,
  tasks: TaskView[],
  out: Parameters<typeof formatRows>[1],
): string {
  const progress = {
    completed: tasks.filter((task) => task.state === 'done').length,
    total: tasks.length,
  };
  const head = `${label}  ${formatBar(progress)}  ${formatProgress(progress)}`;
  const text = [head, ...formatRows(tasks.map(toRow), { ...out, indent: '  ' })].join('\n');
  if (text === drawn) return drawn;
  // To the top left corner, then clear what was there: nothing flickers in between.
  writeAll(1, `\u001b[H\u001b[J${formatLines([text])}`);
  return text;
}

function changedSince(before: ReadonlyMap<string, TaskView>, tasks: TaskView[]): TaskView[] {
  return tasks.filter((task) => before.get(task.id)?.state !== task.state);
}

function printChange(task: TaskView, before: ReadonlyMap<string, TaskView>, json: boolean): void {
  const { id, subject, state, owner } = task;
  const from = before.get(id)?.state ?? null;
  const time = new Date().toISOString();
  writeAll(
    1,
    json
      ? `${JSON.stringify({ time, id, from, to: state, owner: owner ?? null })}\n`
      : formatLines([`${time}  ${id}  ${from ?? 'new'} → ${state}  ${subject}`]),
  );
}
