import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { openSharedGit } from '../../git/plain-git.ts';
import type { Worktree } from '../../git/worktree.ts';
import { putBackCopies } from '../../project/paths.ts';
import { sharedFolderOf } from '../../sandbox/git-quarantine.ts';
import type { Worker } from '../context.ts';
import { branchOf, headOf, MAIN, readCheckouts, readMoves } from './checkouts.ts';
import type { Elsewhere } from './elsewhere.ts';
import { restoreControlFiles } from './restore-control-files.ts';
import { restoreRefs } from './restore-refs.ts';
import { listBusyStories, readPlanStamps, type Snapshot } from './snapshot.ts';

/**
 * Compares what lies outside the worktree with how it was before a run. Puts back what only a run changes, keeps a copy
 * of it, and reports the rest. git's own files come first: every later git command reads them. A run in the sandbox
 * reaches only the submodules of its worktree, so other changes are only reported.
 */
export async function settleElsewhere(
  worker: Worker,
  worktree: Worktree,
  before: Snapshot,
  runId: string,
  isEnclosed = false,
): Promise<string[]> {
  const { paths, emit } = worker;
  const shared = sharedFolderOf(worktree);
  const git = openSharedGit(shared, worktree.git.env);
  const keepIn = join(putBackCopies(paths, worker.session, runId), '.git');
  const files = await restoreControlFiles(
    git,
    shared,
    basename(worktree.gitFolder),
    before,
    keepIn,
    isEnclosed,
  );
  const heads = settleHeads(worker, shared, basename(worktree.gitFolder), before, isEnclosed);
  const refs = await restoreRefs(worker, worktree, git, before, runId, isEnclosed);
  const plan = comparePlans(worker, before);
  const found = [files, heads, refs, plan];
  const putBack = found.flatMap((it) => it.putBack);
  const noticed = found.flatMap((it) => it.noticed);
  const kept = { keptIn: files.putBack.length > 0 ? keepIn : undefined, refs: refs.kept };
  if (putBack.length > 0) emit('elsewhere:restored', { what: putBack, ...kept });
  if (noticed.length > 0) emit('elsewhere:noticed', { what: noticed });
  return putBack;
}

/**
 * Looks at the HEAD of all other checkouts. git notes every switch of a branch; a HEAD that changed
 * without a note was written by a program that is not git.
 */
function settleHeads(
  { paths }: Worker,
  shared: string,
  own: string,
  { checkouts, busy, takenAt }: Snapshot,
  isEnclosed: boolean,
): Elsewhere {
  const found: Elsewhere = { putBack: [], noticed: [] };
  const now = readCheckouts(shared, own);
  const atWork = new Set([...busy, ...listBusyStories(paths, takenAt)]);
  for (const [name, mark] of checkouts) {
    const after = now.get(name);
    if (after?.head === mark.head || atWork.has(name)) continue;
    const place = name === MAIN ? 'the main checkout' : `the worktree ${name}`;
    const [was, is] = [mark.head, after?.head ?? ''].map((it) => branchOf(it) ?? it.trim());
    const isNoted = after !== undefined && (readMoves(shared, name, mark)?.size ?? 1) > 0;
    if (isEnclosed || isNoted || (after === undefined && name !== MAIN)) {
      found.noticed.push(after ? `${place} is on ${is} now, before on ${was}` : `${place} is gone`);
      continue;
    }
    writeFileSync(headOf(shared, name), mark.head);
    found.putBack.push(`HEAD of ${place}`);
  }
  return found;
}

/** A person may edit the plan at any time, so a change in the main checkout is only reported. */
function comparePlans({ paths }: Worker, { plan }: Snapshot): Elsewhere {
  const now = readPlanStamps(paths);
  const changed = [...new Set([...plan.keys(), ...now.keys()])]
    .filter((path) => plan.get(path) !== now.get(path))
    .sort();
  return { putBack: [], noticed: changed.map((path) => `${path} in the main checkout`) };
}
