import type { Epic, EpicChild } from '../plan/epic.ts';
import { findParents } from '../plan/epic-parents.ts';
import { findUnmet, type Membership } from '../plan/graph.ts';
import { countStatuses, deriveStatus, type Progress, type Status } from '../plan/status.ts';
import type { Trouble } from '../run/session-record.ts';
import { deriveLife, type Life, type LifeState, type Unmet } from './life.ts';
import { collectLifeFacts, type LocatedStory } from './story-facts.ts';

/** A story by itself: the state that it would have if it waited for nothing. */
interface Leaf {
  story: LocatedStory;
  status: Status;
  alone: LifeState;
  life: Life;
  pr: string | undefined;
  /** The branches that contain the story, as one text, so that two can be compared. */
  merged: string;
}

/** Stories below an epic, at any depth. */
export interface EpicProgress extends Progress {
  inReview: number;
}

/** Returns why the scheduler of an epic leaves an inner epic alone. */
export type FindTrouble = (id: string) => Trouble | undefined;

/** The epics with everything below them. Computes each answer once, and stops at cycles. */
export class EpicTree {
  readonly parentOf: ReadonlyMap<string, string>;
  readonly #epics = new Map<string, Epic>();
  readonly #leaves = new Map<string, Leaf>();
  readonly #statuses = new Map<string, Status>();
  readonly #states = new Map<string, LifeState>();
  readonly #areDone = new Map<string, boolean>();
  readonly #nodes = new Map<string, EpicChild>();
  readonly #done: Membership = { has: (id: string) => this.isDone(id) };

  readonly #running: Membership;
  readonly #findTrouble: FindTrouble;

  /** `running` has the epics with a living scheduler. */
  constructor(source: {
    stories: readonly LocatedStory[];
    epics: readonly Epic[];
    running?: Membership;
    troubleOf?: FindTrouble;
  }) {
    this.#running = source.running ?? new Set();
    this.#findTrouble = source.troubleOf ?? (() => undefined);
    for (const epic of source.epics) this.#epics.set(epic.id, epic);
    this.parentOf = findParents(source.epics);
    for (const epic of source.epics) {
      for (const child of epic.children) {
        if (!this.#nodes.has(child.id)) this.#nodes.set(child.id, child);
      }
    }
    for (const story of source.stories) {
      const { id } = story.facts;
      this.#leaves.set(id, toLeaf(story, this.parentOf.get(id)));
    }
  }

  /** Replaces a story. Returns whether its state changed, so that the states of others may have changed too. */
  setStory(story: LocatedStory): boolean {
    const { id } = story.facts;
    const before = this.#leaves.get(id);
    const after = toLeaf(story, this.parentOf.get(id));
    this.#leaves.set(id, after);
    const isSame =
      before?.status === after.status &&
      before.alone === after.alone &&
      before.pr === after.pr &&
      before.merged === after.merged;
    if (isSame) return false;
    this.#statuses.clear();
    this.#states.clear();
    this.#areDone.clear();
    return true;
  }

  /**
   * Lists the items whose state may depend on the state of a story: everything in the outermost epic around
   * it, including the story and that epic.
   */
  findAffected(id: string): Set<string> {
    const above = new Set<string>();
    let top = id;
    for (let at: string | undefined = id; at !== undefined && !above.has(at); ) {
      above.add(at);
      top = at;
      at = this.parentOf.get(at);
    }
    const affected = new Set([...above, top]);
    // Iterating a Set also visits elements added during the loop, so children of children are visited too.
    for (const at of affected)
      for (const child of this.#epics.get(at)?.children ?? []) affected.add(child.id);
    return affected;
  }

  statusOf(id: string): Status {
    return remember(this.#statuses, id, 'pending', () => {
      const leaf = this.#leaves.get(id);
      if (leaf) return leaf.status;
      const children = this.#epics.get(id)?.children ?? [];
      return deriveStatus(countStatuses(children.map((child) => this.statusOf(child.id))));
    });
  }

  /**
   * Whether an item is done. A story is done if its gate passed and its base contains it: the branch of its epic, or
   * the default branch. An epic is done if the base of the epic contains all its stories.
   */
  isDone(id: string): boolean {
    const leaf = this.#leaves.get(id);
    if (leaf) return leaf.alone === 'done';
    return remember(this.#areDone, id, false, () => this.#isMerged(id, this.parentOf.get(id)));
  }

  /** Whether all stories below an epic are in the default branch or in the branch of an epic above. */
  #isMerged(id: string, above: string | undefined, seen = new Set<string>()): boolean {
    const leaf = this.#leaves.get(id);
    if (leaf) {
      const { isInBase = false, mergedInto = [] } = leaf.story.traces ?? {};
      const isThere = isInBase || (above !== undefined && mergedInto.includes(above));
      return leaf.alone === 'done' && isThere;
    }
    if (seen.has(id)) return false;
    seen.add(id);
    const children = this.#epics.get(id)?.children ?? [];
    return children.length > 0 && children.every((it) => this.#isMerged(it.id, above, seen));
  }

  /** Returns the state of a story or an epic. An unknown id counts as waiting. */
  stateOf(id: string): LifeState {
    return remember(this.#states, id, 'waiting', () => {
      const leaf = this.#leaves.get(id);
      if (!leaf) return this.#deriveEpicState(id);
      return leaf.alone === 'ready' && this.findBlockers(id).length > 0 ? 'waiting' : leaf.alone;
    });
  }

  #deriveEpicState(id: string): LifeState {
    const epic = this.#epics.get(id);
    if (!epic) return 'waiting';
    if (this.isDone(id)) return 'done';
    // Between two stories nothing runs below it, and still nobody else may land it or begin it.
    if (this.#running.has(id)) return 'running';
    return this.troubleOf(id) ? 'needs you' : this.#combine(epic);
  }

  /** Returns why the scheduler around an epic cannot merge it, as long as the epic is as it was. */
  troubleOf(id: string): Trouble | undefined {
    const epic = this.#epics.get(id);
    const trouble = this.#findTrouble(id);
    const isIdle = epic && trouble && !this.isDone(id) && !this.#running.has(id);
    return isIdle && trouble.state === this.#combine(epic) ? trouble : undefined;
  }

  /** Derives the state of an epic from its children alone. */
  #combine({ id, children: listed }: Epic): LifeState {
    const children = new Set(listed.map((child) => this.stateOf(child.id)));
    const pressing = PRESSING.find((state) => children.has(state));
    if (pressing !== undefined) return pressing;
    if (this.findBlockers(id).length > 0) return 'waiting';
    if (children.has('ready') || children.size === 0) return 'ready';
    // Nothing of it waits: all that is left passed its gate, or is merged into the epic's branch.
    return children.has('waiting') ? 'waiting' : 'in review';
  }

