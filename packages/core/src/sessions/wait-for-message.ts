import { parseSessionEvent } from '@saga-ai/types/run/session-event';
import type { Paths } from '../project/paths.ts';
import { loadSessionRecords } from '../records/session-records.ts';
import { followLines } from './follow-log.ts';

/** How a message ended: a run has read it, or it is kept for the next run. */
export type MessageEnd = 'heard' | 'kept' | 'sent';

/**
 * Waits until the output file says how a message ended. Returns `sent` if the session ends and the file does not say.
 */
export async function waitForMessage(
  paths: Paths,
  session: string,
  outputFile: string,
  id: string,
): Promise<MessageEnd> {
  const isOver = () =>
    loadSessionRecords(paths).records.find((it) => it.session === session)?.endedAt !== undefined;
  for await (const lines of followLines(outputFile, 0, isOver)) {
    for (const line of lines) {
      const end = readEnd(line, id);
      if (end !== undefined) return end;
    }
  }
  return 'sent';
}

/** Returns undefined if the line is about something else. */
function readEnd(line: string, id: string): MessageEnd | undefined {
  // Parsing the lines of a long session takes a while, and few of them name the message.
  if (!line.includes(id)) return undefined;
  const event = parseSessionEvent(line);
  switch (event?.type) {
    case 'message:heard':
      return event.id === id ? 'heard' : undefined;
    case 'message:kept':
      return event.id === id ? 'kept' : undefined;
    default:
      return undefined;
  }
}
