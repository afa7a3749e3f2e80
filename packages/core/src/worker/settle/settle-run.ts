import { join } from 'node:path';
import { followUpsPath } from '@saga-ai/types/plan/plan-paths';
import type { RunEnd } from '../../agents/agent.ts';
import { takeFollowUps } from '../../drafts/take-follow-ups.ts';
import { fetchBranch } from '../../git/find-base.ts';
import { freeGitLocks } from '../../git/free-git-locks.ts';
import { openPlainGit } from '../../git/plain-git.ts';
import { listLeft } from '../../git/refs/left-refs.ts';
import type { Worktree } from '../../git/worktree.ts';
import { loadStory, saveTaskFields } from '../../plan/stories.ts';
import { noteInJournal } from '../../plan/worker-notes.ts';
import { putBackCopies } from '../../project/paths.ts';
import type { Worker } from '../context.ts';
import { publish } from '../deliver/publish.ts';
import { settleElsewhere } from '../elsewhere/settle-elsewhere.ts';
import type { Snapshot } from '../elsewhere/snapshot.ts';
import { closeTold } from './close-told.ts';
import { commitStory } from './commit-story.ts';
import { ContentIds } from './content-ids.ts';
import { keepTests, keepToTask, keepToTests } from './keep-to-tests.ts';
import { leaveEnclosure } from './leave-enclosure.ts';
import { reclaimWorktree } from './reclaim-worktree.ts';
import { reopenTasks } from './reopen-tasks.ts';
import { keepAside, restoreDefinitions } from './restore-definitions.ts';
import { restoreJournal } from './restore-journal.ts';
import {
  clearUnfinishedRun,
  endUnfinished,
  findUnfinishedRun,
  saveUnfinishedRun,
  type UnfinishedRun,
} from './unfinished-run.ts';

export interface Settled {
  /** The files of the plan, and git's files and refs, that were put back. */
  restored: string[];
  /** The branch as the run left it, before anything was committed for it. */
  head: string | undefined;
  /** The commit on top of which the run worked: a person may have moved the branch meanwhile. */
  since: string;
  /** Says in words that a person moved the branch meanwhile. */
  moved?: string;
  /** True if the agent's list no longer agrees with the story, so that the next run needs a new one. */
  isListStale: boolean;
}

/** Updates the story's files after a run, puts the plan back, and commits. May be called again. */
export async function settleRun(
  worker: Worker,
  worktree: Worktree,
  run: UnfinishedRun,
  ended: RunEnd,
  /** The state outside the worktree before the run. Undefined if an earlier worker began the run. */
  before?: Snapshot,
): Promise<Settled> {
  const { paths, storyId, agent, emit } = worker;
  const git = openPlainGit(worktree.folder, worktree.git.env);
  // This comes first, because each git command below reads files that a run may have planted.
  const putBack = before
    ? await settleElsewhere(worker, worktree, before, run.runId, run.isEnclosed === true)
    : [];
  let since = run.onto ?? run.commit;
  const note = (onto: string) => {
    since = onto;
    saveUnfinishedRun(worker, worktree, { ...run, onto });
  };
  const moved = run.isEnclosed
    ? await leaveEnclosure(worker, worktree, run.runId, note)
    : undefined;
  await freeGitLocks(worktree, emit);
  await reclaimWorktree(worktree, git, emit, run);
  // This comes after the worktree is restored: if a run removed the .git file, git would answer for another checkout or
  // none.
  const head = await git.resolve('HEAD');
  const keepIn = putBackCopies(paths, worker.session, run.runId);
  const seen = contentsOf(worker);
  const findTip = () => findBaseTip(worker, worktree);
  const restored = await restoreDefinitions(git, since, storyId, findTip, keepIn, seen);
  if (restored.length > 0) emit('definitions:restored', { files: restored, keptIn: keepIn });
  if (run.journal !== undefined) await restoreJournal(worker, run.journal, keepIn);
  await keepFollowUps(worker, keepIn);
  // Done before anything is pushed. If the worker is killed here, its note remains, and the next worker
  // repeats this.
  if (run.onlyTests) await keepToTests(worker, worktree, since);
  if (run.writes) await keepToTask(worker, worktree, since, run.writes);
  if (run.tests) await keepTests(worker, worktree, since, run.tests);
  const { changes, notes, problems } = await agent.tasks.reconcile(paths, storyId, run.listFolder, {
    ...ended,
    ...(run.own ? { own: run.own } : {}),
  });
  for (const { taskId, from, to, why } of changes)
    emit('task:status', { task: taskId, from, to, why });
  emit('reconcile:done', { changes: changes.length, notes, problems });
  const left = await listLeft(git, worktree.branch, run.runId);
  const reopened = left.length > 0 ? await reopenTasks(worker, git, run.commit) : [];
  if (ended.outcome === 'stalled') await noteInJournal(worker, `ended a run: ${ended.detail}`);
  await correctOutcomes(worker);
  await escalate(worker);
  if (run.told) await closeTold(worker, run.told, { from: since, to: head });
  await commitStory(worker, worktree);
  await publish(worker, worktree);
  clearUnfinishedRun(worker, worktree);
  const isDamaged = notes.some(({ kind }) => kind !== 'created-by-run');
  return {
    restored: [...restored, ...putBack],
    head,
    since,
    moved,
    isListStale: isDamaged || reopened.length > 0,
  };
}

