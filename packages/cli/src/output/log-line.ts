import type { SessionEvent } from '@saga-ai/types/run/event';
import { formatCall } from '@saga-ai/types/words/format-call';
import { formatEvent } from './event-line.ts';
import type { Output } from './output.ts';
import { cleanLine, cut } from './text.ts';
import { formatOutput } from './verify-output.ts';

/** Formats an event of a log: each line begins with the time. */
export function formatLogLines(event: SessionEvent, out: Output): string[] {
  const time = out.paint('quiet', formatTime(event.time));
  const width = Math.max(20, out.width - 10);
  return describe(event, out).map((line) => `${time}  ${isShort(line) ? line : cut(line, width)}`);
}

function describe(event: SessionEvent, out: Output): string[] {
  const step = formatEvent(event, out.paint);
  if (step !== undefined) return [step];
  switch (event.type) {
    case 'run:tool':
      return [`  ${cleanLine(formatCall(event))}`];
    case 'run:text':
      return event.isThought || event.text.trim() === '' ? [] : [`  “${cleanLine(event.text)}”`];
    case 'gate:output':
      return formatOutput(event, out);
    case 'run:result':
      // A successful result says little on one line. A failure explains the next step, so it is shown.
      return event.isError
        ? [out.paint('needs-you', `  ✗ ${cleanLine(event.text || 'failed')}`)]
        : [];
    default:
      return [];
  }
}

/** Short lines need no cut. Only quoted text is long. */
const isShort = (line: string) => line.length < 60;

function formatTime(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? '--:--:--' : date.toTimeString().slice(0, 8);
}
