import type { EventFields, Hunk } from '@saga-ai/types/run/event';
import type { Tone } from '@saga-ai/types/screens/story-state';

/** A line of the transcript. Keys stay the same while a log grows at either end. */
export type LogEntry = { key: string; time: string } & (
  | {
      kind: 'heading';
      level: 'run' | 'task' | 'gate';
      glyph: string;
      tone: Tone;
      title: string;
      task?: string;
    }
  | { kind: 'step'; glyph: string; tone: Tone; head: string; text: string }
  | { kind: 'text'; text: string; isThought: boolean; isNested: boolean }
  | { kind: 'tool'; call: EventFields<'run:tool'> }
);

export type ToolEntry = Extract<LogEntry, { kind: 'tool' }>;

export interface ToolResult {
  time: string;
  text: string;
  isError: boolean;
  patch: readonly Hunk[];
}
