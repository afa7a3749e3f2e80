import type { SessionEvent } from '@saga-ai/types/run/event';
import type { LogAnswer } from '@saga-ai/types/screens/dashboard';
import { type Folded, foldEvents } from './fold-events.ts';
import type { LogEntry, ToolResult } from './log-entry.ts';

/** The part of a log that is in memory: a sequence of adjacent windows. */
export interface LogRange {
  chunks: readonly Chunk[];
  from: number;
  to: number;
  size: number;
}

interface Chunk extends Folded {
  from: number;
  to: number;
  events: readonly SessionEvent[];
}

export type Subjects = ReadonlyMap<string, string>;

export const WINDOW = 256 * 1024;
/** If more is loaded, the other end is dropped: a log may be larger than the memory of a page. */
const MOST = 16 * 1024 * 1024;

export function startRange(answer: LogAnswer, subjects: Subjects): LogRange {
  const chunks = answer.events.length > 0 ? [foldChunk(answer, subjects)] : [];
  return { chunks, from: answer.from, to: answer.to, size: answer.size };
}

/** Small additions are merged into the last window, so that a growing log has few windows. */
export function appendWindow(range: LogRange, answer: LogAnswer, subjects: Subjects): LogRange {
  if (answer.from !== range.to) return { ...range, size: answer.size };
  const last = range.chunks.at(-1);
  const joins = last !== undefined && last.to - last.from < WINDOW;
  const added = joins ? joinChunks(last, answer, subjects) : foldChunk(answer, subjects);
  const chunks = [...(joins ? range.chunks.slice(0, -1) : range.chunks), added];
  const dropped = countDropped(chunks.map(sizeOf));
  const kept = chunks.slice(dropped);
  return { chunks: kept, from: kept[0]?.from ?? answer.from, to: answer.to, size: answer.size };
}

export function prependWindow(range: LogRange, answer: LogAnswer, subjects: Subjects): LogRange {
  if (answer.to !== range.from) return { ...range, size: answer.size };
  const chunks = [foldChunk(answer, subjects), ...range.chunks];
  const dropped = countDropped(chunks.map(sizeOf).reverse());
  const kept = chunks.slice(0, chunks.length - dropped);
  return { chunks: kept, from: answer.from, to: kept.at(-1)?.to ?? answer.to, size: answer.size };
}

export function listEntries(range: LogRange): LogEntry[] {
  return range.chunks.flatMap((chunk) => chunk.entries);
}

export function findResult(range: LogRange, callId: string): ToolResult | undefined {
  for (const { results } of range.chunks) {
    const result = results.get(callId);
    if (result) return result;
  }
  return undefined;
}

function foldChunk({ from, to, events }: LogAnswer, subjects: Subjects): Chunk {
  return { from, to, events, ...foldEvents(events, String(from), subjects) };
}

/** Folds the events again with the same prefix, so that existing lines keep their keys. */
function joinChunks(chunk: Chunk, answer: LogAnswer, subjects: Subjects): Chunk {
  const events = [...chunk.events, ...answer.events];
  return {
    from: chunk.from,
    to: answer.to,
    events,
    ...foldEvents(events, String(chunk.from), subjects),
  };
}

const sizeOf = (chunk: Chunk) => chunk.to - chunk.from;

/** Returns how many of the first windows can be dropped while the rest still fills the memory. */
function countDropped(sizes: readonly number[]): number {
  let total = sizes.reduce((sum, size) => sum + size, 0);
  let dropped = 0;
  for (const size of sizes) {
    if (total <= MOST || dropped === sizes.length - 1) break;
    total -= size;
    dropped++;
  }
  return dropped;
}
