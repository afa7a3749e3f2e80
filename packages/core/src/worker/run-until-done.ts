import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Evidence } from '@saga-ai/types/evidence';
import { findOpenBlockers, type JournalEntry, parseJournal } from '@saga-ai/types/journal';
import { messageOf } from '../errors.ts';
import { listUncommitted } from '../programs/git.ts';
import { buildInvocation } from '../rules/client-invocation.ts';
import { decideFocus, type Focus } from '../rules/focus.ts';
import { decideNextCycle, isComplete, type LastRun } from '../rules/next-cycle.ts';
import { withoutOuterSession } from '../rules/outer-session.ts';
import { buildPrompt } from '../rules/prompt.ts';
import type { RunEnd } from '../rules/task-sync.ts';
import { saveStatus } from '../store/save-status.ts';
import { loadStory } from '../store/stories.ts';
import { type HydratedList, hydrate } from '../tasklist/hydrate.ts';
import type { Worktree } from './ensure-worktree.ts';
import { describeFailures, runGate } from './gate.ts';
import type { Guard } from './guard.ts';
import { type RunReport, runHeadless } from './headless-run.ts';
import type { Ready } from './preflight.ts';
import type { StoryPullRequest } from './pull-request.ts';
import { settleRun } from './settle-run.ts';
import { saveUnfinishedRun } from './unfinished-run.ts';
import { type Outcome, stopReason, type Worker } from './worker.ts';

export interface StoryRun {
  worker: Worker;
  worktree: Worktree;
  ready: Ready;
  pullRequest: StoryPullRequest;
  guard: Guard;
  /** Put back before the first run of this worker. */
  restored: string[];
}

/** What the loop carries from one cycle to the next. */
interface Loop {
  /** Runs so far; cycles are those of them that count against the limit. */
  runs: number;
  cycles: number;
  costUsd: number;
  tokens: number;
  quietCycles: number;
  restored: string[];
  last?: LastRun;
  gate?: { failures: string[]; wasFedBack: boolean };
  list?: HydratedList;
  /** Tasks whose tests were written, when each gets a run of its own. */
  haveTests: Set<string>;
  /** Blockers that a person told us to pass over. */
  overlooked: string[];
}

/** Runs, checks and runs again until the story is done or something speaks against another run. */
export async function runUntilDone(run: StoryRun): Promise<Outcome & { evidence?: Evidence }> {
  const { worker } = run;
  const loop: Loop = {
    runs: 0,
    haveTests: new Set(),
    cycles: 0,
    costUsd: 0,
    tokens: 0,
    quietCycles: 0,
    restored: [...run.restored],
    overlooked: worker.anyway ? openBlockersOf(worker) : [],
  };
  for (;;) {
    const next = decideNextCycle(describeState(worker, loop));
    switch (next.kind) {
      case 'stop':
        return {
          kind: next.outcome,
          reason: next.reason,
          ...(next.remedy ? { remedy: next.remedy } : {}),
        };
      case 'wait':
        await waitUntil(worker, next.until, next.reason);
        delete loop.last;
        break;
      case 'gate': {
        const evidence = await runGate(
          worker,
          run.worktree,
          loop.restored,
          run.ready.claude.version,
        );
        if (evidence.outcome === 'passed') {
          return { kind: 'done', reason: 'all tasks completed, gate passed', evidence };
        }
        loop.gate = { failures: describeFailures(evidence), wasFedBack: isBeyondRuns(evidence) };
        break;
      }
      case 'run':
        await runCycle(run, loop);
    }
  }
}

function describeState(worker: Worker, loop: Loop) {
  const { config, deadline } = worker;
  const { tasks } = loadStory(worker.paths, worker.storyId);
  const stopRequested = stopReason(worker);
  const blockers = openBlockersOf(worker).filter((title) => !loop.overlooked.includes(title));
  return {
    ...loop,
    tasks,
    openBlockers: blockers,
    maxCycles: config.worker.maxCycles,
    now: Date.now(),
    deadline,
    maxUsd: config.budget.usd,
    maxTokens: config.budget.tokens,
    ...(stopRequested === undefined ? {} : { stopRequested }),
  };
}

