import { readFileSync } from 'node:fs';
import { describeIssues } from '@saga-ai/types/words/describe-issue';
import type { Problem } from '@saga-ai/types/words/problem';
import { errorCodeOf, messageOf } from '../../../errors.ts';
import { READ } from '../../../files/json-file.ts';
import { findJsonFault } from '../../../files/json-text.ts';
import { listFolder } from '../../../files/list-folder.ts';
import { ClaudeTask } from './claude-task.ts';
import { isPlainClaudeTask } from './plain-claude-task.ts';
import { sanitise } from './task-list-folder.ts';

/** A native list as it is on disk. The client silently skips files that it cannot read; SAGA reports them. */
export interface NativeList {
  tasks: ClaudeTask[];
  /** Ids of files that cannot be read. */
  invalid: string[];
  problems: Problem[];
}

export function readNativeList(folder: string): NativeList {
  const list: NativeList = { tasks: [], invalid: [], problems: [] };
  const names = listFolder(folder, folder, list.problems);
  for (const id of orderIds(names.filter((name) => name.endsWith('.json')))) {
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
 * Reads one task; returns undefined if its file is missing. The client writes in place, so a read may
 * see half a write: it is repeated before the file counts as broken.
 */
export function readNativeTask(
  folder: string,
  id: string,
): { task: ClaudeTask } | { problem: Problem } | undefined {
  const file = `${folder}/${id}.json`;
  for (let attempt = 1; ; attempt++) {
    let text = '';
    try {
      text = readFileSync(file, READ);
      return checkTask(id, JSON.parse(text));
    } catch (error) {
      const code = errorCodeOf(error);
      if (code === 'ENOENT') return undefined;
      // The client ignores a folder called x.json, and so does SAGA.
      if (code === 'EISDIR') return undefined;
      if (code !== undefined) return { problem: describe(id, messageOf(error)) };
      if (attempt >= TORN_READS) return { problem: describe(id, describeFault(text)) };
      Atomics.wait(PAUSE, 0, 0, 3);
    }
  }
}

const PAUSE = new Int32Array(new SharedArrayBuffer(4));

/** Checks a task. The file name is its key, as in the client's own TaskGet and TaskUpdate. */
function checkTask(id: string, input: unknown): { task: ClaudeTask } | { problem: Problem } {
  if (sanitise(id) !== id) return { problem: describeName(id) };
  if (isPlainClaudeTask(input)) return { task: withId(input as ClaudeTask, id) };
  const result = ClaudeTask.safeParse(input);
  if (result.success) return { task: withId(result.data, id) };
  const [first] = describeIssues(result.error, input);
  return { problem: describe(id, `"${first?.field}" ${first?.message}`) };
}

const withId = (task: ClaudeTask, id: string) => (task.id === id ? task : { ...task, id });

function describeFault(text: string): string {
  const fault = findJsonFault(text);
  return `it is not valid JSON${fault ? ` (line ${fault.line}: ${fault.reason})` : ''}`;
}

function describe(id: string, reason: string): Problem {
  return {
    code: 'invalid-file',
    message: `${id}.json of the task list cannot be read: ${reason}. Claude Code does not see this task.`,
    hint: `Correct the file, or remove the task: saga task delete ${id}`,
    file: `${id}.json`,
  };
}

function describeName(id: string): Problem {
  return {
    code: 'invalid-id',
    message: `${id}.json of the task list is never found: Claude Code looks for ${sanitise(id)}.json instead.`,
    hint: 'Give the file a name of letters, digits, - and _ that is free, or remove it.',
    file: `${id}.json`,
  };
}

/** Sorts numbers first, by value, then names. This is roughly the order of creation. */
function orderIds(files: readonly string[]): string[] {
  const keyed = files.map((file) => {
    const id = file.slice(0, -'.json'.length);
    return { id, number: Number.parseInt(id, 10) };
  });
  keyed.sort((a, b) => {
    if (a.number !== b.number && !Number.isNaN(a.number) && !Number.isNaN(b.number)) {
      return a.number - b.number;
    }
    return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
  });
  return keyed.map(({ id }) => id);
}
