import type { Task } from '@saga-ai/types/plan/task';
import type { Cause, Limit, RunOutcome, StopCause } from '@saga-ai/types/run/cause';
import type { GateCheckName } from '@saga-ai/types/run/evidence';
import type { OutcomeKind } from '@saga-ai/types/run/session-record';
import type { Remedy } from '../../agents/agent.ts';

export interface LastRun {
  outcome: RunOutcome;
  detail: string;
  stoppedBy?: StopCause;
  /** Milliseconds since the epoch, for a usage limit that said when it ends. */
  resetsAt?: number;
  /** Another run would fare no better, and may cost money. */
  remedy?: Remedy;
}

/** A gate that did not pass. */
export interface FailedGate {
  /** What failed, in words. */
  failures: readonly string[];
  /** What failed, by name. */
  checks: readonly GateCheckName[];
  /** A run that had its chance was told of the failures; then the gate looks once more. */
  wasTold: boolean;
  /** It failed after a run was told, or on something that no run can mend. */
  isFinal: boolean;
}

export interface CycleState {
  tasks: readonly Pick<Task, 'id' | 'status' | 'escalated'>[];
  openBlockers: readonly string[];
  cycles: number;
  maxCycles: number;
  now: number;
  deadline: number;
  costUsd: number;
  maxUsd: number | null;
  tokens: number;
  maxTokens: number | null;
  /** Cycles in a row without a changed status, a commit or a journal entry. */
  quietCycles: number;
  last?: LastRun;
  gate?: FailedGate;
  stopRequested?: string;
}

export type NextCycle =
  | { kind: 'run' }
  | { kind: 'gate' }
  | { kind: 'wait'; until: number; reason: string }
  | ({ kind: 'stop' } & Stop);

export interface Stop {
  outcome: Exclude<OutcomeKind, 'done'>;
  cause: Cause;
  /** For an error: its code, and what to do now. */
  remedy?: Remedy;
}

export const MAX_QUIET_CYCLES = 2;
/** How long a usage limit is waited for when nobody says when it ends. */
export const UNKNOWN_RESET_MS = 5 * 60_000;

/** The first line that applies decides; its place in the table is its rank. */
const TABLE: readonly ((state: CycleState) => NextCycle | false)[] = [
  ({ stopRequested: why }) => why !== undefined && stop('stopped', { kind: 'stopped', why }),
  ({ last }) => last !== undefined && stopHopeless(last),
  ({ openBlockers: titles }) =>
    titles.length > 0 && stop('needs-you', { kind: 'blocker', titles: [...titles] }),
  ({ tasks }) => {
    const escalated = tasks.filter((task) => task.escalated && task.status !== 'completed');
    const names = escalated.map((task) => task.id);
    return names.length > 0 && stop('needs-you', { kind: 'escalated', tasks: names });
  },
  ({ gate }) => gate?.isFinal === true && stopAtGate(gate),
  (state) => isComplete(state) && (!state.gate || state.gate.wasTold) && { kind: 'gate' },
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

/** Whether a run could work at all; one that was turned away or cut off could not. */
export function hadItsChance({ outcome, stoppedBy }: LastRun): boolean {
  if (stoppedBy !== undefined) return stoppedBy === 'tokens';
  return !['usage-limit', 'credential-refused', 'usage-error', 'api-error', 'crash'].includes(
    outcome,
  );
}

export function isComplete({ tasks }: Pick<CycleState, 'tasks'>): boolean {
  return tasks.length > 0 && tasks.every((task) => task.status === 'completed');
}

function waitForReset({ last, now, deadline }: CycleState): NextCycle | false {
  if (last?.outcome !== 'usage-limit') return false;
  const until = last.resetsAt ?? now + UNKNOWN_RESET_MS;
  if (until <= now) return false;
  if (until >= deadline) return stopAtLimit({ of: 'usage', detail: last.detail });
  return { kind: 'wait', until, reason: last.detail };
}

function stopHopeless({ detail, remedy }: LastRun): NextCycle | false {
  if (remedy === undefined) return false;
  return { ...stop('error', { kind: 'error', code: remedy.code, message: detail }), remedy };
}

function stopAtGate({ checks, failures: [detail = ''] }: FailedGate): NextCycle {
  return stop('needs-you', { kind: 'gate', checks: [...checks], detail });
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
