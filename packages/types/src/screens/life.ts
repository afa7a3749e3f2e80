import type { StatusCounts } from '../plan/status.ts';
import type { Following, OutcomeKind, Trouble, Waiting } from '../run/session-record.ts';
import { formatStoryBranch } from '../words/names.ts';
import { formatPullRequest } from '../words/pull-request-number.ts';
import { formatUntil } from '../words/times.ts';
import { describeFollowing } from './review/follow-state.ts';

/** The states of a story. If several apply, the first one in this order counts. */
export const LIFE_STATES = [
  'running',
  'done',
  'needs you',
  'in review',
  'interrupted',
  'waiting',
  'ready',
] as const;
export type LifeState = (typeof LIFE_STATES)[number];

/** Whether the gate passed on the story as it is now. */
export const isChecked = ({ state }: { state: LifeState }) =>
  state === 'in review' || state === 'done';

/** The result of the last gate of a story, from its evidence. */
export interface GateFacts {
  outcome: 'passed' | 'failed';
  /** The checks that failed, in words. */
  failures: readonly string[];
  /** True if, since the checked commit, only SAGA itself has committed to the branch. */
  isCurrent: boolean;
  /** The gate had no verify command, so it did not test the code. */
  isUnverified: boolean;
  /** When the gate ended, as an ISO time. */
  at?: string;
}

/** How a worker can end. `died`: the process ended without an event that says how. */
export const ENDS = [
  'done',
  'error',
  'limit',
  'needs-you',
  'stopped',
  'died',
] as const satisfies readonly (OutcomeKind | 'died')[];

/** How the newest worker of a story ended. */
export interface EndFacts {
  outcome: (typeof ENDS)[number];
  /** Why, in words. */
  reason: string;
  /** The code of an error. */
  code?: string;
  /** What to do about an error. */
  hint?: string;
  /** Which limit it was. */
  limit?: string;
  /** ISO time. */
  at?: string;
}

/** An item that a story waits for, and its state. */
export interface Unmet {
  id: string;
  state: LifeState;
  pr?: string;
}

/** All facts that decide the state of one story. */
export interface LifeFacts {
  id: string;
  counts: StatusCounts;
  /** What the running worker does; undefined if no worker runs. */
  worker?: { task?: string; activity?: string; waits?: Waiting; silentSince?: string };
  /** The pull request that a worker watches. Such a worker does not count as running. */
  following?: Following;
  /** The base branch contains the completed story with evidence that its gate passed. */
  isInBase: boolean;
  /** Titles of open blockers. */
  blockers: readonly string[];
  /** When the oldest open blocker was written, as an ISO time. */
  askedAt?: string;
  /** Titles of feedback that no run was told yet. */
  feedback: readonly string[];
  /** Titles of the questions whose answers no run was told yet. */
  answers: readonly string[];
  /** Ids of tasks that were tried too often. */
  escalated: readonly string[];
  gate?: GateFacts;
  lastEnd?: EndFacts;
  /** Why the scheduler of an epic leaves the story alone. It holds as long as the state is the same. */
  trouble?: Pick<Trouble, 'reason' | 'remedy' | 'next' | 'since' | 'state'> | undefined;
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
  state: LifeState;
  reason: string;
  /** Missing if nothing is left to do. */
  next?: string;
  /** What to do before that command, such as the hint of an error that ended a worker. */
  remedy?: string | undefined;
  /** Since when the story waits for a person, as an ISO time. Missing if it does not wait, or nobody knows. */
  since?: string;
}

interface Row {
  state: LifeState;
  when: (facts: LifeFacts) => boolean;
  reason: (facts: LifeFacts) => string;
  next?: (facts: LifeFacts) => string;
  remedy?: (facts: LifeFacts) => string | undefined;
  since?: (facts: LifeFacts) => string | undefined;
}

/** Why a story with two copies of its plan needs a person. */
export const TWO_COPIES = 'its plan was edited in the main checkout only';

