import type { StatusCounts } from '../plan/status.ts';
import type { Following } from '../run/session-record.ts';
import { formatEpicBranch } from '../words/names.ts';
import type { EndFacts, GateFacts, LifeFacts } from './life.ts';
import type { SessionView } from './overview.ts';

/** All that an overview needs of the files of one story; what the scanner remembers between runs. */
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
  /** Tasks that were tried too often. */
  escalated?: { id: string; subject: string }[];
  /** Such a task holds up all that is open; see `isHeldUp`. */
  heldUp?: true;
  /** The last gate. */
  evidence?: EvidenceFacts;
  /** Something in the folder cannot be read: it is shown, but nothing should run it. */
  broken?: true;
}

/** What a commit says of a story: everything but its definition. */
export type CopyFacts = Omit<StoryFacts, 'id' | 'title' | 'epic' | 'labels'>;

/** What the evidence in a story's folder says. */
export interface EvidenceFacts {
  outcome: GateFacts['outcome'];
  /** The last commit that was checked. */
  head: string;
  /** When the gate ended, as an ISO time. */
  at?: string;
  /** No command was run. */
  unverified?: true;
  /** The checks that failed, in words. */
  failures?: string[];
}

/** What git and the records of sessions know of a story, beside its files. */
export interface StoryTraces {
  /** The branch that the story is or will be merged into. */
  base?: string;
  /** The base's own tree holds evidence that its gate passed. */
  isInBase: boolean;
  /** The epics whose branches contain it with evidence that its gate passed. */
  mergedInto?: readonly string[];
  /** It has a branch, here or on the remote. */
  hasBranch: boolean;
  /** Its branch holds nothing but bookkeeping since the commit that was checked. */
  isUnchanged: boolean;
  /** How its newest worker ended. */
  lastEnd?: EndFacts;
  /** The pull request that a worker watches, while nothing else is done. */
  following?: Following;
  /** Its plan was edited in the main checkout, and no version of it on the branch has that. */
  hasTwoCopies?: true;
  /** The number of commits of the base that its branch lacks. */
  behind?: number;
}

/** Where nothing was asked: no branch, no worker. */
export const NO_TRACES: StoryTraces = { isInBase: false, hasBranch: false, isUnchanged: true };

export interface LocatedStory {
  facts: StoryFacts;
  home: string;
  /** Set if the live copy is in a worktree. */
  worktree?: {
    /** The digest of the main checkout's copy of the plan, if it says something else than the live one. */
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
  const { id, counts, blockers = [], feedback = [], escalated = [], evidence, pr } = facts;
  const { base, isInBase, hasBranch, lastEnd, following, hasTwoCopies = false, behind } = traces;
  const { mergedInto = [] } = traces;
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
    ...(askedAt === undefined ? {} : { askedAt }),
    feedback,
    escalated: escalated.map((task) => task.id),
    ...(story.running ? { worker: describeWorker(story) } : {}),
    ...(evidence ? { gate: describeGate(evidence, traces) } : {}),
    ...(lastEnd ? { lastEnd } : {}),
    ...(following ? { following } : {}),
    ...(pr === undefined ? {} : { pr }),
    ...(base === undefined ? {} : { base: isInEpic ? formatEpicBranch(epic) : base }),
    ...(behind === undefined ? {} : { behind }),
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
    ...(task === undefined ? {} : { task }),
    ...(activity === undefined ? {} : { activity }),
    ...(session?.waiting ? { waits: session.waiting } : {}),
    ...(stalledSince === undefined ? {} : { silentSince: stalledSince }),
  };
}

function describeGate(evidence: EvidenceFacts, { isUnchanged }: StoryTraces): GateFacts {
  const { outcome, unverified = false, failures = [], at } = evidence;
  return {
    outcome,
    failures,
    isCurrent: isUnchanged,
    isUnverified: unverified,
    ...(at === undefined ? {} : { at }),
  };
}
