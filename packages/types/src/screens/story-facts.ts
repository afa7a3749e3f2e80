import type { StatusCounts } from '../plan/status.ts';
import type { Following, Trouble } from '../run/session-record.ts';
import { formatEpicBranch } from '../words/names.ts';
import type { EndFacts, GateFacts, LifeFacts } from './life.ts';
import type { SessionView } from './overview.ts';

/** Everything that the overview needs from the files of one story. The index remembers it. */
export interface StoryFacts {
  id: string;
  title: string;
  epic?: string;
  branch?: string;
  pr?: string;
  labels?: string[];
  counts: StatusCounts;
  /** The task in progress, in words. */
  working?: string;
  blockers?: { title: string; time?: string }[];
  /** Titles of feedback that no run was told yet. */
  feedback?: string[];
  /** Titles of the questions whose answers no run was told yet. */
  answers?: string[];
  /** Tasks that were tried too often. */
  escalated?: { id: string; subject: string }[];
  /** True if an escalated task holds up all open tasks; see `isHeldUp`. */
  heldUp?: true;
  /** The last gate. */
  evidence?: EvidenceFacts;
  /** True if a file in the folder cannot be read. The story is shown, but no worker starts on it. */
  broken?: true;
}

/** The facts of a story in a commit, without its definition. */
export type CopyFacts = Omit<StoryFacts, 'id' | 'title' | 'epic' | 'labels'>;

/** The facts from the evidence in a story's folder. */
export interface EvidenceFacts {
  outcome: GateFacts['outcome'];
  /** The last commit that was checked. */
  head: string;
  /** When the gate ended, as an ISO time. */
  at?: string;
  /** True if the gate ran no verify command. */
  unverified?: true;
  /** The checks that failed, in words. */
  failures?: string[];
}

/** What git and the records of sessions know of a story, beside its files. */
export interface StoryTraces {
  /** The branch that the story is or will be merged into. */
  base?: string;
  /** Whether the base itself contains evidence that the story's gate passed. */
  isInBase: boolean;
  /** The epics whose branches contain it with evidence that its gate passed. */
  mergedInto?: readonly string[];
  /** It has a branch, here or on the remote. */
  hasBranch: boolean;
  /** Whether its branch has only bookkeeping since the checked commit. */
  isUnchanged: boolean;
  /** How its newest worker ended. */
  lastEnd?: EndFacts;
  /** Why the scheduler of an epic leaves it alone, if the story is still on the same commit. */
  trouble?: Trouble;
  /** The pull request that a worker watches, while it does no other work. */
  following?: Following;
  /** True if its plan was edited in the main checkout, and no version on the branch has that edit. */
  hasTwoCopies?: true;
  /** The number of commits of the base that its branch lacks. */
  behind?: number;
}

/** The traces if git and records were not asked: no branch, no worker. */
export const NO_TRACES: StoryTraces = { isInBase: false, hasBranch: false, isUnchanged: true };

export interface LocatedStory {
  facts: StoryFacts;
  home: string;
  /** Set if the live copy is in a worktree. */
  worktree?: {
    /** The digest of the main checkout's copy of the plan, if it differs from the live one. */
    otherPlan?: string;
  };
  running: boolean;
  session?: SessionView;
  /** When its living worker was last heard of, if that is too long ago; see `findStall`. */
  stalledSince?: string;
  traces?: StoryTraces;
}

/**
 * Collects all facts that decide the state of a story, except what it waits for. `epic` is the epic that
 * lists the story: once the story is merged into the branch of that epic, its dependents can start from there.
 */
export function collectLifeFacts(story: LocatedStory, epic?: string): Omit<LifeFacts, 'unmet'> {
  const { facts, traces = NO_TRACES } = story;
  const { id, counts, blockers = [], escalated = [], evidence, pr } = facts;
  const { feedback = [], answers = [] } = facts;
  const { base, isInBase, hasBranch, lastEnd, following, hasTwoCopies = false, behind } = traces;
  const { mergedInto = [], trouble } = traces;
  const isInEpic = !isInBase && epic !== undefined && mergedInto.includes(epic);
  const askedAt = blockers.length === 0 ? undefined : findOldest(blockers);
  return {
    id,
    counts,
    isInBase: isInBase || isInEpic,
    hasBranch,
    hasTwoCopies,
    isBroken: facts.broken ?? false,
    blockers: blockers.map(({ title }) => title),
    askedAt,
    feedback,
    answers,
    escalated: escalated.map((task) => task.id),
    worker: story.running ? describeWorker(story) : undefined,
    gate: evidence ? describeGate(evidence, traces) : undefined,
    lastEnd,
    following,
    trouble,
    pr,
    base: base === undefined ? undefined : isInEpic ? formatEpicBranch(epic) : base,
    behind,
  };
}

function findOldest(blockers: readonly { time?: string }[]): string | undefined {
  const times = blockers.flatMap(({ time }) => time ?? []);
  return times.toSorted((a, b) => Date.parse(a) - Date.parse(b))[0];
}

function describeWorker({
  facts,
  session,
  stalledSince,
}: LocatedStory): NonNullable<LifeFacts['worker']> {
  const task = session?.task ?? facts.working;
  const activity = session?.activity ?? undefined;
  return {
    task,
    activity,
    waits: session?.waiting ? session.waiting : undefined,
    silentSince: stalledSince,
  };
}

function describeGate(evidence: EvidenceFacts, { isUnchanged }: StoryTraces): GateFacts {
  const { outcome, unverified = false, failures = [], at } = evidence;
  return {
    outcome,
    failures,
    isCurrent: isUnchanged,
    isUnverified: unverified,
    at,
  };
}