/** The first row that applies decides. The last row always applies. */
const TABLE: readonly Row[] = [
  {
    state: 'running',
    when: ({ worker }) => worker !== undefined,
    reason: ({ worker, counts }) => `${describeWorker(worker)} · ${formatProgress(counts)}`,
    // A run may ask a question and go on with other work.
    next: ({ id, blockers }) => (blockers.length > 0 ? `saga resolve ${id}` : `saga logs -f ${id}`),
    since: ({ worker, askedAt }) => askedAt ?? worker?.silentSince,
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
    since: ({ askedAt }) => askedAt,
  },
  {
    state: 'needs you',
    when: ({ escalated }) => escalated.length > 0,
    reason: ({ escalated }) => `tried too often: ${escalated.join(', ')}`,
    next: ({ id, escalated }) => `saga task reopen --story ${id} ${escalated[0]}`,
    remedy: ({ id }) => `See why: saga logs ${id}. Correct what the task says: saga edit ${id}`,
    since: ({ lastEnd }) => lastEnd?.at,
  },
  {
    state: 'needs you',
    when: ({ hasTwoCopies }) => hasTwoCopies,
    reason: () => TWO_COPIES,
    next: ({ id }) => `saga update ${id}`,
  },
  {
    state: 'needs you',
    // After feedback or an answer the next step is a run, so nothing waits for a person.
    when: (facts) => facts.gate?.outcome === 'failed' && !hasUntold(facts),
    reason: ({ gate }) => `gate failed: ${listFailures(gate?.failures ?? [])}`,
    next: ({ id }) => `saga verify ${id}`,
    since: ({ gate }) => gate?.at,
  },
  {
    state: 'needs you',
    when: ({ lastEnd }) => lastEnd?.code === 'credential-refused',
    reason: ({ lastEnd }) => lastEnd?.reason ?? '',
    next: () => 'saga doctor',
    remedy: describeRemedy,
    since: ({ lastEnd }) => lastEnd?.at,
  },
  {
    state: 'in review',
    when: (facts) =>
      isComplete(facts) &&
      facts.gate?.outcome === 'passed' &&
      facts.gate.isCurrent &&
      !hasUntold(facts),
    reason: ({ gate, pr, ...facts }) =>
      [
        `gate passed${gate?.isUnverified ? ' (unverified)' : ''}`,
        pr && formatPullRequest(pr),
        facts.following && `a worker ${describeFollowing(facts.following).text}`,
        describeBehind(facts),
      ]
        .filter(Boolean)
        .join(', '),
    next: ({ id, pr }) => (pr === undefined ? `saga diff ${id}` : `gh pr view ${pr} --web`),
    since: ({ gate }) => gate?.at,
  },
  {
    state: 'interrupted',
    when: isBegun,
    reason: (facts) =>
      [describeEnd(facts), formatProgress(facts.counts), describeBehind(facts)]
        .filter(Boolean)
        .join(' · '),
    next: ({ id, lastEnd }) => (isWorthALook(lastEnd) ? `saga logs ${id}` : `saga run ${id}`),
    remedy: describeRemedy,
    since: ({ lastEnd, gate }) => lastEnd?.at ?? gate?.at,
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
    reason: () => 'it can start now',
    next: ({ id }) => `saga run ${id}`,
  },
];

/** The states in which a story waits for its scheduler, so that a person must know if that can do nothing. */
const MAY_BE_STUCK: readonly LifeState[] = ['in review', 'interrupted', 'ready'];

/** Derives the state of a story. Every command, page, hook and `--json` output takes it from here. */
export function deriveLife(facts: LifeFacts): Life {
  const row = TABLE.find(({ when }) => when(facts));
  // The last row applies to everything.
  if (!row) return { state: 'ready', reason: '' };
  const { state, reason, next } = row;
  const { trouble } = facts;
  if (trouble?.state === state && MAY_BE_STUCK.includes(state)) {
    const { reason: why, remedy, next: helps, since } = trouble;
    return { state: 'needs you', reason: why, remedy, next: helps, since };
  }
  const remedy = row.remedy?.(facts);
  const since = row.since?.(facts);
  return {
    state,
    reason: reason(facts),
    next: next ? next(facts) : undefined,
    remedy,
    since,
  };
}

