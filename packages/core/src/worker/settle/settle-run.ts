import { join } from 'node:path';
import type { RunEnd } from '../../agents/agent.ts';
import { freeGitLocks } from '../../git/free-git-locks.ts';
import { openPlainGit } from '../../git/plain-git.ts';
import type { Worktree } from '../../git/worktree.ts';
import { loadStory, saveTaskFields } from '../../plan/stories.ts';
import { endMarked } from '../../processes/stop-program.ts';
import type { Worker } from '../context.ts';
import { publish } from '../deliver/publish.ts';
import { commitStory } from './commit-story.ts';
import { ContentIds } from './content-ids.ts';
import { keepToTests } from './keep-to-tests.ts';
import { reclaimWorktree } from './reclaim-worktree.ts';
import { restoreDefinitions } from './restore-definitions.ts';
import { clearUnfinishedRun, findUnfinishedRun, type UnfinishedRun } from './unfinished-run.ts';

export interface Settled {
  /** Files of the plan that were put back. */
  restored: string[];
}

/** Brings the story's files to what a run left, puts the plan back, and commits. May be repeated. */
export async function settleRun(
  worker: Worker,
  worktree: Worktree,
  run: UnfinishedRun,
  ended: RunEnd,
): Promise<Settled> {
  const { paths, storyId, agent, emit } = worker;
  const git = openPlainGit(worktree.folder, worker.env);
  await freeGitLocks(worktree, emit);
  await reclaimWorktree(worktree, git, emit);
  const keepIn = join(paths.runs, 'put-back', worker.session, run.runId);
  const { base } = worktree;
  const seen = contentsOf(worker);
  const restored = await restoreDefinitions(git, run.commit, storyId, base, keepIn, seen);
  if (restored.length > 0) emit('definitions:restored', { files: restored, keptIn: keepIn });
  // Before anything is pushed; a worker that is killed here leaves the note, and the next one does it.
  if (run.onlyTests) await keepToTests(worker, worktree, run.commit);
  const { changes, notes, problems } = await agent.tasks.reconcile(
    paths,
    storyId,
    run.listFolder,
    ended,
  );
  for (const { taskId, from, to, why } of changes)
    emit('task:status', { task: taskId, from, to, why });
  emit('reconcile:done', { changes: changes.length, notes, problems });
  await escalate(worker);
  await commitStory(worker, worktree);
  await publish(worktree, emit);
  clearUnfinishedRun(worktree);
  return { restored };
}

/** One for all runs of a worker: what it saw after one run need not be read after the next. */
const CONTENTS = new WeakMap<Worker, ContentIds>();

function contentsOf(worker: Worker): ContentIds {
  const known = CONTENTS.get(worker) ?? new ContentIds(worker.storyId);
  CONTENTS.set(worker, known);
  return known;
}

/**
 * What a worker left that did not live to see the end of its run. Whoever killed it, the run had no
 * chance to finish, so no attempt is counted.
 */
export async function settleUnfinished(worker: Worker, worktree: Worktree): Promise<string[]> {
  const run = findUnfinishedRun(worktree);
  if (!run) return [];
  worker.emit('recovery:start', { run: run.runId });
  await endMarked(run.runId);
  const { restored } = await settleRun(worker, worktree, run, {});
  worker.emit('recovery:done', { run: run.runId });
  return restored;
}

async function escalate({ paths, storyId, config, emit }: Worker): Promise<void> {
  const { maxAttempts } = config.worker;
  for (const task of loadStory(paths, storyId).tasks) {
    const { id, attempts = 0, status, escalated } = task;
    if (status === 'completed' || escalated || attempts < maxAttempts) continue;
    await saveTaskFields(paths, storyId, id, { escalated: true });
    emit('task:escalated', { task: id, attempts });
  }
}
