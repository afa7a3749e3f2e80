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
      if (!line.includes(id)) continue;
      if (line.includes('"type":"message:heard"')) return 'heard';
      if (line.includes('"type":"message:kept"')) return 'kept';
    }
  }
  return 'sent';
}