/** What to do about an error that ended the newest worker. */
function describeRemedy({ id, lastEnd }: LifeFacts): string | undefined {
  if (lastEnd?.hint === undefined) return undefined;
  return `${lastEnd.hint.trim().replace(/\.?$/, '.')} Then go on: saga run ${id}`;
}

/** Whether a person should look first, because another run alone would probably end the same way. */
function isWorthALook(lastEnd: EndFacts | undefined): boolean {
  return lastEnd?.outcome === 'error' || lastEnd?.limit === 'no-progress';
}

const totalOf = ({ pending, in_progress, completed }: StatusCounts): number =>
  pending + in_progress + completed;

/** There is something that no run was told yet, which the next run is for. */
const hasUntold = ({ feedback, answers }: LifeFacts): boolean =>
  feedback.length + answers.length > 0;

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
  if (silentSince !== undefined) return `silent since ${formatUntil(silentSince)}`;
  return task ?? activity ?? 'at work';
}

/** Returns a text such as `waits for a usage limit until 2026-11-15 14:05 UTC`. */
export function describeWaiting(waiting: Waiting): string {
  const until = formatUntil(waiting.until);
  switch (waiting.for) {
    case 'outage':
      return `the model is not available; tries again at ${until}`;
    case 'usage-limit':
      return `waits for a usage limit until ${until}`;
    case 'answer':
      return `waits for your answer until ${until}: ${waiting.reason}`;
  }
}

const END_WORDS: Readonly<Record<EndFacts['outcome'], string>> = {
  died: 'its worker was killed',
  stopped: 'stopped',
  limit: 'a limit was reached',
  error: 'error',
  'needs-you': 'ended',
  done: 'ended',
};

/** A word in a record that says how a worker ended. */
export const isEnd = (word: unknown): word is EndFacts['outcome'] => ENDS.some((it) => it === word);

function describeEnd(facts: LifeFacts): string {
  const { id, lastEnd, gate, feedback, answers, hasBranch } = facts;
  if (hasUntold(facts) && ['done', 'needs-you'].includes(lastEnd?.outcome ?? 'done')) {
    if (answers.length === 0) return `feedback for the next run: ${listFirst(feedback)}`;
    return `your answer is for the next run: ${listFirst(answers)}`;
  }
  if (lastEnd?.outcome === 'done' && !isComplete(facts)) {
    return hasBranch
      ? `finished, but the branch ${formatStoryBranch(id)} has no sound copy of its plan`
      : `finished, but its branch ${formatStoryBranch(id)} is gone`;
  }
  if (lastEnd !== undefined && !(isComplete(facts) && lastEnd.outcome === 'done')) {
    const { outcome, reason } = lastEnd;
    if (reason === '') return END_WORDS[outcome];
    // The reason of a stop is a complete phrase, such as "stopped on request".
    return outcome === 'stopped' ? reason : `${END_WORDS[outcome]}: ${reason}`;
  }
  if (!isComplete(facts)) return 'started, but no worker is running';
  return gate === undefined ? 'completed, but not checked' : 'changed since its gate passed';
}

/** Returns a text such as `cart-model: in review, #12`. */
export function describeUnmet({ id, state, pr }: Unmet): string {
  const number = pr === undefined ? '' : `, ${formatPullRequest(pr)}`;
  return `${id}: ${state}${number}`;
}

/** Returns a text such as `24 behind main`, or an empty text if the branch has all commits of the base. */
export function describeBehind({ behind = 0, base }: Pick<LifeFacts, 'behind' | 'base'>): string {
  return behind === 0 ? '' : `${behind} behind ${base ?? 'the base'}`;
}

function formatProgress(counts: StatusCounts): string {
  const total = totalOf(counts);
  return `${counts.completed}/${total} ${total === 1 ? 'task' : 'tasks'}`;
}

/** Lists failures. A failure may itself be a list of files, so the count of the others is in words. */
function listFailures([first = '', ...more]: readonly string[]): string {
  if (more.length === 0) return first;
  return `${first}; ${more.length} more ${more.length === 1 ? 'check' : 'checks'} failed`;
}

function listFirst(all: readonly string[]): string {
  const [first = '', ...more] = all;
  return more.length === 0 ? first : `${first}, and ${more.length} more`;
}
