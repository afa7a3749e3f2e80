import { memo } from 'react';
import { Rendered } from '../markdown/rendered.tsx';
import { TEXT } from '../state/tone-classes.ts';
import { formatClock } from '../text/times.ts';
import type { LogEntry, ToolResult } from './log-entry.ts';
import { ToolRow } from './tool-row.tsx';

interface EntryRowProps {
  entry: LogEntry;
  result: ToolResult | undefined;
  isOpen: boolean;
  /** The worker still runs, so a call without a result may get one. */
  isLive: boolean;
  isFound: boolean;
  toggle: (key: string) => void;
}

export const EntryRow = memo(function EntryRow({ entry, isFound, ...rest }: EntryRowProps) {
  const found = isFound ? 'bg-waiting-wash' : '';
  if (entry.kind === 'heading') return <Heading entry={entry} found={found} />;
  return (
    <div className={`flex items-start gap-2 px-3 text-sm sm:gap-3 sm:px-4 ${found}`}>
      <time
        dateTime={entry.time}
        className="w-14 shrink-0 whitespace-nowrap pt-0.5 text-xs leading-5 text-faint max-sm:w-9 max-sm:text-[0.6875rem]"
      >
        <Clock time={entry.time} />
      </time>
      <Body entry={entry} {...rest} />
    </div>
  );
});

function Heading({ entry, found }: { entry: LogEntry & { kind: 'heading' }; found: string }) {
  const isTask = entry.level === 'task';
  return (
    <div
      className={`flex items-center gap-2 border-t border-line px-3 sm:gap-3 sm:px-4 ${isTask ? 'mt-2 pb-1 pt-2' : 'mt-3 bg-sunken py-1'} ${found}`}
    >
      <time
        dateTime={entry.time}
        className="w-14 shrink-0 whitespace-nowrap text-xs text-faint max-sm:w-9 max-sm:text-[0.6875rem]"
      >
        <Clock time={entry.time} />
      </time>
      <h2 className={`pl-1.5 ${isTask ? 'font-semibold' : 'text-sm font-medium text-soft'}`}>
        {entry.title}
        {entry.task ? (
          <span className="ml-2 font-mono text-xs font-normal text-faint">{entry.task}</span>
        ) : null}
      </h2>
    </div>
  );
}

/** On a phone without seconds. */
function Clock({ time }: { time: string }) {
  const clock = formatClock(time);
  return (
    <>
      {clock.slice(0, 5)}
      <span className="max-sm:hidden">{clock.slice(5)}</span>
    </>
  );
}

type BodyProps = Omit<EntryRowProps, 'isFound'>;

function Body({ entry, result, isOpen, isLive, toggle }: BodyProps) {
  if (entry.kind === 'tool') {
    return (
      <ToolRow
        entry={entry}
        result={result}
        isOpen={isOpen}
        isLive={isLive}
        toggle={() => toggle(entry.key)}
      />
    );
  }
  if (entry.kind === 'text') {
    const look = entry.isThought ? 'text-faint italic' : '';
    return (
      <div
        className={`min-w-0 max-w-3xl grow py-1 pl-1.5 pr-2 ${look} ${entry.isNested ? 'pl-6' : ''}`}
      >
        <Rendered text={entry.text} />
      </div>
    );
  }
  if (entry.kind === 'heading') return null;
  return (
    <p className="flex min-w-0 grow items-baseline gap-2 px-1.5 py-0.5">
      <span
        aria-hidden="true"
        className={`w-3 shrink-0 text-center font-glyph text-xs font-semibold ${TEXT[entry.tone]}`}
      >
        {entry.glyph}
      </span>
      <span className="w-24 shrink-0 truncate text-soft max-sm:w-auto">{entry.head}</span>
      <span className={`min-w-0 ${entry.tone === 'plain' ? 'text-faint' : ''}`}>{entry.text}</span>
    </p>
  );
}
