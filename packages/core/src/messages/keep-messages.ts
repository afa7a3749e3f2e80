import { buildFeedback } from '@saga-ai/types/plan/journal';
import type { Message } from '@saga-ai/types/run/message';
import { appendJournal } from '../plan/journal.ts';
import type { Paths } from '../project/paths.ts';
import { listMessages, removeMessage } from './message-box.ts';

/**
 * Turns messages that no run has read into Feedback, so that the next run is told. May be called again: a message is
 * removed only after it is in the journal.
 */
export async function keepMessages(
  paths: Paths,
  storyId: string,
  onKept: (message: Message) => void,
): Promise<void> {
  for (const message of listMessages(paths, storyId)) {
    const { id, from, text, time } = message;
    await appendJournal(paths, storyId, buildFeedback(`${text}\n\n(${from})`, time));
    removeMessage(paths, storyId, id);
    onKept(message);
  }
}
