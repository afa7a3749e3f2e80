import { orderTopologically } from '@saga-ai/types/plan/graph';
import type { Task } from '@saga-ai/types/plan/task';
import { type State, stateOfTask } from '@saga-ai/types/screens/story-state';
import { StateGlyph } from '../../ui/state-glyph.tsx';

interface InspectorTasksProps {
  tasks: readonly Task[];
  isRunning: boolean;
}

/** The tasks of a story in the order in which they can be done: a segment for each, and their names. */
export function InspectorTasks({ tasks, isRunning }: InspectorTasksProps) {
  if (tasks.length === 0) return null;
  const open = new Set(tasks.filter((it) => it.status !== 'completed').map((it) => it.id));
  const { ordered, unordered } = orderTopologically(tasks);
  const shown = [...ordered, ...unordered].map((task) => {
    const isWaiting = task.blockedBy.some((id) => open.has(id));
    return { task, state: stateOfTask(task, { isRunning, isWaiting }) };
  });
  return (
    <div className="border-t border-line px-4 py-3">
      <div aria-hidden="true" className="mb-2 flex gap-0.5">
        {shown.map(({ task, state }) => (
          <span
            key={task.id}
            title={`${task.subject}: ${state.word}`}
            data-tone={state.tone}
            data-open={isOpen(state) || undefined}
            className="run-cell h-1.5 min-w-0 grow basis-0"
          />
        ))}
      </div>
      <ol aria-label="Tasks" className="grid gap-0.5 text-sm">
        {shown.map(({ task, state }) => (
          <li key={task.id} className="flex items-baseline gap-1.5">
            <StateGlyph state={state} />
            <span
              className={`min-w-0 ${state.tone === 'running' ? 'font-semibold' : isOpen(state) ? 'text-soft' : ''}`}
            >
              {task.subject}
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}

const isOpen = ({ word }: State) => word === 'pending' || word === 'waiting' || word === 'ready';
