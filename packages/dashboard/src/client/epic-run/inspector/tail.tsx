import type { Task } from '@saga-ai/types/plan/task';
import type { SessionSummary } from '@saga-ai/types/screens/dashboard';
import { TEXT } from '../../state/tone-classes.ts';
import { formatClock } from '../../text/times.ts';
import { useTail } from './use-tail.ts';

interface TailProps {
  session: SessionSummary;
  tasks: readonly Task[];
}

/** The last lines of a transcript, live. */
export function Tail({ session, tasks }: TailProps) {
  const entries = useTail(session, tasks);
  const isLive = session.state === 'running';
  if (!entries?.length && !isLive) return null;
  return (
    <div
      role="log"
      aria-live="off"
      aria-label="Last lines of the transcript"
      className={`flex flex-col justify-end gap-0.5 border-t border-line bg-sunken px-4 py-2.5 font-mono text-xs ${isLive ? 'min-h-24' : ''}`}
    >
      {entries?.map((entry) => (
        <p key={entry.key} className="flex min-w-0 gap-2">
          <time dateTime={entry.time} className="shrink-0 text-faint">
            {formatClock(entry.time)}
          </time>
          {entry.kind === 'tool' ? (
            <span className="min-w-0 truncate">
              <span className="font-semibold">{entry.call.name}</span>{' '}
              <span className="text-soft">{entry.call.summary}</span>
            </span>
          ) : entry.kind === 'text' ? (
            <span className={`line-clamp-3 min-w-0 ${entry.isThought ? 'italic text-soft' : ''}`}>
              {entry.text}
            </span>
          ) : entry.kind === 'step' ? (
            <span className={`min-w-0 truncate ${TEXT[entry.tone]}`}>
              {entry.glyph} {entry.head} {entry.text}
            </span>
          ) : null}
        </p>
      ))}
    </div>
  );
}
