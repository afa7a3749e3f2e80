import type { Epic, EpicChild } from '../plan/epic.ts';
import { findUnmet, type Membership } from '../plan/graph.ts';
import {
  countStatuses,
  deriveProgress,
  deriveStatus,
  type Progress,
  type Status,
  type StatusCounts,
} from '../plan/status.ts';
import type { Problem } from '../words/problem.ts';
import type { EpicView, Overview, Reason, SessionView, StoryView } from './overview.ts';
import { OVERVIEW_VERSION } from './overview-version.ts';
import { buildStallReason } from './stall.ts';

/** Everything that the overview needs to know about one story. The scanner keeps it in the index. */
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
  /** Subjects of tasks that were tried too often. */
  escalated?: string[];
  /** Why the last gate failed. */
  gate?: string[];
  /** A file of the story cannot be read. The story is shown, but must not be run. */
  broken?: true;
}

export interface LocatedStory {
  facts: StoryFacts;
  home: string;
  running: boolean;
  session?: SessionView;
  /** The time of the last sign of life of the worker, if that is too long ago; see `findStall`. */
  stalledSince?: string;
}

export interface OverviewSource {
  stories: readonly LocatedStory[];
  epics: readonly Epic[];
  problems: readonly Problem[];
}

export function deriveOverview(
  source: OverviewSource,
  tree: EpicTree = new EpicTree(source),
): Overview {
  const stories = source.stories.map((story) => deriveStoryView(story, tree));
  const epics = source.epics.map((epic) => deriveEpicView(epic, tree));
  return { version: OVERVIEW_VERSION, stories, epics, problems: [...source.problems] };
}

export function deriveStoryView(
  { facts, home, running, session, stalledSince }: LocatedStory,
  tree: EpicTree,
): StoryView {
  const status = deriveStatus(facts.counts);
  const blockedBy = status === 'completed' ? [] : tree.findBlockers(facts.id);
  const needsYou = findReasons(facts, stalledSince);
  const progress = deriveProgress(facts.counts);
  return {
    id: facts.id,
    title: facts.title,
    epic: facts.epic ?? tree.parentOf.get(facts.id) ?? null,
    status,
    ready:
      status !== 'completed' &&
      progress.total > 0 &&
      blockedBy.length === 0 &&
      needsYou.length === 0 &&
      !running &&
      !facts.broken,
    blockedBy,
    running,
    session: session ?? null,
    needsYou: needsYou.length > 0 ? needsYou : null,
    progress,
    working: facts.working ?? null,
    home,
    branch: facts.branch ?? null,
    pr: facts.pr ?? null,
    labels: facts.labels ?? [],
  };
}

export function deriveEpicView(epic: Epic, tree: EpicTree): EpicView {
  const status = tree.statusOf(epic.id);
  const blockedBy = status === 'completed' ? [] : tree.findBlockers(epic.id);
  return {
    id: epic.id,
    title: epic.title,
    epic: tree.parentOf.get(epic.id) ?? null,
    status,
    ready: status !== 'completed' && blockedBy.length === 0,
    blockedBy,
    progress: tree.progressOf(epic.id),
    children: epic.children.map(({ id, blockedBy }) => ({ id, blockedBy })),
    branch: epic.branch ?? null,
    pr: epic.pr ?? null,
    labels: epic.labels ?? [],
  };
}

function findReasons(
  { blockers = [], escalated = [], gate = [] }: StoryFacts,
  stalledSince: string | undefined,
): Reason[] {
  return [
    ...(stalledSince === undefined ? [] : [buildStallReason(stalledSince)]),
    ...blockers.map(({ title, time }): Reason => {
      return { kind: 'blocker', title, ...(time === undefined ? {} : { since: time }) };
    }),
    ...escalated.map((title): Reason => ({ kind: 'escalated', title })),
    ...gate.map((title): Reason => ({ kind: 'gate', title })),
  ];
}

/** The epics and everything below them. Each answer is computed once; a cycle of epics does not loop. */
export class EpicTree {
  readonly parentOf = new Map<string, string>();
  readonly #epics = new Map<string, Epic>();
  readonly #stories = new Map<string, StatusCounts>();
  readonly #statuses = new Map<string, Status>();
  readonly #nodes = new Map<string, EpicChild>();
  readonly #completed: Membership = { has: (id: string) => this.statusOf(id) === 'completed' };

  constructor(source: Pick<OverviewSource, 'stories' | 'epics'>) {
    for (const { facts } of source.stories) this.#stories.set(facts.id, facts.counts);
    for (const epic of source.epics) this.#epics.set(epic.id, epic);
    for (const epic of source.epics) {
      for (const child of epic.children) {
        if (this.parentOf.has(child.id)) continue;
        this.parentOf.set(child.id, epic.id);
        this.#nodes.set(child.id, child);
      }
    }
  }

  /** Returns whether the status of the story changed; then the answers for other items may change, too. */
  setCounts(id: string, counts: StatusCounts): boolean {
    const before = this.statusOf(id);
    this.#stories.set(id, counts);
    if (deriveStatus(counts) === before) return false;
    this.#statuses.clear();
    return true;
  }

  /** Returns all items that a change of this story's status can affect: the outermost epic and everything in it. */
  findAffected(id: string): Set<string> {
    const above = new Set<string>();
    let top = id;
    for (let at: string | undefined = id; at !== undefined && !above.has(at); ) {
      above.add(at);
      top = at;
      at = this.parentOf.get(at);
    }
    const affected = new Set([...above, top]);
    // The loop also visits items that are added to the Set meanwhile, so it reaches children of children.
    for (const at of affected)
      for (const child of this.#epics.get(at)?.children ?? []) affected.add(child.id);
    return affected;
  }

  statusOf(id: string): Status {
    const known = this.#statuses.get(id);
    if (known) return known;
    const status = this.#deriveStatus(id);
    this.#statuses.set(id, status);
    return status;
  }

  #deriveStatus(id: string): Status {
    const counts = this.#stories.get(id);
    if (counts) return deriveStatus(counts);
    const epic = this.#epics.get(id);
    if (!epic) return 'pending';
    // A preliminary value ends the recursion if an epic contains itself.
    this.#statuses.set(id, 'pending');
    return deriveStatus(countStatuses(epic.children.map((child) => this.statusOf(child.id))));
  }

  progressOf(id: string, seen = new Set<string>()): Progress {
    const epic = this.#epics.get(id);
    if (!epic) return { completed: this.statusOf(id) === 'completed' ? 1 : 0, total: 1 };
    const sum = { completed: 0, total: 0 };
    if (seen.has(id)) return sum;
    seen.add(id);
    for (const child of epic.children) {
      const progress = this.progressOf(child.id, seen);
      sum.completed += progress.completed;
      sum.total += progress.total;
    }
    return sum;
  }

  /** Returns the unmet dependencies of the item and of every epic that contains it. */
  findBlockers(id: string): string[] {
    if (!this.parentOf.has(id)) return [];
    const unmet: string[] = [];
    const seen = new Set<string>();
    for (let at: string | undefined = id; at !== undefined && !seen.has(at); ) {
      seen.add(at);
      const node = this.#nodes.get(at);
      if (node) unmet.push(...findUnmet(node, this.#completed));
      at = this.parentOf.get(at);
    }
    return [...new Set(unmet)];
  }
}
