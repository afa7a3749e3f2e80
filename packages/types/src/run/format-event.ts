import type { RunEvent } from './event.ts';

/** Formats an event as one line of the output file. */
export function formatSessionEvent(event: RunEvent): string {
  return `${JSON.stringify(event)}\n`;
}
