import { findOpenBlockers, parseJournal, type ReadEntry } from '@saga-ai/types/plan/journal';
import { findUntold } from '@saga-ai/types/plan/worker-notes';
import type { Evidence } from '@saga-ai/types/run/evidence';
import { keepMessages } from '../messages/keep-messages.ts';
import { listMessages } from '../messages/message-box.ts';
import { loadStory } from '../plan/stories.ts';
import { pauseUntil } from '../processes/deadline.ts';
import { loadSpent } from '../records/spent.ts';
import { keepUpToDate } from './base/keep-up-to-date.ts';
import { type Outcome, stopReason, type Worker } from './context.ts';
import { decideNextCycle, type NextCycle } from './decide/next-cycle.ts';
import { describeFailures, runGate } from './gate/gate.ts';
import { runCycle } from './run-cycle.ts';
import { finishSplit, splitTooLarge } from './split-task.ts';
import type { Loop, StoryRun } from './story-run.ts';

/** Repeats runs and gates until the story is done or a rule ends the loop. */
export async function runUntilDone(run: StoryRun): Promise<Outcome & { evidence?: Evidence }> {
  const { worker } = run;
  const loop: Loop = {
    runs: 0,
    lists: 0,
    testsRefused: new Map(),
    cycles: 0,
    ...loadSpent(worker.paths, worker.storyId, worker.isFurther ? undefined : worker.session),
    quietCycles: 0,
    outages: 0,
    failures: 0,
    restored: [...run.restored],
    ignoredBlockers: worker.anyway ? openBlockersOf(worker).map(({ id }) => id) : [],
  };
  await finishSplit(run);
  for (;;) {
    await keepUnheard(worker);
    const next = decideNextCycle(describeState(worker, loop));
    switch (next.kind) {
      case 'stop':
        return {
          kind: next.outcome,
          cause: next.cause,
          remedy: next.remedy,
        };
      case 'wait':
        await waitFor(worker, loop, next);
        // After an answer the conversation of the last run may go on.
        if (next.for !== 'answer') delete loop.last;
        break;
      case 'gate': {
        if (!(await keepUpToDate(worker, run.worktree))) break;
        const evidence = await runGate(
          worker,
          run.worktree,
          loop.restored,
          run.ready.agent.version,
        );
        if (evidence.outcome === 'passed') {
          // A person said something during the gate: the work goes on.
          if (listMessages(worker.paths, worker.storyId).length > 0) break;
          return { kind: 'done', cause: { kind: 'done' }, evidence };
        }
        loop.gate = {
          ...describeFailures(evidence),
          wasTold: false,
          isFinal: loop.gate?.wasTold === true || isBeyondRuns(evidence),
        };
        break;
      }
      case 'run':
        await splitTooLarge(run, loop, () => runCycle(run, loop));
    }
  }
}

function describeState(worker: Worker, loop: Loop) {
  const { config, deadline } = worker;
  const { tasks, journal } = loadStory(worker.paths, worker.storyId);
  const { entries } = parseJournal(journal);
  const stopRequested = stopReason(worker);
  const blockers = listAsked(worker, loop).map(({ title }) => title);
  const { feedback, answers } = findUntold(entries);
  // The time for an answer begins when the worker first sees the question.
  if (blockers.length === 0) delete loop.answerBy;
  else loop.answerBy ??= Date.now() + config.worker.waitForAnswer * 60_000;
  return {
    ...loop,
    tasks,
    openBlockers: blockers,
    untold: [...feedback, ...answers].map(({ title }) => title),
    maxCycles: config.worker.maxCycles,
    // A rehearsal waits for nothing: its model is on this machine.
    pauses: worker.rehearsal ? [] : config.worker.retryMinutes.map((it) => it * 60_000),
    now: Date.now(),
    deadline,
    maxUsd: config.budget.usd,
    maxTokens: config.budget.tokens,
    stopRequested,
  };
}

/** Turns messages that no run has read into feedback for the next run. */
export async function keepUnheard(
  worker: Pick<Worker, 'paths' | 'storyId' | 'emit' | 'rehearsal'>,
): Promise<void> {
  const { paths, storyId, emit } = worker;
  // People speak to the story, not to its rehearsal.
  if (worker.rehearsal) return;
  await keepMessages(paths, storyId, ({ id, from, text }) =>
    emit('message:kept', { id, from, text }),
  );
}

/** Whether only the push failed: no run can repair that, so a person must. */
function isBeyondRuns({ checks }: Evidence): boolean {
  return checks.every((it) => it.outcome !== 'failed' || it.name === 'pushed');
}

function openBlockersOf({ paths, storyId }: Worker): ReadEntry[] {
  const { journal } = loadStory(paths, storyId);
  return findOpenBlockers(parseJournal(journal).entries);
}

/** The open blockers, without those that a person told the worker to ignore. */
const listAsked = (worker: Worker, { ignoredBlockers }: Loop): ReadEntry[] =>
  openBlockersOf(worker).filter(({ id }) => !ignoredBlockers.includes(id));

async function waitFor(worker: Worker, loop: Loop, next: NextCycle & { kind: 'wait' }) {
  const { emit, stop } = worker;
  const until = new Date(next.until).toISOString();
  const { reason } = next;
  if (next.for === 'answer') return await waitForAnswer(worker, loop, next);
  if (next.for === 'outage') emit('outage:waiting', { until, reason, tries: loop.outages });
  else emit('limit:waiting', { until, reason });
  // A stop ends the pause; the next decision handles it.
  await pauseUntil(next.until, stop);
  emit(next.for === 'outage' ? 'outage:waited' : 'limit:waited', {});
}

/** Looks again and again whether a blocker was answered. A person's answer is a change of the journal. */
async function waitForAnswer(
  worker: Worker,
  loop: Loop,
  { until, reason }: NextCycle & { kind: 'wait' },
): Promise<void> {
  const open = () => listAsked(worker, loop);
  const titles = open().map(({ title }) => title);
  worker.emit('answer:waiting', { until: new Date(until).toISOString(), reason, titles });
  while (Date.now() < until && !worker.stop.aborted && open().length >= titles.length) {
    await pauseUntil(Math.min(Date.now() + LOOK_MS, until), worker.stop);
  }
  worker.emit('answer:waited', {});
}

const LOOK_MS = 1000;
