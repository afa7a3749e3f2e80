import type { GraphNode } from '@saga-ai/types/plan/graph';
import type { ClaudeTask } from './claude-task.ts';
import { tryChangeNativeTask } from './native-edit.ts';
import { type NativeList, readNativeList } from './native-list.ts';

/** Where the `blocks` of a task say something else than those who wait. */
export interface Mismatch {
  id: string;
  missing: string[];
  extra: string[];
}

/**
 * A dependency stands in two files, and whoever writes both can be killed in between. What waits
 * says so in `blockedBy`, which is all that the client and we go by; `blocks` follows from it. A
 * file that cannot be read says nothing, so what is known of it stays.
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

/** Nearly every list is in order, which takes no copy to see. Long rows of names are left in doubt. */
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

/** Only those that somebody waits for: most tasks of a long list are not among them. */
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

export function correct(blocks: readonly string[], { missing, extra }: Mismatch): string[] {
  const wrong = new Set(extra);
  return [...new Set([...blocks.filter((it) => !wrong.has(it)), ...missing])];
}

/** Finishes what a killed process began. A task that is being written is left to the next time. */
export function mendMirror(folder: string): void {
  for (const mismatch of findMismatches(readNativeList(folder))) {
    try {
      tryChangeNativeTask(folder, mismatch.id, (task) => ({
        ...task,
        blocks: correct(task.blocks, mismatch),
      }));
    } catch {
      // Deleted or made unreadable meanwhile: there is nothing to mend any more.
    }
  }
}
