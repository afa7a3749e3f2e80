import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Emit } from '@saga-ai/types/run/session-event';
import { formatSessionEvent, type SessionEvent } from '@saga-ai/types/run/session-event';
import { messageOf, toWriteError } from '../errors.ts';
import { ensureFolder } from '../files/ensure-folder.ts';

export interface SessionLog extends Disposable {
  emit: Emit;
}

/** The output file: one event a line, only ever appended to, so its size costs nothing. */
export function openSessionLog(file: string, listen: (event: SessionEvent) => void): SessionLog {
  const handle = openForAppend(file);
  let isBroken = false;
  const emit: Emit = (type, fields = {}) => {
    const event = { time: new Date().toISOString(), type, ...fields };
    if (!isBroken) {
      try {
        writeWhole(handle, formatSessionEvent(event));
      } catch (error) {
        // The work is worth more than its log; whoever watches is told once.
        isBroken = true;
        listen({ ...event, type: 'log:failed', reason: messageOf(toWriteError(error, file)) });
      }
    }
    listen(event);
  };
  return { emit, [Symbol.dispose]: () => closeSync(handle) };
}

function openForAppend(file: string): number {
  try {
    ensureFolder(dirname(file), 0o700);
    const handle = openSync(file, 'a+', 0o600);
    // What a killed worker left of its last line must not swallow our first.
    const { size } = fstatSync(handle);
    const last = Buffer.alloc(1);
    if (size > 0 && readSync(handle, last, 0, 1, size - 1) === 1 && last[0] !== 0x0a) {
      writeSync(handle, '\n');
    }
    return handle;
  } catch (error) {
    throw toWriteError(error, file);
  }
}

function writeWhole(handle: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at);
}
