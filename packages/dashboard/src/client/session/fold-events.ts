import type { RunEvent, SessionEvent } from '@saga-ai/types/run/event';
import { describeEvent } from './describe-event.ts';
import type { LogEntry, ToolResult } from './log-entry.ts';

export interface Folded {
  entries: LogEntry[];
  /** Results by the id of their call. The call may be in an earlier window. */
  results: Map<string, ToolResult>;
}

/** Turns the events of one window into lines of the transcript. `subjects` are the titles of the tasks. */
export function foldEvents(
  events: readonly SessionEvent[],
  prefix: string,
  subjects: ReadonlyMap<string, string>,
): Folded {
  const entries: LogEntry[] = [];
  const results = new Map<string, ToolResult>();
  for (const event of events) {
    if (event.type === 'run:result') {
      const { id, time, text, isError = false, patch = [] } = event;
      results.set(id, { time, text, isError, patch });
      continue;
    }
    for (const part of readParts(event, subjects)) {
      entries.push({ ...part, key: `${prefix}:${entries.length}`, time: event.time });
    }
  }
  return { entries, results };
}

type Part<T = LogEntry> = T extends LogEntry ? Omit<T, 'key' | 'time'> : never;

function readParts(event: SessionEvent, subjects: ReadonlyMap<string, string>): Part[] {
  switch (event.type) {
    case 'run:text': {
      const { text, isThought = false, isNested = false } = event;
      return [{ kind: 'text', text, isThought, isNested }];
    }
    case 'run:tool':
      return [{ kind: 'tool', call: event }];
    case 'run:start': {
      const task = event.taskId === undefined ? undefined : nameTask(event.taskId, subjects);
      return [buildHeading('run', `Run ${event.cycle}`, event.model, task)];
    }
    case 'gate:start':
      return [buildHeading('gate', 'Gate')];
    case 'gate:output':
      return readOutput(event);
    case 'task:status':
      return [readStatus(event, subjects)];
    default: {
      const step = describeEvent(event);
      return step ? [{ kind: 'step', ...step }] : [];
    }
  }
}

/** Shows what the verify command prints, line by line. */
function readOutput({ lines, skipped = 0 }: RunEvent<'gate:output'>): Part[] {
  const left = skipped > 0 ? [`… ${skipped} left out`] : [];
  return [...left, ...lines].map((text) => ({
    kind: 'step',
    glyph: '│',
    tone: 'plain',
    head: '',
    text,
  }));
}

function buildHeading(level: 'run' | 'gate', ...words: (string | undefined)[]): Part {
  const title = words.filter(Boolean).join(' · ');
  return { kind: 'heading', level, glyph: '●', tone: 'running', title };
}

const nameTask = (task: string, subjects: ReadonlyMap<string, string>) =>
  subjects.get(task) ?? task;

/** Shows a heading where a task begins and a line where it ends. */
function readStatus(
  { task, to }: RunEvent<'task:status'>,
  subjects: ReadonlyMap<string, string>,
): Part {
  const title = nameTask(task, subjects);
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
