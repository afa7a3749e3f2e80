import * as z from 'zod/mini';
import { EVENTS, type EventType, type SessionEvent } from './event.ts';

/** The fields of every line of an output file. A type is written `noun:verb`. */
const Line = z.looseObject({
  time: z.string(),
  type: z.string().check(z.regex(/^[a-z-]+:[a-z-]+$/)),
});

/** One line of an output file as a schema: any of the events. */
export function buildEventSchema() {
  const events = Object.entries(EVENTS).map(([type, fields]) =>
    z.extend(fields, { time: z.string(), type: z.literal(type) }),
  );
  return z.union(events);
}

/** Returns undefined if the line is not an event: the last line of a killed worker may be incomplete. */
export function parseSessionEvent(line: string): SessionEvent | undefined {
  try {
    return readSessionEvent(JSON.parse(line));
  } catch {
    // An incomplete line is expected. The caller counts the lines that it could not read.
    return undefined;
  }
}

/** Unknown fields of the event are kept: a later version may have added them. */
function readSessionEvent(value: unknown): SessionEvent | undefined {
  const line = Line.safeParse(value);
  if (!line.success) return undefined;
  const { time, type, ...fields } = line.data;
  const schema = Object.hasOwn(EVENTS, type) ? EVENTS[type as EventType] : undefined;
  if (schema?.safeParse(fields).success) return line.data as unknown as SessionEvent;
  return { time, type: 'log:unread', of: type, fields };
}
