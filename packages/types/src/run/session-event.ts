import * as z from 'zod/mini';

/** One line of a worker's output file. Types are `noun:verb`; readers ignore what they do not know. */
export const SessionEvent = z.looseObject({
  time: z.string(),
  type: z.string().check(z.regex(/^[a-z-]+:[a-z-]+$/)),
  /** The client's own event, verbatim. */
  claude: z.optional(z.unknown()),
});
export type SessionEvent = z.infer<typeof SessionEvent>;

export function formatSessionEvent(event: SessionEvent): string {
  return `${JSON.stringify(event)}\n`;
}

/** Nothing for a line that is no event: the last line of a killed worker may be cut. */
export function parseSessionEvent(line: string): SessionEvent | undefined {
  try {
    const result = SessionEvent.safeParse(JSON.parse(line));
    return result.success ? result.data : undefined;
  } catch {
    // A cut line is expected; the caller counts what it could not read.
    return undefined;
  }
}

/** Says what happens, before and after: to the output file and to whoever watches. */
export type Emit = (type: string, fields?: object) => void;
