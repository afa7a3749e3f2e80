import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../../files/atomic-write.ts';
import type { LeftWork } from '../../git/left-refs.ts';
import type { Worktree } from '../../git/worktree.ts';

/** What is needed to settle a run, saved in case the worker is killed during the run. */
export interface UnfinishedRun {
  runId: string;
  /** The tip of the branch when the run began. */
  commit: string;
  listFolder: string;
  /** The work of earlier runs that was kept beside the branch when the run began. */
  left?: readonly Pick<LeftWork, 'ref' | 'commit'>[];
  /** True if the run may write test files only; its other changes are put back. */
  onlyTests?: true;
  /** True if the run works in a sandbox, so its commits are still in quarantine. */
  isEnclosed?: true;
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
    const { runId, commit, listFolder, onlyTests, left, isEnclosed } = JSON.parse(
      readFileSync(file, 'utf8'),
    );
    const isWhole = [runId, commit, listFolder].every((it) => typeof it === 'string');
    if (!isWhole) return undefined;
    return {
      runId,
      commit,
      listFolder,
      ...(Array.isArray(left) ? { left: left.filter(isLeft) } : {}),
      ...(onlyTests === true ? { onlyTests } : {}),
      ...(isEnclosed === true ? { isEnclosed } : {}),
    };
  } catch {
    // SAGA writes this file atomically, so a run damaged it and its content cannot be used.
    return undefined;
  }
}

/** Anything may be in the file: a run can write it. */
function isLeft(it: unknown): it is Pick<LeftWork, 'ref' | 'commit'> {
  const { ref, commit } = (it ?? {}) as Record<string, unknown>;
  const isRef = typeof ref === 'string' && /^refs\/saga\/left\/[\w./-]+$/.test(ref);
  return isRef && typeof commit === 'string' && /^[0-9a-f]{40,64}$/.test(commit);
}
