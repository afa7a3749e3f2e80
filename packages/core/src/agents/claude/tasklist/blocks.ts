import type { GraphNode } from '@saga-ai/types/plan/graph';
import type { ClaudeTask } from './claude-task.ts';
import { tryChangeNativeTask } from './native-edit.ts';
import { type NativeList, readNativeList } from './native-list.ts';

/** A task whose `blocks` differ from the `blockedBy` of the tasks that wait for it. */
export interface Mismatch {
  id: string;
  missing: string[];
  extra: string[];
}

/**
 * Finds tasks whose `blocks` are wrong. A dependency is stored in two files, and a process can be
 * killed between the two writes. `blockedBy` is what the client and SAGA obey; `blocks` is derived
 * from it. Entries for files that cannot be read are kept.
 */
export function findMismatches({ tasks, invalid }: Omit<NativeList, 'problems'>): Mismatch[] {
  if (isClearlyMirrored(tasks)) return [];
  const unknown = new Set(invalid);
  const waiting = findWaiting(tasks);
  const mismatches: Mismatch[] = [];
  for (const { id, blocks } of tasks) {
    const right = waiting.get(id);
    if (blocks.length === 0 && right === undefined) continue;
    const said = new Set(blocks);
    const missing = [...(right ?? [])].filter((it) => !said.has(it));
    const extra = blocks.filter((it) => !right?.has(it) && !unknown.has(it));
    if (missing.length + extra.length > 0) mismatches.push({ id, missing, extra });
  }
  return mismatches;
}

/**
 * A quick check without copies, because nearly every list is right. Returns false if in doubt, which
 * includes long `blocks`.
 */
function isClearlyMirrored(tasks: readonly ClaudeTask[]): boolean {
  const byId = new Map<string, ClaudeTask>();
  for (const task of tasks) byId.set(task.id, task);
  const names = (side: readonly string[] | undefined, id: string) =>
    side !== undefined && side.length < 32 && side.includes(id);
  return tasks.every(
    ({ id, blocks, blockedBy }) =>
      blockedBy.every((other) => names(byId.get(other)?.blocks, id)) &&
      blocks.every((other) => names(byId.get(other)?.blockedBy, id)),
  );
}

/**
 * Maps each task to the tasks that wait for it. Tasks without waiters are left out; in a long list
 * these are most.
 */
function findWaiting(tasks: readonly GraphNode[]): Map<string, Set<string>> {
  const waiting = new Map<string, Set<string>>();
  for (const { id, blockedBy } of tasks) {
    for (const blocker of blockedBy) {
      const known = waiting.get(blocker);
      if (known) known.add(id);
      else waiting.set(blocker, new Set([id]));
    }
  }
  return waiting;
}

export function correctBlocks(blocks: readonly string[], { missing, extra }: Mismatch): string[] {
  const wrong = new Set(extra);
  return [...new Set([...blocks.filter((it) => !wrong.has(it)), ...missing])];
}

/** Repairs the `blocks` that a killed process left wrong. Skips a task that is being written. */
export function mendBlocks(folder: string): void {
  for (const mismatch of findMismatches(readNativeList(folder))) {
    try {
      tryChangeNativeTask(folder, mismatch.id, (task) => ({
        ...task,
        blocks: correctBlocks(task.blocks, mismatch),
      }));
    } catch {
      // The task was deleted or became unreadable meanwhile: nothing is left to repair.
    }
  }
}
