import { cleanMessage, LONGEST_MESSAGE, type Message } from '@saga-ai/types/run/message';
import { SagaError } from '../errors.ts';
import { loadStory } from '../plan/stories.ts';
import { findLockOwner } from '../processes/lock.ts';
import { type Paths, workerLock } from '../project/paths.ts';
import { leaveMessage, removeMessage } from './message-box.ts';

/** Throws if a text cannot be a message. Returns what would be sent. */
export function requireMessage(text: string): string {
  const clean = cleanMessage(text);
  if (clean === '') throw new SagaError('edit-refused', 'The message is empty.', NOTHING_SENT);
  if (clean.length <= LONGEST_MESSAGE) return clean;
  throw new SagaError(
    'edit-refused',
    `The message has ${clean.length} characters; the longest allowed has ${LONGEST_MESSAGE}.`,
    `${NOTHING_SENT} Put the long part into a file of the repository, and say where it is.`,
  );
}

const NOTHING_SENT = 'Nothing was sent.';

/**
 * Gives a message to the worker of a story. Returns undefined, and leaves no message, if no worker works on the story.
 * A worker that ends just now keeps the message as Feedback.
 */
export function tellStory(
  paths: Paths,
  storyId: string,
  said: Pick<Message, 'from' | 'text' | 'interrupts'> & { id?: string },
): Message | undefined {
  // Fails here if the story does not exist.
  loadStory(paths, storyId);
  const text = requireMessage(said.text);
  const hasWorker = () => findLockOwner(workerLock(paths, storyId)) !== undefined;
  if (!hasWorker()) return undefined;
  const message = leaveMessage(paths, storyId, { ...said, text });
  // A worker looks for messages once more after it has given up its lock.
  if (hasWorker()) return message;
  return removeMessage(paths, storyId, message.id) ? undefined : message;
}
