import type { Advice } from '@saga-ai/types/plan/advice';
import { layOut } from '../epic/layout.ts';
import { doOverlap } from '../epic/overlap.ts';
import type { LintedPlan } from './linted-plan.ts';
import { listSome } from './list-some.ts';
import { computeReach, type Reach } from './reach.ts';

/** The most partners of a story that are named. */
const MOST_PARTNERS = 3;
/**
 * The most comparisons, so that a plan of many thousands of stories whose globs fit everywhere does not take too long.
 */
const MOST_COMPARISONS = 2_000_000;

interface Writer {
  id: string;
  writes: readonly string[];
  place: number;
}

/** Finds stories of an epic that could run at the same time and may write the same files. */
export function findOverlaps({ stories, epics }: LintedPlan): Advice[] {
  const writesOf = new Map(stories.map(({ story }) => [story.id, story.writeFiles ?? []]));
  const byId = new Map(epics.map((epic) => [epic.id, epic]));
  const inner = new Set(epics.flatMap(({ children }) => children.map(({ id }) => id)));
  const roots = epics.filter(({ id }) => !inner.has(id));
  const budget = { left: MOST_COMPARISONS };
  return roots.flatMap((root) => {
    const items = layOut(root.id, byId, (id) => writesOf.get(id) ?? []);
    const own = items.filter(({ kind, writes }) => kind === 'story' && writes.length > 0);
    if (own.length < 2) return [];
    // An item that waits for an inner epic waits for everything in it.
    const inside = Map.groupBy(items, ({ epic }) => epic);
    const reach = computeReach(
      items.map(({ id, needs }) => ({
        id,
        blockedBy: [...needs, ...(inside.get(id) ?? []).map((it) => it.id)],
      })),
    );
    const writers = own.flatMap(({ id, writes }) => {
      const place = reach.placeOf(id);
      return place === undefined ? [] : [{ id, writes, place }];
    });
    return compareAll(root.id, writers, reach, budget);
  });
}

function compareAll(
  epic: string,
  writers: readonly Writer[],
  reach: Reach,
  budget: { left: number },
): Advice[] {
  const placed = new PlacedWriters();
  const advice: Advice[] = [];
  for (const writer of writers) {
    const partners: string[] = [];
    placed.visitNear(writer.writes, (other) => {
      if (reach.isBehind(writer.place, other.place)) return true;
      if (reach.isBehind(other.place, writer.place)) return true;
      if (doOverlap(writer.writes, other.writes)) partners.push(other.id);
      return partners.length < MOST_PARTNERS && budget.left-- > 0;
    });
    placed.add(writer);
    if (partners.length === 0) continue;
    const before = partners[0] ?? '';
    advice.push({
      ...{ rule: 'overlap', story: writer.id, epic, others: partners },
      message: `${writer.id} may run beside ${listSome(partners)} and may write the same files.`,
      remedy: `Narrow "writeFiles" of one of them, or let ${writer.id} wait for ${before}.`,
    });
  }
  if (budget.left > 0) return advice;
  const message = `Epic ${epic} is too large to compare what all of its stories write.`;
  return [
    ...advice,
    { rule: 'overlap', epic, message, remedy: 'Split the epic into smaller ones.' },
  ];
}

const NOBODY: ReadonlySet<Writer> = new Set();

/** Writers by the plain folders in front of their globs: only those on one path can meet. */
class PlacedWriters {
  private readonly at = new Map<string, Set<Writer>>();
  /** Writers at this folder and below it. */
  private readonly below = new Map<string, Set<Writer>>();

  add(writer: Writer): void {
    for (const glob of writer.writes) {
      const parts = plainParts(glob);
      note(this.at, parts.join('/'), writer);
      for (let depth = 0; depth <= parts.length; depth++) {
        note(this.below, parts.slice(0, depth).join('/'), writer);
      }
    }
  }

  /** Visits every writer that may meet one of the globs, once, until `visit` returns false. */
  visitNear(globs: readonly string[], visit: (writer: Writer) => boolean): void {
    const sets = new Set<ReadonlySet<Writer>>();
    for (const glob of globs) {
      const parts = plainParts(glob);
      for (let depth = 0; depth < parts.length; depth++) {
        sets.add(this.at.get(parts.slice(0, depth).join('/')) ?? NOBODY);
      }
      sets.add(this.below.get(parts.join('/')) ?? NOBODY);
    }
    const earlier: ReadonlySet<Writer>[] = [];
    for (const set of sets) {
      if (set.size === 0) continue;
      for (const writer of set) {
        if (earlier.length > 0 && earlier.some((it) => it.has(writer))) continue;
        if (!visit(writer)) return;
      }
      earlier.push(set);
    }
  }
}

function note(map: Map<string, Set<Writer>>, key: string, writer: Writer): void {
  const set = map.get(key);
  if (set) set.add(writer);
  else map.set(key, new Set([writer]));
}

/** The names in front of the first one that is a pattern. */
function plainParts(glob: string): string[] {
  const parts = glob
    .replace(/^\.?\//, '')
    .replace(/\/$/, '')
    .split('/');
  const first = parts.findIndex((part) => /[*?{}[\]()!@+|\\]/.test(part));
  return first === -1 ? parts : parts.slice(0, first);
}
