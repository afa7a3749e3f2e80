import { buildMessageNote } from '@saga-ai/types/plan/worker-notes';
import type { Message } from '@saga-ai/types/run/message';
import { findSecrets, maskText } from '@saga-ai/types/words/mask-secrets';
import { listMessages, removeMessage } from '../../messages/message-box.ts';
import { watchMessages } from '../../messages/watch-messages.ts';
import { appendJournal } from '../../plan/journal.ts';
import type { Worker } from '../context.ts';
import type { MessageSource } from './talk.ts';

/** Brings the messages of people to a run, and notes in the journal what the run has read. */
export class People implements MessageSource {
  readonly #worker: Worker;
  #notes: Promise<void> = Promise.resolve();

  constructor(worker: Worker) {
    this.#worker = worker;
  }

  list(): Message[] {
    return listMessages(this.#worker.paths, this.#worker.storyId);
  }

  watch(onChange: () => void): Disposable {
    return watchMessages(this.#worker.paths, this.#worker.storyId, onChange);
  }

  onHeard(message: Message): void {
    const { paths, storyId } = this.#worker;
    // Removed at once: a worker that is killed now must not tell it again.
    removeMessage(paths, storyId, message.id);
    this.#notes = this.#notes.then(() => this.#note(message));
  }

  /** Waits until everything that was read is in the journal. */
  settled(): Promise<void> {
    return this.#notes;
  }

  async #note({ from, text }: Message): Promise<void> {
    const { paths, storyId, env } = this.#worker;
    const note = buildMessageNote(from, text, new Date().toISOString());
    const mask = (it: string) => maskText(it, findSecrets(env));
    const masked = { ...note, title: mask(note.title), body: mask(note.body) };
    await appendJournal(paths, storyId, masked).catch(() => {
      // The output file has the message as well.
    });
  }
}
