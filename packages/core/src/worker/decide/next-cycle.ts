import { isHeldUp } from '@saga-ai/types/plan/graph';
import type { Task } from '@saga-ai/types/plan/task';
import type { Cause, Limit, RunOutcome, StopCause } from '@saga-ai/types/run/cause';
import type { CommandStop, GateCheckName } from '@saga-ai/types/run/evidence';
import type { OutcomeKind, Waiting } from '@saga-ai/types/run/session-record';
import type { Remedy } from '../../agents/agent.ts';

export interface LastRun {
  outcome: RunOutcome;
  detail: string;
  stoppedBy?: StopCause;
  /**
   * When the usage limit or the outage ends, in milliseconds since the epoch. Only set if the client
   * said so.
   */
  resetsAt?: number;
  /** Set if another run would fail in the same way and might cost money. */
  remedy?: Remedy;
}

/** A gate that did not pass. */
export interface FailedGate {
  /** The failed checks, in words, each with what its command printed. */
  failures: readonly string[];
  /** The first failed check, in words. */
  detail: string;
  /** The names of the failed checks. */
  checks: readonly GateCheckName[];
  /** Why the verify command was ended, if it did not end by itself. */
  stoppedBy?: CommandStop;
  /** True once a run that could work was told of the failures. The gate then checks once more. */
  wasTold: boolean;
  /** True if the gate failed again after a run was told, or if no run can repair the failure. */
  isFinal: boolean;
}

export interface CycleState {
  tasks: readonly Pick<Task, 'id' | 'status' | 'escalated' | 'blockedBy'>[];
  openBlockers: readonly string[];
  /** Until when the worker waits for an answer to them, in milliseconds since the epoch. */
  answerBy?: number;
  /** Titles of feedback and of answers that no run was told yet. Each is work, also if every task is completed. */
  untold: readonly string[];
  cycles: number;
  maxCycles: number;
  now: number;
  deadline: number;
  costUsd: number;
  maxUsd: number | null;
  tokens: number;
  maxTokens: number | null;
  /** Consecutive cycles without a changed status, a commit or a journal entry. */
  quietCycles: number;
  /** Consecutive runs that an outage of the model ended, without progress in between. */
  outages: number;
  /** Consecutive runs that failed before they could work, without progress in between. */
  failures: number;
  /**
   * How long to wait for the model, in milliseconds: after the first outage, the second, and so on. If
   * empty, the worker does not wait.
   */
  pauses: readonly number[];
  last?: LastRun;
  gate?: FailedGate;
  stopRequested?: string;
}

export type NextCycle =
  | { kind: 'run' }
  | { kind: 'gate' }
  | { kind: 'wait'; for: Waiting['for']; until: number; reason: string }
  | ({ kind: 'stop' } & Stop);

export interface Stop {
  outcome: Exclude<OutcomeKind, 'done'>;
  cause: Cause;
  /** The error's code and what to do now. Only set for an error. */
  remedy?: Remedy;
}

const MAX_QUIET_CYCLES = 2;
/** A client that fails this often in a row, without any progress, will fail again. */
const MAX_FAILURES = 3;
/** How long the worker waits for a usage limit to end if the client did not say when it ends. */
const UNKNOWN_RESET_MS = 5 * 60_000;

/** The rules in order of rank: the first one that applies decides. */
const TABLE: readonly ((state: CycleState) => NextCycle | false)[] = [
  ({ stopRequested: why }) => why !== undefined && stop('stopped', { kind: 'stopped', why }),
  ({ last }) => last !== undefined && stopHopeless(last),
  waitForAnswer,
  ({ openBlockers: titles }) =>
    titles.length > 0 && stop('needs-you', { kind: 'blocker', titles: [...titles] }),
  ({ tasks }) => {
    const escalated = tasks.filter((task) => task.escalated && task.status !== 'completed');
    const names = escalated.map((task) => task.id);
    // Other tasks go on.
    return isHeldUp(tasks) && stop('needs-you', { kind: 'escalated', tasks: names });
  },
  ({ gate }) => gate?.isFinal === true && stopAtGate(gate),
  (state) =>
    isComplete(state) &&
    state.untold.length === 0 &&
    (!state.gate || state.gate.wasTold) && { kind: 'gate' },
  ({ last }) => last?.stoppedBy === 'time' && stopAtLimit({ of: 'time' }),
  ({ now, deadline }) => now >= deadline && stopAtLimit({ of: 'time' }),
  ({ costUsd, maxUsd, last }) =>
    ((maxUsd !== null && costUsd >= maxUsd) || last?.outcome === 'budget') &&
    stopAtLimit({ of: 'usd', spent: costUsd }),
  ({ tokens, maxTokens }) =>
    maxTokens !== null && tokens >= maxTokens && stopAtLimit({ of: 'tokens', spent: tokens }),
  ({ cycles, maxCycles, gate }) =>
    cycles >= maxCycles &&
    (gate ? stopAtGate(gate) : stopAtLimit({ of: 'cycles', most: maxCycles })),
  waitForReset,
  waitForModel,
  ({ failures: runs, last }) =>
    last !== undefined &&
    runs >= MAX_FAILURES &&
    stopAtLimit({ of: 'failures', runs, last: { outcome: last.outcome, detail: last.detail } }),
  ({ quietCycles, last }) =>
    quietCycles >= MAX_QUIET_CYCLES &&
    stopAtLimit({ of: 'no-progress', cycles: quietCycles, ...because(last) }),
];

