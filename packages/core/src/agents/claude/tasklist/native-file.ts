import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toWriteError } from '../../../errors.ts';
import type { ClaudeTask } from './claude-task.ts';
import { removeStaleLock, STALE_MS } from './client-lock.ts';

export function taskPath(folder: string, id: string): string {
  return join(folder, `${id}.json`);
}

/** Writes a task. The caller must hold the task's lock, unless the task is new. */
export function writeNativeTask(folder: string, task: ClaudeTask): void {
  replaceFile(folder, `${task.id}.json`, JSON.stringify(task, null, 2));
}

const HIGH_WATERMARK = '.highwatermark';

/** The highest number of a deleted task; it is never used again. */
export function readHighWatermark(folder: string): number {
  try {
    return Number.parseInt(readFileSync(join(folder, HIGH_WATERMARK), 'utf8'), 10) || 0;
  } catch {
    // The client writes this file at the first deletion; until then it counts as zero.
    return 0;
  }
}

export function raiseHighWatermark(folder: string, number: number): void {
  if (number > readHighWatermark(folder)) replaceFile(folder, HIGH_WATERMARK, String(number));
}

/**
 * Replaces a file by renaming, so that no reader sees half of it. The client opens the path anew each
 * time.
 */
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
 * Removes what killed processes left and is older than any lock can be: temporary files, locks of
 * deleted tasks (which no process would take over), and stale locks that were renamed.
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
