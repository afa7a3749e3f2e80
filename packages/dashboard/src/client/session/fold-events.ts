import type { SessionEvent } from '@saga-ai/types/run/session-event';
import { describeEvent } from './describe-event.ts';
import type { LogEntry, ToolResult } from './log-entry.ts';
import { readResults } from './read-results.ts';

export interface Folded {
  entries: LogEntry[];
  /** By the id of their call, which may stand in an earlier window. */
  results: Map<string, ToolResult>;
}

/** Events of one window as lines of the transcript; `subjects` are the tasks' titles. */
export function foldEvents(
  events: readonly SessionEvent[],
  prefix: string,
  subjects: ReadonlyMap<string, string>,
): Folded {
  const entries: LogEntry[] = [];
  const results = new Map<string, ToolResult>();
  for (const event of events) {
    if (event.type === 'run:result') {
      for (const [id, result] of readResults(event)) results.set(id, result);
      continue;
    }
    for (const part of readParts(event, subjects)) {
      entries.push({ ...part, key: `${prefix}:${entries.length}`, time: event.time });
    }
  }
  return { entries, results };
}

type Part<T = LogEntry> = T extends LogEntry ? Omit<T, 'key' | 'time'> : never;

// The client's events are foreign and read loosely.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Fields = Record<string, any>;

function readParts(event: SessionEvent, subjects: ReadonlyMap<string, string>): Part[] {
  const fields = event as Fields;
  switch (event.type) {
    case 'run:text':
    case 'run:tool':
      return readMessage(fields.claude);
    case 'run:start':
      return [buildHeading('run', '●', 'running', `Run ${fields.cycle}`, fields)];
    case 'gate:start':
      return [buildHeading('gate', '●', 'running', 'Gate', {})];
    case 'task:status':
      return [readStatus(fields, subjects)];
    default: {
      const step = describeEvent(event);
      return step ? [{ kind: 'step', ...step, text: String(step.text ?? '') }] : [];
    }
  }
}

function buildHeading(
  level: 'run' | 'gate',
  glyph: string,
  tone: 'running',
  title: string,
  { model, task }: Fields,
): Part {
  const more = [model, task].filter(Boolean).join(' · ');
  return { kind: 'heading', level, glyph, tone, title: more === '' ? title : `${title} · ${more}` };
}

/** A task begins with a heading and ends with a line. */
function readStatus({ task, to }: Fields, subjects: ReadonlyMap<string, string>): Part {
  const title = subjects.get(task) ?? String(task);
  if (to === 'in_progress') {
    return { kind: 'heading', level: 'task', glyph: '●', tone: 'running', title, task };
  }
  if (to === 'completed') {
    return { kind: 'step', glyph: '✓', tone: 'done', head: 'task', text: `${title} completed` };
  }
  return {
    kind: 'step',
    glyph: '○',
    tone: 'plain',
    head: 'task',
    text: `${title} back to pending`,
  };
}

function readMessage(claude: Fields | undefined): Part[] {
  const content = claude?.message?.content;
  const isNested = typeof claude?.parent_tool_use_id === 'string';
  if (!Array.isArray(content)) return [];
  return content.flatMap((block: Fields): Part[] => {
    if (block?.type === 'text' && typeof block.text === 'string') {
      return [{ kind: 'text', text: block.text, isThought: false, isNested }];
    }
    if (block?.type === 'thinking' && typeof block.thinking === 'string' && block.thinking !== '') {
      return [{ kind: 'text', text: block.thinking, isThought: true, isNested }];
    }
    if (block?.type !== 'tool_use') return [];
    const input = typeof block.input === 'object' && block.input !== null ? block.input : {};
    return [{ kind: 'tool', id: String(block.id), name: String(block.name), input, isNested }];
  });
}
