import type { RunEvent } from '@saga-ai/types/run/event';
import { parseSessionEvent } from '@saga-ai/types/run/session-event';

/** Parses a line that a worker wrote. Throws if it is none of the events in the table. */
export function requireEvent(line: string): RunEvent {
  const event = parseSessionEvent(line);
  if (!event || event.type === 'log:unread') throw new Error(`No event of ours: ${line}`);
  return event;
}
