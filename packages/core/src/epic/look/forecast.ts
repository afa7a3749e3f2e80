import type { EpicItem } from '../layout.ts';
import { doOverlap } from '../overlap.ts';
import { type Candidate, weighPaths } from '../schedule.ts';

/** What earlier stories took: medians of their times and costs. */
export interface Experience {
  stories: number;
  minutes: number;
  usd: number;
}

export interface Forecast {
  /** The stories that are not merged yet, each level after the one before. */
  levels: string[][];
  /** The longest chain of stories that wait for each other. */
  criticalPath: string[];
  /** Pairs of stories that could run together but write the same files. */
  overlaps: [string, string][];
  /** When each story would begin and end, in units of one story. */
  timeline: { id: string; from: number; to: number }[];
  /** What the epic would take. Undefined without experience. */
  estimate?: { minutes: number; usd: number; basedOn: number };
}

/** Says what running an epic would do, without doing anything. */
export function forecast(
  candidates: readonly Candidate[],
  jobs: number,
  experience?: Experience,
): Forecast {
  const open = candidates.filter((it) => it.standing !== 'merged');
  const stories = open.filter((it) => it.kind === 'story');
  const items = keepOpenNeeds(open);
  const levels = findLevels(items);
  const timeline = planTimeline(items, jobs);
  const last = timeline.reduce((most, { to }) => Math.max(most, to), 0);
  return {
    levels,
    criticalPath: findCriticalPath(items),
    overlaps: findOverlaps(items),
    timeline,
    estimate:
      experience && experience.stories > 0
        ? {
            minutes: last * experience.minutes,
            usd: stories.length * experience.usd,
            basedOn: experience.stories,
          }
        : undefined,
  };
}

/** Finds the longest chain of stories that are not merged and wait for each other. */
export const findRemainingPath = (candidates: readonly Candidate[]): string[] =>
  findCriticalPath(keepOpenNeeds(candidates.filter((it) => it.standing !== 'merged')));

function keepOpenNeeds(open: readonly Candidate[]): EpicItem[] {
  const ids = new Set(open.map((it) => it.id));
  return open.map((it) => ({ ...it, needs: it.needs.filter((need) => ids.has(need)) }));
}

/** The level of a story is one more than that of the last thing it waits for. */
function findLevels(items: readonly EpicItem[]): string[][] {
  const depth = deriveDepths(items);
  const levels: string[][] = [];
  for (const { id, kind } of items) {
    if (kind !== 'story') continue;
    const level = depth(id);
    for (let at = levels.length; at <= level; at++) levels.push([]);
    levels[level]?.push(id);
  }
  return levels.filter((level) => level.length > 0);
}

function deriveDepths(items: readonly EpicItem[]): (id: string) => number {
  const byId = new Map(items.map((it) => [it.id, it]));
  const childrenOf = Map.groupBy(items, (it) => it.epic);
  const known = new Map<string, number>();
  // How many stories end before this item is merged.
  const end = (id: string): number => {
    const found = known.get(id);
    if (found !== undefined) return found;
    known.set(id, 0);
    const item = byId.get(id);
    if (!item) return 0;
    const before = Math.max(0, ...item.needs.map(end));
    const inside = (childrenOf.get(id) ?? []).map((it) => end(it.id));
    const own = item.kind === 'story' ? before + 1 : Math.max(before, 0, ...inside);
    known.set(id, own);
    return own;
  };
  return (id) => Math.max(0, end(id) - 1);
}

function findCriticalPath(items: readonly EpicItem[]): string[] {
  const weights = weighPaths(items);
  const stories = items.filter((it) => it.kind === 'story');
  const path: string[] = [];
  const byWeight = (a: EpicItem, b: EpicItem) =>
    (weights.get(b.id) ?? 0) - (weights.get(a.id) ?? 0);
  let next = stories.toSorted(byWeight)[0];
  while (next && path.length <= stories.length) {
    const { id } = next;
    path.push(id);
    const weight = weights.get(id) ?? 0;
    const after = new Set([id, next.epic]);
    next = stories.find(
      (it) => weights.get(it.id) === weight - 1 && it.needs.some((need) => after.has(need)),
    );
  }
  return path;
}

