import type { RunEvent } from './event.ts';

/** An event as one line of the output file. */
export function formatSessionEvent(event: RunEvent): string {
  return `${JSON.stringify(event)}\n`;
}
