import type { Task } from '@saga-ai/types/plan/task';
import type { Code } from '@saga-ai/types/words/problem';
import type { RunOutcome } from '../../agents/claude/run-result.ts';

/** Why the worker itself ended a run. */
export type StopCause =
  | 'time'
  | 'tokens'
  | 'signal'
  | 'no-task-tools'
  | 'guard-silent'
  | 'credential';

export interface LastRun {
  outcome: RunOutcome;
  detail: string;
  stoppedBy?: StopCause;
  /** Milliseconds since the epoch, for a usage limit that said when it ends. */
  resetsAt?: number;
}

/** A gate that did not pass. */
export interface FailedGate {
  failures: readonly string[];
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
  outcome: 'error' | 'limit' | 'needs-you' | 'stopped';
  reason: string;
  /** For an error: its code, and what to do now. */
  remedy?: { code: Code; hint: string };
}

export const MAX_QUIET_CYCLES = 2;
/** How long a usage limit is waited for when nobody says when it ends. */
export const UNKNOWN_RESET_MS = 5 * 60_000;

/** The first line that applies decides; its place in the table is its rank. */
const TABLE: readonly ((state: CycleState) => NextCycle | false)[] = [
  ({ stopRequested }) => stopRequested !== undefined && stop('stopped', stopRequested),
  ({ last }) => last !== undefined && stopHopeless(last),
  ({ openBlockers: [first, ...more] }) =>
    first !== undefined &&
    stop(
      'needs-you',
      `open blocker: ${first}${more.length > 0 ? `, and ${more.length} more` : ''}`,
    ),
  ({ tasks }) => {
    const escalated = tasks.filter((task) => task.escalated && task.status !== 'completed');
    const names = escalated.map((task) => task.id).join(', ');
    return escalated.length > 0 && stop('needs-you', `tried too often: ${names}`);
  },
  ({ gate }) =>
    gate?.isFinal === true && stop('needs-you', `the gate did not pass: ${gate.failures[0]}`),
  (state) => isComplete(state) && (!state.gate || state.gate.wasTold) && { kind: 'gate' },
  ({ last }) => last?.stoppedBy === 'time' && stop('limit', last.detail),
  ({ now, deadline }) => now >= deadline && stop('limit', 'the time is up'),
  ({ costUsd, maxUsd, last }) =>
    ((maxUsd !== null && costUsd >= maxUsd) || last?.outcome === 'budget') &&
    stop('limit', `the budget is spent: $${costUsd.toFixed(2)}`),
  ({ tokens, maxTokens }) =>
    maxTokens !== null &&
    tokens >= maxTokens &&
    stop('limit', `the token budget is spent: ${tokens}`),
  ({ cycles, maxCycles, gate }) =>
    cycles >= maxCycles &&
    (gate
      ? stop('needs-you', `the gate did not pass: ${gate.failures[0]}`)
      : stop('limit', `${maxCycles} cycles were not enough`)),
  waitForReset,
  ({ quietCycles, last }) =>
    quietCycles >= MAX_QUIET_CYCLES &&
    stop('limit', `no progress in ${quietCycles} cycles${because(last)}`),
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
  if (until >= deadline) return stop('limit', `the usage limit outlasts the time: ${last.detail}`);
  return { kind: 'wait', until, reason: last.detail };
}

/** Another try would fare no better, and may cost money. */
function stopHopeless({ outcome, stoppedBy, detail }: LastRun): NextCycle | false {
  const remedy = REMEDIES[stoppedBy ?? outcome];
  return remedy !== undefined && { ...stop('error', detail), remedy };
}

const REFUSED = {
  code: 'credential-refused',
  hint: 'Log in (claude, then /login), or check ANTHROPIC_API_KEY, the account and worker.model.',
} as const;

const REMEDIES: Readonly<Partial<Record<StopCause | RunOutcome, Stop['remedy']>>> = {
  credential: REFUSED,
  'credential-refused': REFUSED,
  'no-task-tools': {
    code: 'no-task-tools',
    hint: 'Update Claude Code, or choose another model; docs/compatibility.md lists what works.',
  },
  'guard-silent': {
    code: 'guard-silent',
    hint: 'Something keeps hooks from running: look at .claude/settings.json and managed settings.',
  },
  'usage-error': {
    code: 'client-failed',
    hint: 'Try the client by hand: claude -p hello. saga logs shows what it said.',
  },
};

function because(last: LastRun | undefined): string {
  return last === undefined || last.outcome === 'ok' ? '' : ` (${last.outcome}: ${last.detail})`;
}

function stop(
  outcome: 'error' | 'limit' | 'needs-you' | 'stopped',
  reason: string,
): NextCycle & { kind: 'stop' } {
  return { kind: 'stop', outcome, reason };
}
