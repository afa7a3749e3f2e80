import { deriveBlocks } from '@saga-ai/types/plan/graph';
import type { TaskTreeJson, TaskTreeNode, TaskView } from '@saga-ai/types/screens/json/task';
import { LIST_TASK_STATES } from '@saga-ai/types/screens/story-state';
import type { Command } from '../../../command.ts';
import type { Output } from '../../../output/output.ts';
import { cleanLine, cut, measure } from '../../../output/text.ts';
import { openTasks, TASK_OPTIONS } from '../open-tasks.ts';
import { loadViews, requireTask } from './task-view.ts';

export const command: Command<TaskTreeJson> = {
  output: () => import('@saga-ai/types/screens/json/task').then((it) => it.TaskTreeJson),
  args: [{ name: 'id', help: 'start at this task' }],
  options: TASK_OPTIONS,
  about: 'A task stands above the tasks that wait for it.',
  async run(invocation) {
    const { out, args } = invocation;
    const source = await openTasks(invocation);
    const loaded = loadViews(source);
    const { tasks, problems } = loaded;
    const [start] = args;
    const root = start === undefined ? undefined : requireTask(loaded, start, source.label);
    const tree = buildTree(tasks, root);
    if (out.json) return void out.value({ tree: tree.map(toJson), problems });
    out.problems(problems);
    if (tree.length === 0) out.lines(['No tasks.']);
    out.lines(tree.flatMap((node) => format(node, out, '', '')));
    return 0;
  },
};

interface Node {
  task: TaskView;
  children: Node[];
  /** True if the task is shown in full elsewhere, below another task that it waits for. */
  again: boolean;
}

/** Starts with the tasks that wait for no other. Tasks in a circle are not reached from those and follow. */
function buildTree(tasks: TaskView[], start: TaskView | undefined): Node[] {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const blocks = deriveBlocks(tasks);
  const seen = new Set<string>();
  const nodeOf = (task: TaskView): Node => {
    if (seen.has(task.id)) return { task, children: [], again: true };
    seen.add(task.id);
    const waiting = (blocks.get(task.id) ?? []).flatMap((id) => byId.get(id) ?? []);
    return { task, children: waiting.map(nodeOf), again: false };
  };
  const isRoot = (task: TaskView) => !task.blockedBy.some((id) => byId.has(id));
  const starts = start ? [start] : [...tasks.filter(isRoot), ...tasks];
  return starts.flatMap((task) => (seen.has(task.id) ? [] : nodeOf(task)));
}

function toJson({ task: { id, subject, state }, children, again }: Node): TaskTreeNode {
  return { id, subject, state, again, children: children.map(toJson) };
}

/** A task that waits for several others is drawn in full once; its other lines say "(see above)". */
function format(
  { task, children, again }: Node,
  out: Output,
  lead: string,
  below: string,
): string[] {
  const { glyph, tone } = LIST_TASK_STATES[task.state];
  const start = `${lead}${glyph} ${task.id}  `;
  const title = again ? '(see above)' : cut(cleanLine(task.subject), out.width - measure(start));
  return [
    `${lead}${out.paint(tone, glyph)} ${task.id}  ${out.paint('quiet', title)}`,
    ...children.flatMap((child, i) => {
      const last = i === children.length - 1;
      const branch = `${below}${last ? '└ ' : '├ '}`;
      return format(child, out, branch, `${below}${last ? '  ' : '│ '}`);
    }),
  ];
}