/** Stories with the same globs are compared once: large plans have few different ones. */
function findOverlaps(items: readonly EpicItem[]): [string, string][] {
  const writing = items.filter((it) => it.writes.length > 0);
  const groups = [...Map.groupBy(writing, (it) => it.writes.join('\0')).values()];
  const reach = deriveReach(items);
  const pairs: [string, string][] = [];
  const compare = (a: EpicItem, b: EpicItem) => {
    if (!reach(a.id, b.id) && !reach(b.id, a.id)) pairs.push([a.id, b.id]);
  };
  for (const [i, group] of groups.entries()) {
    for (const [n, a] of group.entries()) for (const b of group.slice(n + 1)) compare(a, b);
    for (const other of groups.slice(i + 1)) {
      if (!doOverlap(group[0]?.writes ?? [], other[0]?.writes ?? [])) continue;
      for (const a of group) for (const b of other) compare(a, b);
    }
  }
  return pairs;
}

/**
 * Returns a function that answers whether one item must be merged before another, directly or through others. Keeps one
 * bit for each pair.
 */
function deriveReach(items: readonly EpicItem[]): (id: string, earlier: string) => boolean {
  const places = new Map(items.map((it, place) => [it.id, place]));
  const childrenOf = Map.groupBy(items, (it) => it.epic);
  const words = Math.ceil(items.length / 32);
  const known = new Map<string, Uint32Array>();
  const reach = (id: string): Uint32Array => {
    const found = known.get(id);
    if (found) return found;
    const bits = new Uint32Array(words);
    known.set(id, bits);
    const inside = (childrenOf.get(id) ?? []).map((it) => it.id);
    for (const need of [...(items[places.get(id) ?? -1]?.needs ?? []), ...inside]) {
      const place = places.get(need);
      if (place === undefined) continue;
      const word = place >> 5;
      bits[word] = (bits[word] ?? 0) | (1 << (place & 31));
      for (const [at, value] of reach(need).entries()) bits[at] = (bits[at] ?? 0) | value;
    }
    return bits;
  };
  return (id, earlier) => {
    const place = places.get(earlier) ?? 0;
    return ((reach(id)[place >> 5] ?? 0) & (1 << (place & 31))) !== 0;
  };
}

/** Every story takes one unit, and a merge takes none. */
function planTimeline(items: readonly EpicItem[], jobs: number): Forecast['timeline'] {
  const weights = weighPaths(items);
  const byWeight = (a: EpicItem, b: EpicItem) =>
    (weights.get(b.id) ?? 0) - (weights.get(a.id) ?? 0);
  const waiting = items.filter((it) => it.kind === 'story').toSorted(byWeight);
  const inner = items.filter((it) => it.kind === 'epic').toReversed();
  const open = new Set(items.map((it) => it.id));
  const timeline: Forecast['timeline'] = [];
  for (let now = 0; waiting.length > 0; now++) {
    const running: EpicItem[] = [];
    for (const item of waiting) {
      if (running.length >= jobs) break;
      if (item.needs.some((it) => open.has(it))) continue;
      if (running.some((it) => doOverlap(it.writes, item.writes))) continue;
      running.push(item);
    }
    // A cycle: nothing can begin.
    if (running.length === 0) break;
    for (const item of running) {
      waiting.splice(waiting.indexOf(item), 1);
      open.delete(item.id);
      timeline.push({ id: item.id, from: now, to: now + 1 });
    }
    for (const { id } of inner) {
      if (!items.some((it) => it.epic === id && open.has(it.id))) open.delete(id);
    }
  }
  return timeline;
}
