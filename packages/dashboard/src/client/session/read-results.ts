import type { SessionEvent } from '@saga-ai/types/run/session-event';
import type { Hunk, ToolResult } from './log-entry.ts';

// biome-ignore lint/suspicious/noExplicitAny: the client's events are foreign and read loosely
type Fields = Record<string, any>;

/** What came back from calls, by the call's id. */
export function readResults(event: SessionEvent): [id: string, ToolResult][] {
  const claude = event.claude as Fields | undefined;
  const content = claude?.message?.content;
  if (!Array.isArray(content)) return [];
  const patch = readPatch(claude?.tool_use_result);
  return content.flatMap((block: Fields): [string, ToolResult][] => {
    if (block?.type !== 'tool_result') return [];
    const text = readText(block.content);
    const isError = block.is_error === true;
    return [[String(block.tool_use_id), { time: event.time, text, isError, patch }]];
  });
}

function readText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((block: Fields) => (typeof block?.text === 'string' ? block.text : `[${block?.type}]`))
    .join('\n');
}

function readPatch(result: Fields | undefined): readonly Hunk[] {
  const patch = result?.structuredPatch;
  if (!Array.isArray(patch)) return [];
  return patch.filter((hunk: Fields) => Array.isArray(hunk?.lines)) as Hunk[];
}
