import type { StatusCounts } from '../plan/status.ts';
import type { OutcomeKind, Waiting } from '../run/session-record.ts';
import { formatUntil } from '../words/times.ts';

/** The states of a story. If several apply, the first one in this order counts. */
export const STATES = [
  'running',
  'done',
  'needs you',
  'in review',
  'interrupted',
  'waiting',
  'ready',
] as const;
export type State = (typeof STATES)[number];

/** The result of the last gate of a story, from its evidence. */
export interface GateFacts {
  outcome: 'passed' | 'failed';
  /** The checks that failed, in words. */
  failures: readonly string[];
  /** Since the commit that was checked, only SAGA itself has committed to the branch. */
  isCurrent: boolean;
  /** The gate had no verify command, so it did not test the code. */
  isUnverified: boolean;
}

/** How the newest worker of a story ended. */
export interface EndFacts {
  /** `died` if the process ended without an event that says how. */
  outcome: OutcomeKind | 'died';
  /** Why, in words. */
  reason: string;
  /** The code of an error. */
  code?: string;
}

/** An item that a story waits for, and its state. */
export interface Unmet {
  id: string;
  state: State;
  pr?: string;
}

/** All facts that decide the state of one story. */
export interface LifeFacts {
  id: string;
  counts: StatusCounts;
  /** What the running worker does; undefined if no worker runs. */
  worker?: { task?: string; activity?: string; waits?: Waiting; silentSince?: string };
  /** The base branch contains the completed story with evidence that its gate passed. */
  isInBase: boolean;
  /** Titles of open blockers. */
  blockers: readonly string[];
  /** Titles of feedback that no run was told yet. */
  feedback: readonly string[];
  /** Ids of tasks that were tried too often. */
  escalated: readonly string[];
  gate?: GateFacts;
  lastEnd?: EndFacts;
  /** The plan was edited in the main checkout, and the copy in the worktree lacks that. */
  hasTwoCopies: boolean;
  /** The number of commits of the base that the branch lacks. Only known of a story with a worktree. */
  behind?: number;
  /** The story has a branch, here or on the remote. */
  hasBranch: boolean;
  /** A file of the story cannot be read. */
  isBroken: boolean;
  pr?: string;
  /** The branch that the story is merged into. */
  base?: string;
  unmet: readonly Unmet[];
}

/** The state of a story, the reason, and the command to run next. */
export interface Life {
  state: State;
  reason: string;
  /** Missing if nothing is left to do. */
  next?: string;
}

interface Row {
  state: State;
  when: (facts: LifeFacts) => boolean;
  reason: (facts: LifeFacts) => string;
  next?: (facts: LifeFacts) => string;
}

/** Why a story with two copies of its plan needs a person. */
export const TWO_COPIES = 'its plan was edited in the main checkout only';

/** The first row that applies decides. The last row always applies. */
const TABLE: readonly Row[] = [
  {
    state: 'running',
    when: ({ worker }) => worker !== undefined,
    reason: ({ worker, counts }) => `${describeWorker(worker)} · ${formatProgress(counts)}`,
    next: ({ id }) => `saga logs -f ${id}`,
  },
  {
    state: 'done',
    when: (facts) => facts.isInBase && isComplete(facts) && !facts.isBroken,
    reason: ({ base, gate }) =>
      `gate passed${gate?.isUnverified ? ' (unverified)' : ''}, merged into ${base ?? 'the base'}`,
  },
  {
    state: 'needs you',
    when: ({ isBroken }) => isBroken,
    reason: () => 'one of its files cannot be read',
    next: () => 'saga check',
  },
  {
    state: 'needs you',
    when: ({ blockers }) => blockers.length > 0,
    reason: ({ blockers }) => `open question: ${listFirst(blockers)}`,
    next: ({ id }) => `saga resolve ${id}`,
  },
  {
    state: 'needs you',
    when: ({ escalated }) => escalated.length > 0,
    reason: ({ escalated }) => `tried too often: ${escalated.join(', ')}`,
    next: ({ id, escalated }) => `saga task reopen --story ${id} ${escalated[0]}`,
  },
  {
    state: 'needs you',
    when: ({ hasTwoCopies }) => hasTwoCopies,
    reason: () => TWO_COPIES,
    next: ({ id }) => `saga update ${id}`,
  },
  {
    state: 'needs you',
    // After feedback the next step is a run, so nothing waits for a person.
    when: ({ gate, feedback }) => gate?.outcome === 'failed' && feedback.length === 0,
    reason: ({ gate }) => `gate failed: ${listFirst(gate?.failures ?? [])}`,
    next: ({ id }) => `saga verify ${id}`,
  },
  {
    state: 'needs you',
    when: ({ lastEnd }) => lastEnd?.code === 'credential-refused',
    reason: ({ lastEnd }) => lastEnd?.reason ?? '',
    next: () => 'saga doctor',
  },
  {
    state: 'in review',
    when: (facts) =>
      isComplete(facts) &&
      facts.gate?.outcome === 'passed' &&
      facts.gate.isCurrent &&
      facts.feedback.length === 0,
    reason: ({ gate, pr, ...facts }) =>
      [
        `gate passed${gate?.isUnverified ? ' (unverified)' : ''}`,
        describePullRequest(pr),
        describeBehind(facts),
      ]
        .filter(Boolean)
        .join(', '),
    next: ({ id, pr, base }) =>
      pr === undefined ? `git diff ${base ?? 'main'}...story/${id}` : `gh pr view ${pr} --web`,
  },
  {
    state: 'interrupted',
    when: isBegun,
    reason: (facts) =>
      [describeEnd(facts), formatProgress(facts.counts), describeBehind(facts)]
        .filter(Boolean)
        .join(' · '),
    next: ({ id, lastEnd }) =>
      lastEnd?.outcome === 'error' ? `saga logs ${id}` : `saga run ${id}`,
  },
  {
    state: 'waiting',
    when: ({ unmet }) => unmet.length > 0,
    reason: ({ unmet }) => `waits for ${unmet.map(describeUnmet).join('; ')}`,
    next: ({ unmet }) => `saga show ${unmet[0]?.id}`,
  },
  {
    state: 'waiting',
    when: ({ counts }) => totalOf(counts) === 0,
    reason: () => 'it has no tasks',
    next: ({ id }) => `saga task create "…" --story ${id}`,
  },
  {
    state: 'ready',
    when: () => true,
    reason: () => 'nothing is in its way',
    next: ({ id }) => `saga run ${id}`,
  },
];

