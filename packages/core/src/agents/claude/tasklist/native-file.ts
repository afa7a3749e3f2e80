import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClaudeTask } from '@saga-ai/types/run/claude-task';
import { toWriteError } from '../../../errors.ts';
import { removeStaleLock, STALE_MS } from './client-lock.ts';

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

/**
 * What killed processes left, once no lock can last that long: texts that were not put in place, locks
 * of tasks that are gone, which nobody would ever take over, and locks that were put aside to be removed.
 */
export function sweepLeftovers(folder: string): void {
  const names = readdirSync(folder);
  for (const name of names) {
    const path = join(folder, name);
    const task = /^(.+\.json)\.lock$/.exec(name)?.[1];
    if (task !== undefined && !names.includes(task)) removeStaleLock(path);
    else if (/\.lock\.\d+$/.test(name) && isOld(path))
      rmSync(path, { recursive: true, force: true });
    else if (/^\..*\.tmp$/.test(name) && isOld(path)) rmSync(path, { force: true });
  }
}

function isOld(path: string): boolean {
  const written = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
  return Date.now() - written > STALE_MS;
}