export function decideNextCycle(state: CycleState): NextCycle {
  for (const line of TABLE) {
    const next = line(state);
    if (next) return next;
  }
  return { kind: 'run' };
}

/**
 * Whether the run was able to work: false if it was refused at the start or cut off. Only a run that was able
 * to work counts as an attempt at its tasks, and as a cycle without progress.
 */
export function hadItsChance({
  outcome,
  stoppedBy,
}: Pick<LastRun, 'outcome' | 'stoppedBy'>): boolean {
  if (stoppedBy !== undefined) return stoppedBy === 'tokens' || stoppedBy === 'stalled';
  return !NO_CHANCE.includes(outcome);
}

const NO_CHANCE: readonly RunOutcome[] = [
  'usage-limit',
  'unavailable',
  'credential-refused',
  'usage-error',
  'api-error',
  'crash',
];

/** The counters that a run changes. */
export type Tally = Pick<CycleState, 'cycles' | 'quietCycles' | 'outages' | 'failures'>;

/**
 * Counts a run. `isQuiet` says that no status, commit or journal entry changed. `isOwnTask` says that the run completed
 * its one task; such a run does not count as a cycle.
 */
export function tallyRun(
  before: Tally,
  run: LastRun,
  { isQuiet, isOwnTask }: { isQuiet: boolean; isOwnTask: boolean },
): Tally {
  const again = (count: number) => (isQuiet ? count + 1 : 1);
  const isTurnedAway = isWaitedFor(run);
  const isFailure = !isTurnedAway && !hadItsChance(run);
  const quietCycles = hadItsChance(run) ? before.quietCycles + 1 : before.quietCycles;
  return {
    cycles: before.cycles + (isTurnedAway || isOwnTask ? 0 : 1),
    quietCycles: isQuiet ? quietCycles : 0,
    outages: run.outcome === 'unavailable' ? again(before.outages) : 0,
    failures: isFailure ? again(before.failures) : 0,
  };
}

/** Whether the run ended because of a usage limit or an outage, for whose end the worker waits. */
function isWaitedFor({ outcome, stoppedBy }: LastRun): boolean {
  return stoppedBy === undefined && (outcome === 'usage-limit' || outcome === 'unavailable');
}

function isComplete({ tasks }: Pick<CycleState, 'tasks'>): boolean {
  return tasks.length > 0 && tasks.every((task) => task.status === 'completed');
}

/** Waits for a person's answer, as long as the settings say and the time allows. */
function waitForAnswer({ openBlockers, answerBy, now, deadline }: CycleState): NextCycle | false {
  if (openBlockers.length === 0 || answerBy === undefined) return false;
  const until = Math.min(answerBy, deadline);
  return now < until && { kind: 'wait', for: 'answer', until, reason: openBlockers.join(' · ') };
}

function waitForReset({ last, now, deadline }: CycleState): NextCycle | false {
  if (last?.outcome !== 'usage-limit') return false;
  const until = last.resetsAt ?? now + UNKNOWN_RESET_MS;
  if (until <= now) return false;
  if (until >= deadline) return stopAtLimit({ of: 'usage', detail: last.detail });
  return { kind: 'wait', for: 'usage-limit', until, reason: last.detail };
}

/**
 * Waits for a model that is overloaded or cannot be reached, longer each time. Near the deadline the
 * wait is shorter, so that the time that is left is used for one more try.
 */
function waitForModel({ last, now, deadline, outages, pauses }: CycleState): NextCycle | false {
  if (last?.outcome !== 'unavailable') return false;
  const { detail, resetsAt = now } = last;
  const nth = Math.min(Math.max(outages, 1), pauses.length) - 1;
  const fitting = pauses.slice(0, nth + 1).findLast((pause) => now + pause < deadline);
  const until = Math.max(now + (fitting ?? Number.POSITIVE_INFINITY), resetsAt);
  if (until >= deadline) return stopAtLimit({ of: 'outage', detail });
  return { kind: 'wait', for: 'outage', until, reason: detail };
}

function stopHopeless({ detail, remedy }: LastRun): NextCycle | false {
  if (remedy === undefined) return false;
  return { ...stop('error', { kind: 'error', code: remedy.code, message: detail }), remedy };
}

function stopAtGate(gate: FailedGate): NextCycle {
  return stop('needs-you', describeGateCause(gate));
}

export function describeGateCause({
  checks,
  detail,
  stoppedBy,
}: Pick<FailedGate, 'checks' | 'detail' | 'stoppedBy'>): Cause {
  return {
    kind: 'gate',
    checks: [...checks],
    detail,
    stoppedBy,
  };
}

type WithoutKind<T> = T extends unknown ? Omit<T, 'kind'> : never;

function stopAtLimit(limit: WithoutKind<Limit>): NextCycle {
  return stop('limit', { kind: 'limit', ...limit } as Limit);
}

function because(last: LastRun | undefined) {
  if (last === undefined || last.outcome === 'ok') return {};
  return { last: { outcome: last.outcome, detail: last.detail } };
}

function stop(outcome: Stop['outcome'], cause: Cause): NextCycle & { kind: 'stop' } {
  return { kind: 'stop', outcome, cause };
}
