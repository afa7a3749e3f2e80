import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { LONGEST_MESSAGE, Message } from '@saga-ai/types/run/message';
import { errorCodeOf } from '../errors.ts';
import { ensureIgnoredFolder, writeFileAtomic } from '../files/atomic-write.ts';
import { ensureFolder } from '../files/ensure-folder.ts';
import { readJsonFile } from '../files/json-file.ts';
import { formatJson } from '../files/json-text.ts';
import { messageFolder, type Paths } from '../project/paths.ts';

/** Leaves a message for the worker of a story. If a message with the same id waits already, returns that one. */
export function leaveMessage(
  paths: Paths,
  storyId: string,
  said: Pick<Message, 'from' | 'text' | 'interrupts'> & { id?: string },
): Message {
  const known = listMessages(paths, storyId).find(({ id }) => id === said.id);
  if (known) return known;
  const message: Message = { id: randomUUID(), ...said, time: new Date().toISOString() };
  const folder = messageFolder(paths, storyId);
  ensureIgnoredFolder(paths.runs);
  ensureFolder(folder);
  writeFileAtomic(join(folder, nameAfter(folder)), formatJson(message));
  return message;
}

/** Lists the messages that wait, oldest first. Skips files that are not messages. */
export function listMessages(paths: Paths, storyId: string): Message[] {
  const folder = messageFolder(paths, storyId);
  return listNames(folder).flatMap((name) => {
    const read = readJsonFile(paths.root, join(folder, name), Message);
    if (!('value' in read)) return [];
    // A program that can write into this folder can write more than `saga tell` accepts.
    return [{ ...read.value, text: read.value.text.slice(0, LONGEST_MESSAGE) }];
  });
}

/** Removes a message that was read or kept elsewhere. Returns false if it was gone already. */
export function removeMessage(paths: Paths, storyId: string, id: string): boolean {
  const folder = messageFolder(paths, storyId);
  for (const name of listNames(folder)) {
    const read = readJsonFile(paths.root, join(folder, name), Message);
    if (!('value' in read) || read.value.id !== id) continue;
    rmSync(join(folder, name), { force: true });
    return true;
  }
  return false;
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => NAME.test(name))
      .toSorted();
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

const NAME = /^\d{15}-[0-9a-f]{8}\.json$/;

/** Returns a file name that sorts after all waiting messages, even if the clock was set back. */
function nameAfter(folder: string): string {
  const last = Number(listNames(folder).at(-1)?.slice(0, 15) ?? 0);
  const at = Math.max(Date.now(), last + 1);
  return `${String(at).padStart(15, '0')}-${randomUUID().slice(0, 8)}.json`;
}