async function runCycle(run: StoryRun, loop: Loop): Promise<void> {
  const { worker, worktree, pullRequest } = run;
  const { paths, storyId, emit, config } = worker;
  const { git } = worktree;
  loop.list ??= hydrateStory(worker);
  const { list } = loop;
  const commit = await git.run(['rev-parse', 'HEAD']);
  const before = describeProgress(worker);
  const unfinished = { runId: randomUUID(), commit, listFolder: list.folder };
  const focus = chooseFocus(worker, loop);
  const prompt = await describeWork(run, loop, focus);
  saveUnfinishedRun(worktree, unfinished);
  loop.runs += 1;
  const cycle = loop.runs;
  emit('run:start', { cycle, model: config.worker.model, run: unfinished.runId, ...focus });
  const statuses = new StatusSync(run);
  const report = await runClient(run, loop, unfinished.runId, list.listId, prompt, statuses);
  await statuses.settled();
  emit('run:end', { cycle, ...report });
  const headAfter = await git.run(['rev-parse', 'HEAD']);
  const { restored } = await settleRun(worker, worktree, unfinished, toRunEnd(report, focus));

  // A run that a usage limit turned away was none.
  if (report.outcome !== 'usage-limit') {
    const isQuiet = headAfter === commit && describeProgress(worker) === before;
    loop.quietCycles = isQuiet ? loop.quietCycles + 1 : 0;
    if (!isOneOfMany(worker, focus)) loop.cycles += 1;
  }
  if (focus?.role === 'tests') loop.haveTests.add(focus.taskId);
  loop.costUsd += report.costUsd;
  loop.tokens += report.tokens;
  loop.restored = [...new Set([...loop.restored, ...restored])].sort();
  loop.last = report;
  if (loop.gate) {
    // The run that was told of the failures is over: the gate looks again, for the last time.
    const { tasks } = loadStory(paths, storyId);
    if (isComplete({ tasks })) await regate(run, loop);
  }
  await pullRequest.refresh();
}

/** A run can mend what it made; a remote that refuses the push is for a person. */
function isBeyondRuns({ checks }: Evidence): boolean {
  return checks.every((it) => it.outcome !== 'failed' || it.name === 'pushed');
}

async function regate(run: StoryRun, loop: Loop): Promise<void> {
  const { worker, worktree, ready } = run;
  const evidence = await runGate(worker, worktree, loop.restored, ready.claude.version);
  if (evidence.outcome === 'passed') delete loop.gate;
  else loop.gate = { failures: describeFailures(evidence), wasFedBack: true };
}

function hydrateStory({ paths, storyId, claudeHome, timestamp, emit }: Worker): HydratedList {
  emit('hydrate:start', {});
  const list = hydrate(claudeHome, loadStory(paths, storyId), timestamp);
  emit('hydrate:done', { list: list.listId, tasks: list.tasks });
  return list;
}

function runClient(
  run: StoryRun,
  loop: Loop,
  runId: string,
  taskListId: string,
  prompt: string,
  statuses: StatusSync,
): Promise<RunReport> {
  const { worker, worktree, ready, guard } = run;
  const { config, paths, storyId } = worker;
  const { usd, tokens } = config.budget;
  const invocation = buildInvocation({
    version: ready.claude.version,
    config,
    model: config.worker.model,
    sessionId: randomUUID(),
    storyId,
    taskListId,
    projectFolder: paths.root,
    runId,
    guard: guard.address,
    maxUsd: usd === null ? null : Math.max(0.01, usd - loop.costUsd),
    isRoot: worker.isRoot,
  });
  return runHeadless({
    program: ready.claude.path,
    args: invocation.args,
    env: { ...withoutOuterSession(worker.env), ...invocation.env },
    cwd: worktree.folder,
    prompt,
    runId,
    guard,
    deadline: worker.deadline,
    maxTokens: tokens === null ? null : tokens - loop.tokens,
    stop: worker.stop,
    emit: worker.emit,
    onStatus: (taskId, status) => statuses.add(taskId, status),
  });
}

