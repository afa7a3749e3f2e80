import type { EpicItem } from './layout.ts';
import { doOverlap } from './overlap.ts';

/**
 * Where an item is. open: it may be started. running: it has a worker. passed: its gate passed, and it is not
 * merged yet. merged: it is in the branch of its epic. stuck: only a person can help.
 */
export type Standing = 'open' | 'running' | 'passed' | 'merged' | 'stuck';

/** An item and everything that decides about it. */
export interface Candidate extends EpicItem {
  standing: Standing;
  /** How much the item adds to the length of a chain, such as its expected time. Missing means 1. */
  weight?: number;
}

export interface Limits {
  /** How many workers may run at once. */
  jobs: number;
  /** Nothing new begins. */
  isPaused: boolean;
  /** If an item is stuck, no other item begins, and all workers are stopped. */
  failFast: boolean;
  /** The time or the budget is used up, or a person asked to stop. All workers are stopped. */
  isOver: boolean;
  /** The item that is being merged now. */
  merging?: string;
  /** A person merges the stories, not the scheduler. */
  isReviewed: boolean;
  /** Only these stories may begin. Undefined means all. */
  chosen?: ReadonlySet<string>;
}

/** Why an item that is open does not begin. */
export type Hold =
  | { why: 'needs'; by: string[] }
  /** It would write the same files as these, which are not merged yet. */
  | { why: 'overlap'; by: string[] }
  /** It waits for these, which only a person can help. */
  | { why: 'cut-off'; by: string[] }
  | { why: 'jobs' | 'paused' | 'not-chosen' | 'over' | 'fail-fast' };

export interface Schedule {
  start: string[];
  stop: string[];
  merge?: string;
  holds: Map<string, Hold>;
  /**
   * working: something runs or begins. people: nothing can go on without a person. done: all that was chosen is
   * merged, or, if a person merges, has passed.
   */
  phase: 'working' | 'paused' | 'people' | 'over' | 'done';
}

/** Decides what begins, what is merged, and what waits for what. The scheduler has no other rule. */
export function schedule(candidates: readonly Candidate[], limits: Limits): Schedule {
  const standings = deriveStandings(candidates);
  const of = (id: string): Standing => standings.get(id) ?? 'open';
  const stories = candidates.filter((it) => it.kind === 'story');
  const running = stories.filter((it) => of(it.id) === 'running').map((it) => it.id);
  const stuck = candidates.filter((it) => of(it.id) === 'stuck').map((it) => it.id);
  const isHalted = limits.isOver || (limits.failFast && stuck.length > 0);
  const cutOffs = findCutOffs(candidates, new Set(stuck));
  const priority = weighPaths(candidates);
  const byPriority = (a: Candidate, b: Candidate) =>
    (priority.get(b.id) ?? 0) - (priority.get(a.id) ?? 0);

  const holds = new Map<string, Hold>();
  const start: string[] = [];
  const unmerged = stories.filter((it) => ['running', 'passed'].includes(of(it.id)));
  // A merge that fails opens its story again before it ends. Until then the story is left alone.
  const open = stories.filter((it) => of(it.id) === 'open' && it.id !== limits.merging);
  for (const item of open.toSorted(byPriority)) {
    const hold = findHold(item);
    if (hold) holds.set(item.id, hold);
    else {
      start.push(item.id);
      unmerged.push(item);
    }
  }

  function findHold({ id, needs, writes }: Candidate): Hold | undefined {
    const cutOff = cutOffs.get(id);
    if (cutOff) return { why: 'cut-off', by: cutOff };
    const unmet = needs.filter((it) => of(it) !== 'merged');
    if (unmet.length > 0) return { why: 'needs', by: unmet };
    if (limits.chosen && !limits.chosen.has(id)) return { why: 'not-chosen' };
    if (limits.isOver) return { why: 'over' };
    if (isHalted) return { why: 'fail-fast' };
    if (limits.isPaused) return { why: 'paused' };
    const by = unmerged.filter((it) => doOverlap(it.writes, writes)).map((it) => it.id);
    if (by.length > 0) return { why: 'overlap', by };
    return running.length + start.length >= limits.jobs ? { why: 'jobs' } : undefined;
  }

  const mayMerge = !limits.isReviewed && !limits.isPaused && !limits.isOver && !limits.merging;
  const next = mayMerge
    ? candidates.filter((it) => of(it.id) === 'passed').toSorted(byPriority)[0]
    : undefined;
  const isAtWork = running.length > 0 || limits.merging !== undefined;
  return {
    start,
    stop: isHalted ? running : [],
    merge: next ? next.id : undefined,
    holds,
    phase: findPhase(),
  };

  function findPhase(): Schedule['phase'] {
    const open = candidates.filter((it) => isMeant(it) && of(it.id) !== 'merged');
    const isPassed = open.every(({ id, kind }) => of(id) === 'passed' || kind === 'epic');
    const isDone = open.length === 0 || (limits.isReviewed && isPassed);
    if (isDone && !isAtWork && !next) return 'done';
    if (isAtWork || start.length > 0 || next) return 'working';
    if (limits.isOver) return 'over';
    return limits.isPaused ? 'paused' : 'people';
  }

  /** Returns whether the run includes the item: only the chosen stories, or everything if none were chosen. */
  function isMeant({ id }: Candidate): boolean {
    return limits.chosen === undefined || limits.chosen.has(id);
  }
}

