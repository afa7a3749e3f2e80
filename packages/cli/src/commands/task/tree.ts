import { notFoundAmong } from '@saga-ai/core/store/not-found';
import { deriveBlocks } from '@saga-ai/types/graph';
import type { Command } from '../../command.ts';
import type { Output } from '../../output/output.ts';
import { cleanLine, cut, measure } from '../../output/text.ts';
import { openTasks, TASK_OPTIONS } from './open-tasks.ts';
import { loadViews, STATES, type TaskView } from './task-view.ts';

export const command: Command = {
  args: [{ name: 'id', help: 'start at this task' }],
  options: TASK_OPTIONS,
  about: 'What must come first stands above what waits for it.',
  async run(invocation) {
    const { out, args } = invocation;
    const source = await openTasks(invocation);
    const { tasks, problems } = loadViews(source);
    const byId = new Map(tasks.map((task) => [task.id, task]));
    const [start] = args;
    if (start !== undefined && !byId.has(start)) {
      throw notFoundAmong(start, [...byId.keys()], source.label);
    }
    const blocks = deriveBlocks(tasks);
    const roots = start === undefined ? rootsOf(tasks, byId) : [start];
    if (out.json)
      return void out.value({ tree: roots.map((id) => nest(id, blocks, byId)), problems });
    out.problems(problems);
    const seen = new Set<string>();
    out.lines(roots.flatMap((id) => format(id, blocks, byId, out, seen, '', '')));
    return 0;
  },
};

type ById = ReadonlyMap<string, TaskView>;
type Blocks = ReadonlyMap<string, readonly string[]>;

/** Those that wait for nothing here; in a circle everyone waits, so then all are roots. */
function rootsOf(tasks: readonly TaskView[], byId: ById): string[] {
  const roots = tasks.filter((task) => !task.blockedBy.some((id) => byId.has(id)));
  return (roots.length > 0 ? roots : tasks).map((task) => task.id);
}

function nest(id: string, blocks: Blocks, byId: ById, above: readonly string[] = []): object {
  const children = (blocks.get(id) ?? []).filter((it) => !above.includes(it) && it !== id);
  const task = byId.get(id);
  return {
    id,
    subject: task?.subject,
    state: task?.state,
    children: children.map((it) => nest(it, blocks, byId, [...above, id])),
  };
}

/** A task that several others precede is drawn in full once, and named afterwards. */
function format(
  id: string,
  blocks: Blocks,
  byId: ById,
  out: Output,
  seen: Set<string>,
  lead: string,
  below: string,
): string[] {
  const task = byId.get(id);
  if (!task) return [];
  const { glyph, tone } = STATES[task.state];
  const again = seen.has(id);
  seen.add(id);
  const start = `${lead}${glyph} ${id}  `;
  const title = again ? '(see above)' : cut(cleanLine(task.subject), out.width - measure(start));
  const children = again ? [] : (blocks.get(id) ?? []);
  return [
    `${lead}${out.paint(tone, glyph)} ${id}  ${out.paint('quiet', title)}`,
    ...children.flatMap((child, i) => {
      const last = i === children.length - 1;
      const branch = `${below}${last ? '└ ' : '├ '}`;
      return format(child, blocks, byId, out, seen, branch, `${below}${last ? '  ' : '│ '}`);
    }),
  ];
}
