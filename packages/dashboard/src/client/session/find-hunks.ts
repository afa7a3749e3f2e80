import type { EventFields, Hunk } from '@saga-ai/types/run/event';
import type { ToolResult } from './log-entry.ts';

/** Returns an edit as a diff: from the real change if it is known, else from the arguments of the call. */
export function findHunks(
  { kind, changes = [] }: Pick<EventFields<'run:tool'>, 'kind' | 'changes'>,
  result: ToolResult | undefined,
): readonly Hunk[] {
  if (kind !== 'write') return [];
  if (result && result.patch.length > 0) return result.patch;
  return changes.map(({ removed, added }) => ({
    oldStart: removed === '' ? 0 : 1,
    newStart: 1,
    lines: [...sign('-', removed), ...sign('+', added)],
  }));
}

export function countLines(hunks: readonly Hunk[]): { added: number; removed: number } {
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const starting = (mark: string) => lines.filter((line) => line.startsWith(mark)).length;
  return { added: starting('+'), removed: starting('-') };
}

function sign(mark: string, text: string): string[] {
  if (text === '') return [];
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => `${mark}${line}`);
}
