import type { SessionAnswer } from '@saga-ai/types/screens/dashboard';
import { getRouteApi } from '@tanstack/react-router';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { Failure } from '../ui/failure.tsx';
import { Loading } from '../ui/loading.tsx';
import { listEntries } from './log-range.ts';
import { LogToolbar } from './log-toolbar.tsx';
import { matchesEvent, searchEntries } from './search-entries.ts';
import { listMarks, Timeline } from './timeline.tsx';
import { Transcript, type TranscriptHandle } from './transcript.tsx';
import { useLog } from './use-log.ts';
import { useScan } from './use-scan.ts';

const route = getRouteApi('/sessions/$id');

export function SessionLog({ answer }: { answer: SessionAnswer }) {
  const { session, tasks } = answer;
  const { at: place } = route.useSearch();
  const navigate = route.useNavigate();
  const subjects = useSubjects(tasks);
  const { range, error, loadBefore, loadAfter, goTo } = useLog(session, subjects, place);
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

  const [jump, setJump] = useState<{ task?: string }>();
  /** Jumps to an offset, which may not be in memory, and there to a task or to the top. */
  const jumpTo = async (offset: number, task?: string) => {
    await goTo(offset);
    void navigate({ search: { at: offset }, replace: true, resetScroll: false });
    setJump(task === undefined ? {} : { task });
  };
  useEffect(() => {
    if (!jump) return;
    const index = marks.findLast((mark) => mark.task === jump.task)?.index ?? 0;
    transcript.current?.show(jump.task === undefined ? 0 : index);
    setJump(undefined);
  }, [jump, marks]);

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
        searchEarlier={() => void scan(range.from, (event) => matchesEvent(event, query), goTo)}
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
          handle={transcript}
          entries={entries}
          range={range}
          found={chosen === undefined ? undefined : entries[chosen]}
          loadBefore={loadBefore}
          loadAfter={loadAfter}
          goToEnd={() => {
            void navigate({ search: {}, replace: true, resetScroll: false });
            void goTo(-1).then(() => transcript.current?.showEnd());
          }}
          isLive={session.state === 'running'}
          startsAtEnd={session.state === 'running' && place === undefined}
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
