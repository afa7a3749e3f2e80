import { shortenPaths } from '../state/describe-story.ts';
import type { Hunk, ToolEntry, ToolResult } from './log-entry.ts';

/** What a call is about, in one line. */
export function describeCall({ input }: ToolEntry): string {
  const named = NAMED.map((name) => input[name]).find((it) => typeof it === 'string');
  const first = named ?? Object.values(input).find((it) => typeof it === 'string') ?? '';
  const status =
    typeof input.status === 'string' && first !== input.status ? ` ${input.status}` : '';
  return shortenPaths(`${first}`.replace(/\s+/g, ' ').slice(0, 300)) + status;
}

const NAMED = [
  'command',
  'file_path',
  'notebook_path',
  'pattern',
  'taskId',
  'path',
  'url',
  'query',
];

/** An edit as a diff, from what the client says it changed, else from what was asked for. */
export function findHunks(
  { name, input }: ToolEntry,
  result: ToolResult | undefined,
): readonly Hunk[] {
  if (result && result.patch.length > 0) return result.patch;
  if (name === 'Write' && typeof input.content === 'string') {
    return [{ oldStart: 0, newStart: 1, lines: sign('+', input.content) }];
  }
  const edits = Array.isArray(input.edits) ? input.edits : name === 'Edit' ? [input] : [];
  return edits.flatMap(({ old_string, new_string }: Record<string, unknown>) => [
    { oldStart: 1, newStart: 1, lines: [...sign('-', old_string), ...sign('+', new_string)] },
  ]);
}

export function countLines(hunks: readonly Hunk[]): { added: number; removed: number } {
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const starting = (mark: string) => lines.filter((line) => line.startsWith(mark)).length;
  return { added: starting('+'), removed: starting('-') };
}

function sign(mark: string, text: unknown): string[] {
  if (typeof text !== 'string' || text === '') return [];
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => `${mark}${line}`);
}
