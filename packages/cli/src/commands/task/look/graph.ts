import { deriveBlocks, findCriticalPath } from '@saga-ai/types/plan/graph';
import type { GraphJson } from '@saga-ai/types/screens/json/plan';
import type { TaskView } from '@saga-ai/types/screens/json/task';
import { LIST_TASK_STATES } from '@saga-ai/types/screens/story-state';
import type { Command } from '../../../command.ts';
import {
  type Diagram,
  formatDot,
  formatMermaid,
  formatTextGraph,
} from '../../../output/diagram.ts';
import { openTasks, TASK_OPTIONS } from '../open-tasks.ts';
import { loadViews, requireTask } from './task-view.ts';

export const command: Command<GraphJson> = {
  output: () => import('@saga-ai/types/screens/json/plan').then((it) => it.GraphJson),
  args: [{ name: 'id', help: 'only this task, what it waits for and what waits for it' }],
  options: {
    ...TASK_OPTIONS,
    format: { type: 'text', choices: ['text', 'mermaid', 'dot'], help: 'how to draw it (text)' },
  },
  async run(invocation) {
    const { out, args, text } = invocation;
    const source = await openTasks(invocation);
    const loaded = loadViews(source);
    const { tasks, problems } = loaded;
    if (args[0] !== undefined) requireTask(loaded, args[0], source.label);
    const diagram = toDiagram(args[0] === undefined ? tasks : around(tasks, args[0]));
    const { nodes, criticalPath } = diagram;
    if (out.json) {
      const list = nodes.map(({ id, title, status, blockedBy }) => ({
        id,
        title,
        status,
        blockedBy,
      }));
      return void out.value({ nodes: list, criticalPath, problems });
    }
    out.problems(problems);
    const format = text('format');
    if (format === 'mermaid') out.lines(formatMermaid(diagram));
    else if (format === 'dot') out.lines(formatDot(diagram));
    else out.lines(formatTextGraph(diagram, out));
    return 0;
  },
};

function toDiagram(tasks: readonly TaskView[]): Diagram {
  const open = tasks.filter((task) => task.status !== 'completed');
  const path = findCriticalPath(open);
  return {
    nodes: tasks.map((task) => ({
      id: task.id,
      title: task.subject,
      status: task.status,
      blockedBy: task.blockedBy,
      state: LIST_TASK_STATES[task.state],
    })),
    criticalPath: path.length > 1 ? path : [],
  };
}

/** Returns one task with all tasks it waits for and all tasks that wait for it, directly or not. */
function around(tasks: readonly TaskView[], id: string): TaskView[] {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const blocks = deriveBlocks(tasks);
  const reach = (start: string, next: (it: string) => readonly string[]) => {
    const seen = new Set([start]);
    for (const it of seen) for (const other of next(it)) seen.add(other);
    return seen;
  };
  const kept = new Set([
    ...reach(id, (it) => byId.get(it)?.blockedBy ?? []),
    ...reach(id, (it) => blocks.get(it) ?? []),
  ]);
  return tasks.filter((task) => kept.has(task.id));
}
