import { EXIT_CODES, type OutcomeKind } from '../run/session-record.ts';
import type { LifeState } from './life.ts';

/** What `saga wait` can wait for. */
export const WAIT_TARGETS = ['ended', 'in-review', 'done', 'needs-you'] as const;
export type WaitTarget = (typeof WAIT_TARGETS)[number];

/** The facts about a story or an epic that decide whether a wait is over. */
export interface WaitFacts {
  id: string;
  state: LifeState;
  /** Why it is in that state, in words. */
  reason: string;
  /** Its own worker, or its own scheduler, runs. */
  isRunning: boolean;
  /** It is at work, and something of it waits for a person: its worker, or a story of the epic. */
  isAsking?: boolean;
  /** It is an epic. While its scheduler runs, that may still start, merge or hand back a story. */
  isEpic?: boolean;
  /** The scheduler of an epic around it runs, so it may begin or go on without a person. */
  isScheduled: boolean;
  /** How its newest session ended; died if its process is gone. Undefined if it was never run. */
  end?: OutcomeKind | 'died' | undefined;
}

export interface WaitVerdict {
  /** True if the wait is over. */
  isOver: boolean;
  isReached: boolean;
  exitCode: number;
  text: string;
  items: { id: string; state: string; exitCode: number }[];
}

/**
 * Decides whether a wait is over, and with which exit code: the same codes as those of a worker, so 0 done,
 * 1 an error, 2 a limit or a stop, 3 needs a person. Of several items, the worst counts.
 */
export function judgeWait(target: WaitTarget, all: readonly WaitFacts[]): WaitVerdict {
  const items = all.map((facts) => ({ ...facts, exitCode: codeOf(facts, target) }));
  const needy = items.filter(isWaitingForYou);
  const reached = items.filter((it) => hasReached(target, it));
  const isReached = target === 'needs-you' ? needy.length > 0 : reached.length === items.length;
  const isOver = isReached || items.every((it) => hasReached(target, it) || isStuck(it, target));
  const exitCode = findExitCode(target, items, isReached);
  return {
    isOver,
    isReached,
    exitCode,
    text: describe(target === 'needs-you' && needy.length > 0 ? needy : items, target),
    items: items.map(({ id, state, exitCode: code }) => ({ id, state, exitCode: code })),
  };
}

type Judged = WaitFacts & { exitCode: number };

const isWaitingForYou = ({ state, isRunning, isAsking = false }: WaitFacts) =>
  isAsking || (state === 'needs you' && !isRunning);

function hasReached(target: WaitTarget, it: WaitFacts): boolean {
  if (it.isEpic && it.isRunning && target !== 'needs-you') return false;
  switch (target) {
    case 'ended':
      return !it.isRunning && (it.end !== undefined || it.state === 'done');
    case 'in-review':
      return it.state === 'in review' || it.state === 'done';
    case 'done':
      return it.state === 'done';
    case 'needs-you':
      return isWaitingForYou(it);
  }
}

/**
 * Whether no worker or scheduler can bring the item to the target. A wait for `done` goes on for a story in review,
 * because a person may still merge it.
 */
function isStuck({ isRunning, isScheduled, state }: WaitFacts, target: WaitTarget): boolean {
  if (isRunning || isScheduled) return false;
  return target !== 'done' || state !== 'in review';
}

/**
 * Returns the exit code for an item. A worker that died has no outcome, which counts as an error. A story without a
 * worker counts as stopped.
 */
function codeOf({ state, end, isRunning }: WaitFacts, target: WaitTarget): number {
  const worker = end === 'died' ? EXIT_CODES.error : EXIT_CODES[end ?? 'stopped'];
  if (state === 'done') return EXIT_CODES.done;
  if (target === 'ended' && !isRunning) return worker;
  if (state === 'in review') return EXIT_CODES.done;
  if (state === 'needs you') return EXIT_CODES['needs-you'];
  return isRunning ? EXIT_CODES.stopped : worker || EXIT_CODES.stopped;
}

/** The exit codes from the worst to the best. */
const WORST = [EXIT_CODES.error, EXIT_CODES['needs-you'], EXIT_CODES.limit];

function findExitCode(target: WaitTarget, items: readonly Judged[], isReached: boolean): number {
  if (isReached && (target === 'done' || target === 'in-review')) return 0;
  if (isReached && target === 'needs-you') return EXIT_CODES['needs-you'];
  return WORST.find((code) => items.some((it) => it.exitCode === code)) ?? 0;
}

const MOST_NAMED = 3;

/** Returns a text such as `cart-api: in review; pay: needs you, Which provider?`. */
function describe(items: readonly Judged[], target: WaitTarget): string {
  const bad = items.filter((it) => !hasReached(target, it) || it.exitCode !== 0);
  const named = (bad.length > 0 ? bad : items).slice(0, MOST_NAMED);
  const more = (bad.length > 0 ? bad : items).length - named.length;
  const texts = named.map(({ id, state, reason, ...it }) => {
    const isIdle = !it.isRunning && !it.isScheduled && it.end === undefined;
    const why = isIdle && state === 'ready' ? `never started; to start it: saga run ${id}` : reason;
    return why === '' || why === state ? `${id}: ${state}` : `${id}: ${state}, ${why}`;
  });
  return [...texts, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}
