import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ClaudeTask } from '@saga-ai/types/claude-task';
import { describeIssues } from '@saga-ai/types/describe-issue';
import type { Problem } from '@saga-ai/types/problem';
import { errorCodeOf, messageOf } from '../errors.ts';
import { listFolder } from '../store/list-folder.ts';

/** A native list as it is on disk: the client drops what it cannot read, we say so. */
export interface NativeList {
  tasks: ClaudeTask[];
  /** Ids of files that cannot be read. */
  invalid: string[];
  problems: Problem[];
}

export function readNativeList(folder: string): NativeList {
  const list: NativeList = { tasks: [], invalid: [], problems: [] };
  for (const name of listFolder(folder, folder, list.problems).sort(compareNames)) {
    if (!name.endsWith('.json')) continue;
    const id = name.slice(0, -'.json'.length);
    const result = readNativeTask(folder, id);
    if (result === undefined) continue;
    if ('task' in result) list.tasks.push(result.task);
    else {
      list.invalid.push(id);
      list.problems.push(result.problem);
    }
  }
  return list;
}

const TORN_READS = 4;

/**
 * One task; nothing when its file is gone. The client writes in place, so a read may catch half of
 * a write: it is tried again before the file is called broken.
 */
export function readNativeTask(
  folder: string,
  id: string,
): { task: ClaudeTask } | { problem: Problem } | undefined {
  const file = join(folder, `${id}.json`);
  for (let attempt = 1; ; attempt++) {
    try {
      return checkTask(id, JSON.parse(readFileSync(file, 'utf8')));
    } catch (error) {
      const code = errorCodeOf(error);
      if (code === 'ENOENT') return undefined;
      // A folder called x.json is nothing to the client, and so to us.
      if (code === 'EISDIR') return undefined;
      if (code !== undefined || attempt >= TORN_READS)
        return { problem: describe(id, messageOf(error)) };
      Atomics.wait(PAUSE, 0, 0, 3);
    }
  }
}

const PAUSE = new Int32Array(new SharedArrayBuffer(4));

/** The file name is the key, as it is for the client's own TaskGet and TaskUpdate. */
function checkTask(id: string, input: unknown): { task: ClaudeTask } | { problem: Problem } {
  const result = ClaudeTask.safeParse(input);
  if (result.success) return { task: { ...result.data, id } };
  const [first] = describeIssues(result.error, input);
  return { problem: describe(id, `"${first?.field}" ${first?.message}`) };
}

function describe(id: string, reason: string): Problem {
  return {
    code: 'invalid-file',
    message: `${id}.json of the task list cannot be read: ${reason}. Claude Code does not see this task.`,
    hint: `Correct the file, or remove the task: saga task delete ${id}`,
    file: `${id}.json`,
  };
}

/** Numbers in their order, then names: the order tasks were made in, as far as it can be known. */
function compareNames(a: string, b: string): number {
  const [x, y] = [Number.parseInt(a, 10), Number.parseInt(b, 10)];
  if (!Number.isNaN(x) && !Number.isNaN(y) && x !== y) return x - y;
  return a < b ? -1 : a > b ? 1 : 0;
}