/** Moves the follow-ups of the run out of the story, as drafts for a person. */
async function keepFollowUps(worker: Worker, keepIn: string): Promise<void> {
  const { paths, storyId, session, emit } = worker;
  // A rehearsal plays a script, so its follow-ups are not real.
  if (paths.isRehearsal) return;
  const from = { story: storyId, session };
  const { kept, refused } = await takeFollowUps(paths, from, (file) =>
    keepAside(file, join(keepIn, followUpsPath(storyId))),
  );
  if (kept.length > 0) {
    const [drafts, titles] = [kept.map((it) => it.number), kept.map((it) => it.title)];
    emit('follow-ups:kept', { drafts, titles });
  }
  if (refused !== undefined) emit('follow-ups:refused', { reason: refused, keptIn: keepIn });
}

/**
 * Returns the tip of the base branch: as the remote has it now, asked at its pinned address. Without a
 * remote, the local branch says what a person may have committed meanwhile; the gate does not believe it.
 */
async function findBaseTip(
  { emit, paths }: Worker,
  { git, base: { remote, branch, commit, pinned } }: Worktree,
): Promise<string | undefined> {
  if (branch === undefined || paths.isRehearsal) return commit;
  if (remote === undefined) return git.resolve(`refs/heads/${branch}`);
  const fetched = await fetchBranch(git, remote, branch, { emit, pinned });
  return fetched === 'fetched' ? git.resolve(`refs/remotes/${remote}/${branch}`) : undefined;
}

/** The known contents of each worker, so that a file that was read after one run is not read again after the next. */
const CONTENTS = new WeakMap<Worker, ContentIds>();

function contentsOf(worker: Worker): ContentIds {
  const known = CONTENTS.get(worker) ?? new ContentIds(worker.storyId);
  CONTENTS.set(worker, known);
  return known;
}

/**
 * Settles the run of a worker that was killed during the run. The run had no chance to finish, so no
 * attempt is counted.
 */
export async function settleUnfinished(worker: Worker, worktree: Worktree): Promise<string[]> {
  const run = findUnfinishedRun(worktree);
  if (!run) return [];
  await endUnfinished(worker, run);
  worker.emit('recovery:start', { run: run.runId });
  const { restored } = await settleRun(worker, worktree, run, {});
  worker.emit('recovery:done', { run: run.runId });
  return restored;
}

/** Corrects `lastOutcome` of tasks that are completed, because their last attempt did not leave them unfinished. */
async function correctOutcomes({ paths, storyId }: Worker): Promise<void> {
  for (const { id, status, lastOutcome } of loadStory(paths, storyId).tasks) {
    if (status !== 'completed' || lastOutcome === undefined || lastOutcome === 'completed')
      continue;
    await saveTaskFields(paths, storyId, id, { lastOutcome: 'completed' });
  }
}

async function escalate(worker: Worker): Promise<void> {
  const { paths, storyId, config, emit } = worker;
  const { maxAttempts } = config.worker;
  for (const task of loadStory(paths, storyId).tasks) {
    const { id, attempts = 0, status, escalated } = task;
    if (status === 'completed' || escalated || attempts < maxAttempts) continue;
    await saveTaskFields(paths, storyId, id, { escalated: true });
    emit('task:escalated', { task: id, attempts });
    await noteInJournal(worker, `escalated ${id} after ${attempts} attempts`);
  }
}
