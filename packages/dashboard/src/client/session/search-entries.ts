import type { SessionEvent } from '@saga-ai/types/run/event';
import { hasWords, splitWords } from '@saga-ai/types/words/search';
import { foldEvents } from './fold-events.ts';
import type { LogEntry } from './log-entry.ts';
import { findResult, type LogRange, type Subjects } from './log-range.ts';

/** Returns the indexes of the entries that contain every word. */
export function searchEntries(
  entries: readonly LogEntry[],
  range: LogRange,
  query: string,
): number[] {
  const words = splitWords(query);
  if (words.length === 0) return [];
  const resultOf = (id: string) => findResult(range, id)?.text;
  return entries.flatMap((entry, index) =>
    hasWords(textOf(entry, resultOf), words) ? [index] : [],
  );
}

/**
 * Builds a search for events that are not in memory: a function that returns whether the lines of an event contain
 * every word. Call that function from the last event to the first, because the result of a call comes after the call.
 */
export function createEventMatcher(
  query: string,
  subjects: Subjects,
): (event: SessionEvent) => boolean {
  const words = splitWords(query);
  const results = new Map<string, string>();
  const takeResult = (id: string) => {
    const text = results.get(id);
    results.delete(id);
    return text;
  };
  return (event) => {
    if (words.length === 0) return false;
    if (event.type === 'run:result') {
      results.set(event.id, event.text);
      return false;
    }
    const { entries } = foldEvents([event], '', subjects);
    return entries.some((entry) => hasWords(textOf(entry, takeResult), words));
  };
}

/** The words that a reader sees in an entry, in lower case. */
function textOf(entry: LogEntry, resultOf: (callId: string) => string | undefined): string {
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
      return [name, path, command, ...texts, ...listValues(input), resultOf(id)]
        .join('\n')
        .toLowerCase();
    }
  }
}

/** Lists the values in a value at any depth, without the names of their fields. */
function listValues(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [String(value ?? '')];
  return Object.values(value).flatMap(listValues);
}
