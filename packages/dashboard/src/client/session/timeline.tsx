import type { Task } from '@saga-ai/types/plan/task';
import type { SessionAnswer } from '@saga-ai/types/screens/dashboard';
import { stateOfTask } from '@saga-ai/types/screens/story-state';
import { formatClock } from '../text/times.ts';
import { StateGlyph } from '../ui/state-glyph.tsx';
import type { LogEntry } from './log-entry.ts';

export interface Mark {
  index: number;
  key: string;
  time: string;
  title: string;
  level: 'run' | 'task' | 'gate';
  task?: string;
}

interface TimelineProps {
  answer: SessionAnswer;
  marks: readonly Mark[];
  show: (index: number) => void;
  /** Tasks whose beginning is outside the part in memory. */
  find: (task: Task) => void;
  isWhole: boolean;
}

/** A list of the parts of a session, to jump to. */
export function Timeline({ answer, marks, show, find, isWhole }: TimelineProps) {
  const taskOf = new Map(answer.tasks.map((task) => [task.id, task]));
  const isRunning = answer.session.state === 'running';
  const known = new Set(marks.map((mark) => mark.task));
  const unseen = isWhole
    ? []
    : answer.tasks.filter((task) => !known.has(task.id) && task.status !== 'pending');
  return (
    <nav aria-label="Timeline" className="min-h-0 overflow-y-auto py-3 pl-3 pr-1 text-sm sm:pl-5">
      <ol className="grid grid-cols-[minmax(0,1fr)] gap-px">
        {unseen.map((task) => (
          <li key={task.id}>
            <button type="button" className={ITEM} onClick={() => find(task)}>
              <span className="w-14 shrink-0 text-xs text-faint">earlier</span>
              <StateGlyph state={stateOfTask(task, { isRunning: false, isWaiting: false })} />
              <span className="min-w-0 truncate text-soft">{task.subject}</span>
            </button>
          </li>
        ))}
        {marks.map((mark) => {
          const task = mark.task === undefined ? undefined : taskOf.get(mark.task);
          return (
            <li key={mark.key}>
              <button type="button" className={ITEM} onClick={() => show(mark.index)}>
                <span className="w-14 shrink-0 text-xs text-faint">{formatClock(mark.time)}</span>
                {task ? (
                  <StateGlyph state={stateOfTask(task, { isRunning, isWaiting: false })} />
                ) : null}
                <span
                  className={`min-w-0 truncate ${mark.level === 'task' ? '' : 'font-medium text-soft'}`}
                >
                  {mark.title}
                </span>
              </button>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

const ITEM = 'row flex w-full items-baseline gap-1.5 rounded px-2 py-1 text-left';

export function listMarks(entries: readonly LogEntry[]): Mark[] {
  return entries.flatMap((entry, index): Mark[] => {
    if (entry.kind !== 'heading') return [];
    const { key, time, title, level, task } = entry;
    return [{ index, key, time, title, level, task }];
  });
}