/** Derives the state of a story. Every command, page, hook and `--json` output takes it from here. */
export function deriveLife(facts: LifeFacts): Life {
  const row = TABLE.find(({ when }) => when(facts));
  // The last row applies to everything.
  if (!row) return { state: 'ready', reason: '' };
  const { state, reason, next } = row;
  return { state, reason: reason(facts), ...(next ? { next: next(facts) } : {}) };
}

const totalOf = ({ pending, in_progress, completed }: StatusCounts): number =>
  pending + in_progress + completed;

function isComplete({ counts }: LifeFacts): boolean {
  return counts.completed > 0 && counts.completed === totalOf(counts);
}

/** Whether somebody has worked on the story. */
function isBegun({ counts, hasBranch, lastEnd, gate }: LifeFacts): boolean {
  return (
    hasBranch ||
    lastEnd !== undefined ||
    gate !== undefined ||
    counts.in_progress > 0 ||
    counts.completed > 0
  );
}

function describeWorker(worker: LifeFacts['worker']): string {
  const { task, activity, waits, silentSince } = worker ?? {};
  if (waits) return describeWaiting(waits);
  if (silentSince !== undefined) return `silent since ${silentSince}`;
  return task ?? activity ?? 'at work';
}

/** Such as `waits for a usage limit until 2026-11-15 14:05 UTC`. */
export function describeWaiting(waiting: Waiting): string {
  const until = formatUntil(waiting.until);
  return waiting.for === 'outage'
    ? `the model is not available; tries again at ${until}`
    : `waits for a usage limit until ${until}`;
}

const ENDS: Readonly<Record<EndFacts['outcome'], string>> = {
  died: 'its worker was killed',
  stopped: 'stopped',
  limit: 'a limit was reached',
  error: 'error',
  'needs-you': 'ended',
  done: 'ended',
};

/** A word in a record that says how a worker ended. */
export const isEnd = (word: unknown): word is EndFacts['outcome'] =>
  typeof word === 'string' && Object.hasOwn(ENDS, word);

function describeEnd(facts: LifeFacts): string {
  const { lastEnd, gate, feedback } = facts;
  if (feedback.length > 0 && ['done', 'needs-you'].includes(lastEnd?.outcome ?? 'done')) {
    return `feedback for the next run: ${listFirst(feedback)}`;
  }
  if (lastEnd !== undefined && !(isComplete(facts) && lastEnd.outcome === 'done')) {
    const what = ENDS[lastEnd.outcome];
    return lastEnd.reason === '' ? what : `${what}: ${lastEnd.reason}`;
  }
  if (!isComplete(facts)) return 'started, but no worker is running';
  return gate === undefined ? 'completed, but not checked' : 'changed since its gate passed';
}

/** Such as `cart-model: in review, #12`. */
export function describeUnmet({ id, state, pr }: Unmet): string {
  const number = pr === undefined ? '' : `, ${describePullRequest(pr)}`;
  return `${id}: ${state}${number}`;
}

/** Returns the number of a pull request from its address, such as `#12`. */
function describePullRequest(pr: string | undefined): string {
  const number = pr === undefined ? undefined : /\/(\d+)\/?$/.exec(pr)?.[1];
  return number === undefined ? (pr ?? '') : `#${number}`;
}

/** Such as `24 behind main`. Returns an empty text if the branch has all of the base. */
export function describeBehind({ behind = 0, base }: Pick<LifeFacts, 'behind' | 'base'>): string {
  return behind === 0 ? '' : `${behind} behind ${base ?? 'the base'}`;
}

function formatProgress(counts: StatusCounts): string {
  const total = totalOf(counts);
  return `${counts.completed}/${total} ${total === 1 ? 'task' : 'tasks'}`;
}

function listFirst(all: readonly string[]): string {
  const [first = '', ...more] = all;
  return more.length === 0 ? first : `${first}, and ${more.length} more`;
}
