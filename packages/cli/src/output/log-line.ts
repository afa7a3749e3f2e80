import type { SessionEvent } from '@saga-ai/types/run/session-event';
import { formatEvent } from './event-line.ts';
import type { Output } from './output.ts';
import { cleanLine, cut } from './text.ts';

/** An event of a log for people: its time, and what happened on one line each. */
export function formatLogLines(event: SessionEvent, out: Output): string[] {
  const time = out.paint('quiet', formatTime(event.time));
  const width = Math.max(20, out.width - 10);
  return describe(event, out).map((line) => `${time}  ${isShort(line) ? line : cut(line, width)}`);
}

function describe(event: SessionEvent, out: Output): string[] {
  const step = formatEvent(event, out.paint);
  if (step !== undefined) return [step];
  const claude = event.claude as ClaudeEvent | undefined;
  switch (event.type) {
    case 'run:tool':
      return [...describeTexts(claude), `  ${cleanLine(String(event.tool))}`];
    case 'run:text':
      return describeTexts(claude);
    case 'run:result':
      return describeFailures(claude).map((line) => out.paint('needs-you', line));
    default:
      return [];
  }
}

interface ClaudeEvent {
  message?: { content?: unknown };
}

interface Block {
  type?: string;
  text?: string;
  is_error?: boolean;
  content?: unknown;
}

function describeTexts(claude: ClaudeEvent | undefined): string[] {
  return blocksOf(claude)
    .filter((it) => it.type === 'text' && it.text?.trim())
    .map((it) => `  “${cleanLine(it.text ?? '')}”`);
}

/** A result that is no error says little on one line; a failure says why the next step differs. */
function describeFailures(claude: ClaudeEvent | undefined): string[] {
  return blocksOf(claude)
    .filter((it) => it.type === 'tool_result' && it.is_error)
    .map((it) => `  ✗ ${cleanLine(typeof it.content === 'string' ? it.content : 'failed')}`);
}

function blocksOf(claude: ClaudeEvent | undefined): Block[] {
  const content = claude?.message?.content;
  return Array.isArray(content) ? (content as Block[]) : [];
}

/** Lines with colours are ours and fitting; only quoted text can be long. */
const isShort = (line: string) => line.length < 60;

function formatTime(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? '--:--:--' : date.toTimeString().slice(0, 8);
}
