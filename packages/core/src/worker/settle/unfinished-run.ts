import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../../files/atomic-write.ts';
import type { Worktree } from '../../git/worktree.ts';

/** What must be looked after when a run ends, also when its worker does not live to see it. */
export interface UnfinishedRun {
  runId: string;
  /** The branch as it was when the run began. */
  commit: string;
  listFolder: string;
  /** The run may write test files only; all else it changed is put back. */
  onlyTests?: true;
}

const FILE = 'saga-run.json';

export function saveUnfinishedRun({ gitFolder }: Worktree, run: UnfinishedRun): void {
  writeFileAtomic(join(gitFolder, FILE), `${JSON.stringify(run)}\n`);
}

export function clearUnfinishedRun({ gitFolder }: Worktree): void {
  rmSync(join(gitFolder, FILE), { force: true });
}

export function findUnfinishedRun({
  gitFolder,
}: Pick<Worktree, 'gitFolder'>): UnfinishedRun | undefined {
  const file = join(gitFolder, FILE);
  if (!existsSync(file)) return undefined;
  try {
    const { runId, commit, listFolder, onlyTests } = JSON.parse(readFileSync(file, 'utf8'));
    const isWhole = [runId, commit, listFolder].every((it) => typeof it === 'string');
    if (!isWhole) return undefined;
    return { runId, commit, listFolder, ...(onlyTests === true ? { onlyTests } : {}) };
  } catch {
    // We write it whole or not at all; a run has spoilt it, and nothing can be concluded from it.
    return undefined;
  }
}
