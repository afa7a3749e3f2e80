import type { Task } from '@saga-ai/types/plan/task';
import type { SessionSummary } from '@saga-ai/types/screens/dashboard';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { foldEvents } from '../../session/fold-events.ts';
import { loadWindow } from '../../session/load-window.ts';
import type { LogEntry } from '../../session/log-entry.ts';

/** How much of the output file is loaded: enough for the last few lines. A line with a large result is left out. */
const BYTES = 48 * 1024;
const SHOWN = 8;

/** The last lines of a transcript. They are asked for again when the output file has grown. */
export function useTail(
  { session, outputSize }: SessionSummary,
  tasks: readonly Task[],
): readonly LogEntry[] | undefined {
  const { data } = useQuery({
    queryKey: ['tail', session, outputSize],
    queryFn: ({ signal }) => loadWindow(session, -1, BYTES, signal),
    enabled: outputSize !== null,
    placeholderData: keepPreviousData,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return useMemo(() => {
    if (!data) return undefined;
    const subjects = new Map(tasks.map(({ id, subject }) => [id, subject]));
    const { entries } = foldEvents(data.events, 'tail', subjects);
    return entries.filter(isTelling).slice(-SHOWN);
  }, [data, tasks]);
}

/** Whether the tail shows an entry. The list of tasks already shows changes of tasks. */
const isTelling = (entry: LogEntry) =>
  entry.kind === 'tool' ? entry.call.kind !== 'tasks' : entry.kind !== 'heading';
