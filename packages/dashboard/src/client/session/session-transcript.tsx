import type { SessionAnswer } from '@saga-ai/types/screens/dashboard';
import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { Failure } from '../ui/failure.tsx';
import { Loading } from '../ui/loading.tsx';
import { listEntries } from './log-range.ts';
import { LogToolbar } from './log-toolbar.tsx';
import { createEventMatcher, searchEntries } from './search-entries.ts';
import { listMarks, Timeline } from './timeline.tsx';
import { Transcript, type TranscriptHandle } from './transcript.tsx';
import { useLog } from './use-log.ts';
import { useScan } from './use-scan.ts';

const route = getRouteApi('/sessions/$id');

export function SessionTranscript({ answer }: { answer: SessionAnswer }) {
  const { session, tasks } = answer;
  const { at: place } = route.useSearch();
  const navigate = route.useNavigate();
  const subjects = useSubjects(tasks);
  const { range, view, error, loadBefore, loadAfter, goTo } = useLog(session, subjects, place);
  const { state: scanning, scan, stop } = useScan(session.session);
  const transcript = useRef<TranscriptHandle>(null);
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const wanted = useDeferredValue(query);
  const entries = useMemo(() => (range ? listEntries(range) : []), [range]);
  const marks = useMemo(() => listMarks(entries), [entries]);
  const found = useMemo(
    () => (range ? searchEntries(entries, range, wanted) : []),
    [entries, range, wanted],
  );
  // In a running session the latest match comes first, because the reader looks at the end.
  const start = session.state === 'running' ? found.length - 1 : 0;
  const chosen = found.at((start + at) % Math.max(1, found.length));
  const chosenKey = chosen === undefined ? undefined : entries[chosen]?.key;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the index changes when the log grows; the page scrolls only for another match
  useEffect(() => {
    if (chosen !== undefined) transcript.current?.show(chosen, 'center');
  }, [chosenKey]);

  /** The task to which the reader jumps, until its row is shown. */
  const [wantedTask, setWantedTask] = useState<string>();
  /** Jumps to an offset, which may not be in memory, and there to a task or to the top. */
  const jumpTo = async (offset: number, task?: string) => {
    await goTo(offset);
    void navigate({ search: { at: offset }, replace: true, resetScroll: false });
    setWantedTask(task);
  };
  useEffect(() => {
    if (wantedTask === undefined) return;
    transcript.current?.show(marks.findLast(({ task }) => task === wantedTask)?.index ?? 0);
    setWantedTask(undefined);
  }, [wantedTask, marks]);
  /** The end of what the reader has seen of a log that grows. */
  const [seen, setSeen] = useState(0);
  const noteSeen = useCallback((end: number) => setSeen((before) => Math.max(before, end)), []);

  if (!range) {
    return error ? <Failure error={error} retry={() => void goTo(-1)} /> : <Loading />;
  }
  return (
    <>
      <LogToolbar
        query={query}
        onQuery={(text) => {
          setQuery(text);
          setAt(0);
        }}
        found={found.length}
        step={(step) => setAt(at + step)}
        position={chosen === undefined ? 0 : found.indexOf(chosen) + 1}
        range={range}
        goTo={(offset) => void jumpTo(offset)}
        scanning={scanning}
        stopScan={stop}
        searchEarlier={() => void scan(range.from, createEventMatcher(query, subjects), goTo)}
        marks={marks}
        show={(index) => transcript.current?.show(index)}
      />
      <div className="flex min-h-0 grow">
        <div className="hidden w-72 shrink-0 border-r border-line lg:flex lg:flex-col">
          <Timeline
            answer={answer}
            marks={marks}
            show={(index) => transcript.current?.show(index)}
            find={({ id }) =>
              void scan(
                range.from,
                (event) =>
                  event.type === 'task:status' && event.task === id && event.to === 'in_progress',
                (offset) => jumpTo(offset, id),
              )
            }
            isWhole={range.from === 0}
          />
        </div>
        <Transcript
          key={view.number}
          handle={transcript}
          entries={entries}
          range={range}
          found={chosen === undefined ? undefined : entries[chosen]}
          loadBefore={loadBefore}
          loadAfter={loadAfter}
          goToEnd={() => {
            void navigate({ search: {}, replace: true, resetScroll: false });
            void goTo(-1);
          }}
          isLive={session.state === 'running'}
          startsAtEnd={view.startsAtEnd}
          seen={seen}
          noteSeen={noteSeen}
        />
      </div>
    </>
  );
}

/** Returns the titles of the tasks. The object changes only if a title changes, not at every change of state. */
function useSubjects(tasks: SessionAnswer['tasks']): ReadonlyMap<string, string> {
  const names = tasks.map(({ id, subject }) => `${id}\n${subject}`).join('\n\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: depends on the titles only
  return useMemo(() => new Map(tasks.map(({ id, subject }) => [id, subject])), [names]);
}
