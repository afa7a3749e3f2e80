import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Emit, EventFields, EventType, RunEvent } from '@saga-ai/types/run/event';
import { formatSessionEvent } from '@saga-ai/types/run/format-event';
import { maskDeep, type Secret } from '@saga-ai/types/words/mask-secrets';
import { messageOf, toWriteError } from '../errors.ts';
import { ensureFolder } from '../files/ensure-folder.ts';

export interface SessionLog extends Disposable {
  emit: Emit;
}

type Listener = (event: RunEvent) => void;

/**
 * Opens the output file: one event per line, only ever appended. `emit` never throws, because the
 * worker depends on it: a write error or a failing listener is reported once, and the work continues.
 */
export function openSessionLog(file: string, ...listeners: Listener[]): SessionLog {
  const handle = openForAppend(file);
  let isBroken = false;
  const write = (event: RunEvent) => {
    if (isBroken) return;
    try {
      writeWhole(handle, formatSessionEvent(event));
    } catch (error) {
      isBroken = true;
      emit('log:failed', { reason: messageOf(toWriteError(error, file)) });
    }
  };
  const emit = createEmit(write, ...listeners);
  return { emit, [Symbol.dispose]: () => closeSync(handle) };
}

/** Builds events and tells them to listeners. `emit` never throws: a failing listener is reported once. */
export function createEmit(...listeners: Listener[]): Emit {
  const failed = new Set<Listener>();
  const emit: Emit = (type, fields) => {
    const event = build(type, fields);
    for (const listen of listeners) {
      try {
        listen(event);
      } catch (error) {
        if (failed.has(listen)) continue;
        failed.add(listen);
        emit('listener:failed', { reason: messageOf(error) });
      }
    }
  };
  return emit;
}

/** Masks secrets in all events. */
export function maskEvents(emit: Emit, secrets: readonly Secret[]): Emit {
  return (type, fields) => emit(type, maskDeep(fields, secrets));
}

function build<T extends EventType>(type: T, fields: EventFields<T>): RunEvent {
  return { time: new Date().toISOString(), type, ...fields } as RunEvent;
}

function openForAppend(file: string): number {
  try {
    ensureFolder(dirname(file), 0o700);
    const handle = openSync(file, 'a+', 0o600);
    // A killed worker may have left half a line; the first event must start on a new line.
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
