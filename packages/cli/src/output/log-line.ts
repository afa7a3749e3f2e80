import type { SessionEvent } from '@saga-ai/types/run/event';
import { formatAdviceParts } from '@saga-ai/types/words/advice-after';
import { adviseAfter } from '@saga-ai/types/words/advise-after';
import { formatCall } from '@saga-ai/types/words/format-call';
import { formatEvent } from './event-line.ts';
import type { Output } from './output.ts';
import { cleanLine, cut, hang } from './text.ts';
import { formatOutput } from './verify-output.ts';

/** Formats an event of a story's log. The first line begins with the time; the others stand below its text. */
export function formatLogLines(event: SessionEvent, story: string, out: Output): string[] {
  const time = `${out.paint('quiet', formatTime(event.time))}  `;
  const lines = describe(event, story, out, Math.max(20, out.width - 10));
  return lines.map((line, i) => `${i === 0 ? time : ' '.repeat(10)}${line}`);
}

function describe(event: SessionEvent, story: string, out: Output, width: number): string[] {
  const step = formatEvent(event, out.paint, width);
  if (event.type === 'worker:end') {
    const advice = adviseAfter(event, story).map((it) => formatAdviceParts(it).join(' '));
    return [...step, ...advice.flatMap((line) => hang('  → ', cleanLine(line), width))];
  }
  if (step.length > 0) return step;
  switch (event.type) {
    case 'run:tool':
      return [cut(`  ${cleanLine(formatCall(event))}`, width)];
    case 'run:text':
      return event.isThought || event.text.trim() === ''
        ? []
        : [cut(`  “${cleanLine(event.text)}”`, width)];
    case 'gate:output':
      return formatOutput(event, { ...out, width });
    case 'run:result':
      // A successful result says little on one line. A failure explains the next step, so it is shown.
      return event.isError
        ? hang('  ', out.paint('needs-you', `✗ ${cleanLine(event.text || 'failed')}`), width, 4)
        : [];
    default:
      return [];
  }
}

function formatTime(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? '--:--:--' : date.toTimeString().slice(0, 8);
}
