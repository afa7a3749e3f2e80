import type { SessionEvent } from '@saga-ai/types/run/session-event';
import type { LogEntry } from './log-entry.ts';
import { findResult, type LogRange } from './log-range.ts';

/** Entries that hold the words, by their place. */
export function searchEntries(
  entries: readonly LogEntry[],
  range: LogRange,
  query: string,
): number[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return [];
  return entries.flatMap((entry, index) => (textOf(entry, range).includes(wanted) ? [index] : []));
}

/** For what is not in memory: the whole event, as it is written. */
export function matchesEvent(event: SessionEvent, query: string): boolean {
  return JSON.stringify(event).toLowerCase().includes(query.trim().toLowerCase());
}

function textOf(entry: LogEntry, range: LogRange): string {
  switch (entry.kind) {
    case 'heading':
      return `${entry.title} ${entry.task ?? ''}`.toLowerCase();
    case 'step':
      return `${entry.head} ${entry.text}`.toLowerCase();
    case 'text':
      return entry.text.toLowerCase();
    case 'tool': {
      const values = Object.values(entry.input).map((it) =>
        typeof it === 'string' ? it : JSON.stringify(it),
      );
      return [entry.name, ...values, findResult(range, entry.id)?.text].join('\n').toLowerCase();
    }
  }
}