/** An inner epic has passed if all its children are merged into it. */
function deriveStandings(candidates: readonly Candidate[]): Map<string, Standing> {
  const standings = new Map(candidates.map((it) => [it.id, it.standing]));
  // Children come after their epic, so from the end every child is known before its epic.
  for (const { id, kind, standing } of candidates.toReversed()) {
    if (kind !== 'epic' || standing === 'merged' || standing === 'stuck') continue;
    const children = candidates.filter((it) => it.epic === id);
    const isWhole = children.every((it) => standings.get(it.id) === 'merged');
    standings.set(id, isWhole && children.length > 0 ? 'passed' : 'open');
  }
  return standings;
}

/** Finds the items that wait for a stuck item, directly or through others, and names the stuck items. */
function findCutOffs(
  candidates: readonly Candidate[],
  stuck: ReadonlySet<string>,
): Map<string, string[]> {
  if (stuck.size === 0) return new Map();
  const byId = new Map(candidates.map((it) => [it.id, it]));
  const childrenOf = new Map<string, string[]>();
  for (const { id, epic } of candidates) {
    const known = childrenOf.get(epic);
    if (known) known.push(id);
    else childrenOf.set(epic, [id]);
  }
  const known = new Map<string, ReadonlySet<string>>();
  const reach = (id: string): ReadonlySet<string> => {
    const found = known.get(id);
    if (found) return found;
    const roots = new Set<string>();
    // Set before the search, so that a cycle ends it.
    known.set(id, roots);
    const item = byId.get(id);
    if (!item || item.standing === 'merged') return roots;
    const before = [...item.needs, ...(item.kind === 'epic' ? (childrenOf.get(id) ?? []) : [])];
    for (const other of before) {
      if (stuck.has(other)) roots.add(other);
      for (const root of reach(other)) roots.add(root);
    }
    return roots;
  };
  const found = candidates.map(({ id }): [string, string[]] => [id, [...reach(id)]]);
  return new Map(found.filter(([, roots]) => roots.length > 0));
}

/** Weighs the longest chain from each item to the end of the epic. The item with the longest chain begins first. */
export function weighPaths(
  candidates: readonly Pick<Candidate, 'id' | 'needs' | 'epic' | 'weight' | 'kind'>[],
): Map<string, number> {
  const dependents = new Map<string, string[]>();
  const note = (id: string, dependent: string) => {
    const known = dependents.get(id);
    if (known) known.push(dependent);
    else dependents.set(id, [dependent]);
  };
  for (const { id, needs, epic } of candidates) {
    for (const need of needs) note(need, id);
    // An inner epic ends after all its children.
    note(id, epic);
  }
  const byId = new Map(candidates.map((it) => [it.id, it]));
  const weights = new Map<string, number>();
  const weigh = (id: string): number => {
    const known = weights.get(id);
    if (known !== undefined) return known;
    weights.set(id, 0);
    const item = byId.get(id);
    if (!item) return 0;
    const own = item.kind === 'epic' ? 0 : (item.weight ?? 1);
    let longest = 0;
    for (const next of dependents.get(id) ?? []) {
      // The children of an inner epic need what it needs; they carry its weight.
      longest = Math.max(longest, weigh(next));
    }
    weights.set(id, own + longest);
    return own + longest;
  };
  for (const { id } of candidates) weigh(id);
  return weights;
}
