import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toWriteError } from '../../../errors.ts';
import type { ClaudeTask } from './claude-task.ts';
import { STALE_MS } from './client-lock.ts';

export function taskPath(folder: string, id: string): string {
  return join(folder, `${id}.json`);
}

/** Call it with the task's lock in hand, or for a task that nobody knows yet. */
export function writeNativeTask(folder: string, task: ClaudeTask): void {
  replaceFile(folder, `${task.id}.json`, JSON.stringify(task, null, 2));
}

const HIGH_WATERMARK = '.highwatermark';

/** The highest number of a deleted task, which is never given again. */
export function readHighWatermark(folder: string): number {
  try {
    return Number.parseInt(readFileSync(join(folder, HIGH_WATERMARK), 'utf8'), 10) || 0;
  } catch {
    // The client writes it at the first delete; until then it counts as zero.
    return 0;
  }
}

export function raiseHighWatermark(folder: string, number: number): void {
  if (number > readHighWatermark(folder)) replaceFile(folder, HIGH_WATERMARK, String(number));
}

/** By rename, which no reader can catch half done; the client opens the path anew each time. */
function replaceFile(folder: string, name: string, text: string): void {
  const path = join(folder, name);
  const temp = join(folder, `.${name}.${process.pid}.tmp`);
  try {
    writeFileSync(temp, text);
    renameSync(temp, path);
  } catch (error) {
    rmSync(temp, { force: true });
    throw toWriteError(error, path);
  }
}

/** What killed writers left. No writer needs its temp file for as long as a lock may last. */
export function sweepOldTemps(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith('.') || !name.endsWith('.tmp')) continue;
    const temp = join(folder, name);
    const written = statSync(temp, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - written > STALE_MS) rmSync(temp, { force: true });
  }
}