  progressOf(id: string, seen = new Set<string>()): EpicProgress {
    const epic = this.#epics.get(id);
    if (!epic) {
      const state = this.stateOf(id);
      const completed = state === 'done' ? 1 : 0;
      return { completed, inReview: state === 'in review' ? 1 : 0, total: 1 };
    }
    const sum = { completed: 0, inReview: 0, total: 0 };
    if (seen.has(id)) return sum;
    seen.add(id);
    for (const child of epic.children) {
      const progress = this.progressOf(child.id, seen);
      sum.completed += progress.completed;
      sum.inReview += progress.inReview;
      sum.total += progress.total;
    }
    return sum;
  }

  /** Lists the items that are not done and that the item, or an epic around it, depends on. */
  findBlockers(id: string): string[] {
    if (!this.parentOf.has(id)) return [];
    const unmet: string[] = [];
    const seen = new Set<string>();
    for (let at: string | undefined = id; at !== undefined && !seen.has(at); ) {
      seen.add(at);
      const node = this.#nodes.get(at);
      if (node) unmet.push(...findUnmet(node, this.#done));
      at = this.parentOf.get(at);
    }
    return [...new Set(unmet)];
  }

  /** Returns these items with their states. */
  describeUnmet(ids: readonly string[]): Unmet[] {
    return ids.map((id) => {
      const pr = this.#leaves.get(id)?.pr;
      return { id, state: this.stateOf(id), pr };
    });
  }

  lifeOf(story: LocatedStory, blockedBy: readonly string[]): Life {
    const leaf = this.#leaves.get(story.facts.id);
    if (blockedBy.length === 0 && leaf?.story === story) return leaf.life;
    const facts = collectLifeFacts(story, this.parentOf.get(story.facts.id));
    return deriveLife({ ...facts, unmet: this.describeUnmet(blockedBy) });
  }
}

/** States that an epic takes over as soon as one of its children is in them. */
const PRESSING = ['running', 'needs you', 'interrupted'] as const;

function toLeaf(story: LocatedStory, epic: string | undefined): Leaf {
  const { counts, pr } = story.facts;
  const life = deriveLife({ ...collectLifeFacts(story, epic), unmet: [] });
  const { isInBase, mergedInto = [] } = story.traces ?? {};
  const merged = [isInBase ? '' : 'no base', ...mergedInto].join(' ');
  return { story, status: deriveStatus(counts), alone: life.state, life, pr, merged };
}

/**
 * Computes an answer once. `meanwhile` is the answer during the computation, so that an epic that contains itself does
 * not lead to an endless loop.
 */
function remember<T>(known: Map<string, T>, id: string, meanwhile: T, derive: () => T): T {
  const found = known.get(id);
  if (found !== undefined) return found;
  known.set(id, meanwhile);
  const value = derive();
  known.set(id, value);
  return value;
}
