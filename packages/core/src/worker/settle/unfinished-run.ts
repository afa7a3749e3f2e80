import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeFileAtomic } from '../../files/atomic-write.ts';
import { ensureFolder } from '../../files/ensure-folder.ts';
import { identifyFolder } from '../../files/identify-folder.ts';
import { isLeftRef, type LeftWork } from '../../git/refs/left-refs.ts';
import type { Worktree } from '../../git/worktree.ts';
import { hasWorker } from '../../plan/story-lock.ts';
import {
  describeProcess,
  formatIdentity,
  isElsewhere,
  isProcessGone,
  parseIdentity,
} from '../../processes/identity.ts';
import { endMarked } from '../../processes/stop-program.ts';
import { unfinishedRunFile } from '../../project/paths.ts';
import type { Worker } from '../context.ts';

/** What is needed to settle a run, saved in case the worker is killed during the run. */
export interface UnfinishedRun {
  runId: string;
  /** The tip of the branch when the run began. */
  commit: string;
  /** The commit that a person gave the branch during the run. What the run did is what comes on top of it. */
  onto?: string;
  listFolder: string;
  /** The journal when the run began. */
  journal?: string;
  /** The work of earlier runs that was kept beside the branch when the run began. */
  left?: readonly Pick<LeftWork, 'ref' | 'commit'>[];
  /** True if the run may write test files only; its other changes are put back. */
  onlyTests?: true;
  /** The tasks whose statuses the run may change. */
  own?: readonly string[];
  /** Globs of what the one task of the run may change; other changes are put back. */
  writes?: readonly string[];
  /** Paths of tests that the run may not change. */
  tests?: readonly string[];
  /** True if the run works in a sandbox, so its commits are still in quarantine. */
  isEnclosed?: true;
  /**
   * The ids of the feedback and the answers that the run was told. Only set for a run that was able to work and has ended.
   */
  told?: readonly string[];
  /** The process of the worker that began the run. */
  worker?: string | undefined;
}

const FILE = 'saga-run.json';

/** A second copy among the repository's records: a run can remove the one in the worktree's git folder. */
const copyOf = ({ paths, storyId }: Place) => unfinishedRunFile(paths, storyId);

type Place = Pick<Worker, 'paths' | 'storyId'>;

export function saveUnfinishedRun(
  place: Place,
  { gitFolder, identity }: Worktree,
  run: UnfinishedRun,
): void {
  const note = { ...run, worker: formatIdentity(describeProcess(process.pid), 'run') };
  ensureFolder(dirname(copyOf(place)));
  const worktree = identifyFolder(gitFolder);
  writeFileAtomic(copyOf(place), `${JSON.stringify({ ...note, worktree, identity })}\n`);
  writeFileAtomic(join(gitFolder, FILE), `${JSON.stringify(note)}\n`);
}

/**
 * Ends the programs of a run whose worker died. Throws if the worker lives: a lock may be lost, but a process that
 * works is not cleaned up after.
 */
export async function endUnfinished(
  { paths, storyId }: Place,
  { runId, worker = '' }: Pick<UnfinishedRun, 'runId' | 'worker'>,
): Promise<void> {
  const owner = parseIdentity(worker);
  const isOther = owner !== undefined && owner.pid !== process.pid && !isElsewhere(owner);
  if (isOther && !isProcessGone(owner)) throw hasWorker(paths, storyId, owner);
  await endMarked(runId);
}

export function clearUnfinishedRun(place: Place, { gitFolder }: Worktree): void {
  rmSync(join(gitFolder, FILE), { force: true });
  rmSync(copyOf(place), { force: true });
}

/** Restores a note that a run removed or damaged. Removes a copy that is about another worktree. */
export function recoverUnfinishedRun(place: Place, { gitFolder }: Worktree): void {
  if (findUnfinishedRun({ gitFolder })) return;
  try {
    const { worktree, identity: _, ...run } = JSON.parse(readFileSync(copyOf(place), 'utf8'));
    if (worktree === identifyFolder(gitFolder)) {
      writeFileAtomic(join(gitFolder, FILE), `${JSON.stringify(run)}\n`);
    }
  } catch {
    // There is no copy, or a run damaged it, too.
  }
  if (!findUnfinishedRun({ gitFolder })) rmSync(copyOf(place), { force: true });
}

/** Returns the run that the second copy is about, and the folder that its worktree was then. */
export function findNotedFolder(
  place: Place,
): { runId: string; identity: string; worker?: string | undefined } | undefined {
  try {
    const { runId, identity, worker } = JSON.parse(readFileSync(copyOf(place), 'utf8'));
    const isWhole = /^[\w-]+$/.test(runId) && typeof identity === 'string';
    return isWhole ? { runId, identity, worker: toText(worker) } : undefined;
  } catch {
    // There is no copy, or a run damaged it.
    return undefined;
  }
}

export function findUnfinishedRun({
  gitFolder,
}: Pick<Worktree, 'gitFolder'>): UnfinishedRun | undefined {
  const file = join(gitFolder, FILE);
  if (!existsSync(file)) return undefined;
  try {
    const found = JSON.parse(readFileSync(file, 'utf8'));
    const { runId, commit, listFolder, journal, onlyTests, own, writes, tests, left } = found;
    const { isEnclosed, told, onto, worker } = found;
    const isWhole = [runId, commit, listFolder].every((it) => typeof it === 'string');
    if (!isWhole) return undefined;
    return {
      runId,
      commit,
      listFolder,
      onto: isCommit(onto) ? onto : undefined,
      journal: typeof journal === 'string' ? journal : undefined,
      left: Array.isArray(left) ? left.filter(isLeft) : undefined,
      onlyTests: onlyTests === true ? onlyTests : undefined,
      own: Array.isArray(own) ? own.map(String) : undefined,
      writes: Array.isArray(writes) ? writes.map(String) : undefined,
      tests: Array.isArray(tests) ? tests.map(String) : undefined,
      isEnclosed: isEnclosed === true ? isEnclosed : undefined,
      told: Array.isArray(told) ? told.map(String) : undefined,
      worker: toText(worker),
    };
  } catch {
    // SAGA writes this file atomically, so a run damaged it and its content cannot be used.
    return undefined;
  }
}

const toText = (it: unknown) => (typeof it === 'string' ? it : undefined);
const isCommit = (it: unknown): it is string =>
  typeof it === 'string' && /^[0-9a-f]{40,64}$/.test(it);

/** Anything may be in the file: a run can write it. */
function isLeft(it: unknown): it is Pick<LeftWork, 'ref' | 'commit'> {
  const { ref, commit } = (it ?? {}) as Record<string, unknown>;
  return typeof ref === 'string' && isLeftRef(ref) && isCommit(commit);
}

/** Removes the second copy of the note: the worktree that it is about is gone. */
export function dropUnfinishedCopy(place: Place): void {
  rmSync(copyOf(place), { force: true });
}
