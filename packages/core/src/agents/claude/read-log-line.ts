import type { RunEvent, SessionEvent, UnreadEvent } from '@saga-ai/types/run/event';
import { parseSessionEvent } from '@saga-ai/types/run/session-event';
import { toFields, translate } from './translate.ts';

/**
 * A line of an output file as our events. Files that were written before these events had fields of
 * their own hold only the client's lines: those are translated now. Returns [] if it is no event.
 */
export function readLogLine(line: string): SessionEvent[] {
  const event = parseSessionEvent(line);
  if (!event) return [];
  return event.type === 'log:unread' ? readOld(event) : [event];
}

/** Which line of the client each of these events was written for. */
const LINES: Readonly<Record<string, string>> = {
  'run:system': 'system',
  'run:retry': 'system',
  'run:text': 'assistant',
  'run:tool': 'assistant',
  'run:result': 'user',
  'run:outcome': 'result',
  'run:rate-limit': 'rate_limit_event',
};

/** What an older worker wrote, as our events; the event itself if it is something else. */
export function readOld(event: UnreadEvent): SessionEvent[] {
  const { time, of, fields } = event;
  const type = Object.hasOwn(LINES, of) ? LINES[of] : undefined;
  if (type === undefined || fields.claude === undefined) return [event];
  const told = translate({ type, ...toFields(fields.claude) });
  return told.map((it) => ({ time, ...it }) as RunEvent);
}
