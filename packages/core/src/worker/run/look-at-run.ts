import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { listEntries } from '../../files/list-folder.ts';
import { listDescendants, openProcessTable } from '../../processes/table.ts';
import { RUN_VARIABLE } from '../../processes/variables.ts';
import type { Used } from '../decide/signs-of-life.ts';

/**
 * Measures the processes of a run: those that carry its mark, and everything below them and below its program.
 * `commandLine` is how the agent was started; a wall around it is started with the same words at the end.
 */
export function measureRun(pid: number, runId: string, commandLine: string): Map<string, Used> {
  const table = openProcessTable();
  const marked = table.listCarriers(RUN_VARIABLE).filter(({ value }) => value === runId);
  const all = listDescendants(table, [pid, ...marked.map((it) => it.pid)]);
  return new Map(
    all.flatMap((it): [string, Used][] => {
      const entry = table.find(it);
      const used = table.measure(it);
      if (!entry || entry.ended || !used) return [];
      const isAgent = it === pid || table.findCommandLine(it).endsWith(commandLine);
      return [[`${it} ${entry.started}`, { ...used, isAgent }]];
    }),
  );
}

const MOST_FILES = 100_000;
/** Files in these folders are many, and change only by commands that show other signs. */
const SKIPPED = ['.git', 'node_modules'];

/**
 * Whether a file or folder of a worktree changed since a time. Returns false if there are too many files to look at.
 */
export async function hasChangedFiles(folder: string, since: number): Promise<boolean> {
  const folders = [folder];
  let seen = 0;
  for (const it of folders) {
    for (const entry of listEntries(it)) {
      if (SKIPPED.includes(entry.name)) continue;
      if (++seen > MOST_FILES) return false;
      const path = join(it, entry.name);
      if (changedAt(path) >= since) return true;
      if (entry.isDirectory()) folders.push(path);
    }
    // Events of the run must not wait for a large worktree.
    await nextTurn();
  }
  return false;
}

function changedAt(path: string): number {
  try {
    const { mtimeMs, ctimeMs } = lstatSync(path);
    return Math.max(mtimeMs, ctimeMs);
  } catch {
    return 0;
  }
}
