import type { SessionEvent } from '@saga-ai/types/run/event';
import type { LogEntry } from './log-entry.ts';
import { findResult, type LogRange } from './log-range.ts';

/** Returns the indexes of the entries that contain the words. */
export function searchEntries(
  entries: readonly LogEntry[],
  range: LogRange,
  query: string,
): number[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return [];
  return entries.flatMap((entry, index) => (textOf(entry, range).includes(wanted) ? [index] : []));
}

/** For events that are not in memory: searches the whole event as JSON. */
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
      const { id, name, path, command, changes = [], input } = entry.call;
      const texts = changes.flatMap(({ removed, added }) => [removed, added]);
      const values = Object.values(input).map((it) =>
        typeof it === 'string' ? it : JSON.stringify(it),
      );
      const result = findResult(range, id)?.text;
      return [name, path, command, ...texts, ...values, result].join('\n').toLowerCase();
    }
  }
}