async function describeWork(
  { worker, worktree }: StoryRun,
  loop: Loop,
  focus: Focus | undefined,
): Promise<string> {
  const { paths, storyId } = worker;
  const { story, journal } = loadStory(paths, storyId);
  const { entries } = parseJournal(journal);
  const plan = `.saga/stories/${storyId}/`;
  const uncommitted = await listUncommitted(worktree.git);
  return buildPrompt({
    story,
    journalPath: `${plan}journal.md`,
    resolutions: entries.filter((it: JournalEntry) => it.kind === 'Resolution'),
    leftovers: uncommitted.filter((path) => !path.startsWith(plan)),
    gateFailures: loop.gate?.failures ?? [],
    restored: loop.restored,
    ...(focus ? { focus, testFiles: worker.config.gate.testFiles } : {}),
  });
}

/** Writes status changes into the story as the stream tells of them; a failure is said, not fatal. */
class StatusSync {
  private readonly run: StoryRun;
  private queue: Promise<void> = Promise.resolve();

  constructor(run: StoryRun) {
    this.run = run;
  }

  add(taskId: string, status: string): void {
    this.queue = this.queue.then(() => this.sync(taskId, status));
  }

  settled(): Promise<void> {
    return this.queue;
  }

  private async sync(taskId: string, status: string): Promise<void> {
    const { worker, pullRequest } = this.run;
    const { paths, storyId, emit } = worker;
    try {
      const result = await saveStatus(paths, storyId, taskId, status);
      if (result === 'changed') {
        emit('task:status', { task: taskId, to: status });
        if (status === 'completed') void pullRequest.refresh();
      } else if (result !== 'unchanged')
        emit('sync:ignored', { task: taskId, status, why: result });
    } catch (error) {
      emit('sync:failed', { task: taskId, status, reason: messageOf(error) });
    }
  }
}

/** Only a run that had its chance counts as an attempt at the tasks it left open. */
function toRunEnd({ outcome, stoppedBy }: RunReport, focus: Focus | undefined): RunEnd {
  if (outcome === 'context-exhausted') return { outcome: 'context_exhausted' };
  const hadNoChance =
    focus?.role === 'tests' ||
    stoppedBy === 'signal' ||
    outcome === 'usage-limit' ||
    outcome === 'credential-refused';
  return hadNoChance ? {} : { outcome: 'failed' };
}

/** With a run for each task, one is chosen; a failed gate is about the story as a whole. */
function chooseFocus({ paths, storyId, config }: Worker, loop: Loop): Focus | undefined {
  if (config.worker.mode !== 'task' || loop.gate) return undefined;
  return decideFocus(loadStory(paths, storyId).tasks, loop.haveTests);
}

/** A run that did its one task is one step of many; only those that did not count as cycles. */
function isOneOfMany({ paths, storyId }: Worker, focus: Focus | undefined): boolean {
  if (!focus) return false;
  const { tasks } = loadStory(paths, storyId);
  return (
    focus.role === 'tests' || tasks.find((it) => it.id === focus.taskId)?.status === 'completed'
  );
}

function openBlockersOf({ paths, storyId }: Worker): string[] {
  const { journal } = loadStory(paths, storyId);
  return findOpenBlockers(parseJournal(journal).entries).map((it) => it.title);
}

/** What a run has to move to have got anywhere: how tasks stand, and the journal. */
function describeProgress({ paths, storyId }: Worker): string {
  const { tasks, journal } = loadStory(paths, storyId);
  return JSON.stringify([tasks.map(({ id, status, attempts }) => [id, status, attempts]), journal]);
}

async function waitUntil(worker: Worker, until: number, reason: string): Promise<void> {
  worker.emit('limit:waiting', { until: new Date(until).toISOString(), reason });
  try {
    await sleep(until - Date.now(), undefined, { signal: worker.stop });
  } catch {
    // Asked to stop: the next look at the table says so.
  }
  worker.emit('limit:waited', {});
}
