import type { RunEvent, SessionEvent, UnreadEvent } from '@saga-ai/types/run/event';
import { parseSessionEvent } from '@saga-ai/types/run/session-event';
import { toFields, translate } from './translate.ts';

/**
 * Reads a line of an output file as SAGA's events. Older files contain the client's lines only; these
 * are translated now. Returns [] if the line is not an event.
 */
export function readLogLine(line: string): SessionEvent[] {
  const event = parseSessionEvent(line);
  if (!event) return [];
  return event.type === 'log:unread' ? readOld(event) : [event];
}

/** The type of the client's line that each of these old events contains. */
const LINES: Readonly<Record<string, string>> = {
  'run:system': 'system',
  'run:retry': 'system',
  'run:text': 'assistant',
  'run:tool': 'assistant',
  'run:result': 'user',
  'run:outcome': 'result',
  'run:rate-limit': 'rate_limit_event',
};

/** Translates an event of an older worker. Returns any other event unchanged. */
export function readOld(event: UnreadEvent): SessionEvent[] {
  const { time, of, fields } = event;
  const type = Object.hasOwn(LINES, of) ? LINES[of] : undefined;
  if (type === undefined || fields.claude === undefined) return [event];
  const told = translate({ type, ...toFields(fields.claude) });
  return told.map((it) => ({ time, ...it }) as RunEvent);
}
