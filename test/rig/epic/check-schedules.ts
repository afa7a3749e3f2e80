import fc, { assert, property } from 'fast-check';
import { expect } from 'vitest';
import type { EpicItem } from '../../../packages/core/src/epic/layout.ts';
import { type Fate, simulate, type World } from './simulate.ts';

/** Generates any plan: stories and inner epics that wait for earlier siblings, some with `writeFiles`. */
const anyWorld: fc.Arbitrary<World> = fc
  .array(
    fc.record({
      parent: fc.nat(8),
      isEpic: fc.boolean(),
      needs: fc.array(fc.nat(30), { maxLength: 3 }),
      writes: fc.subarray(['src/a/**', 'src/b', 'src/**/*.css', 'docs/*.md'], { maxLength: 2 }),
      work: fc.integer({ min: 1, max: 9 }),
      merge: fc.integer({ min: 0, max: 3 }),
      failures: fc.constantFrom(0, 0, 0, 1, 2),
      help: fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }),
      isUnproven: fc.constantFrom(false, false, false, true),
      removed: fc.option(fc.integer({ min: 1, max: 30 }), { nil: undefined }),
    }),
    { minLength: 1, maxLength: 20 },
  )
  .chain((drafts) => {
    const items: EpicItem[] = [];
    const fates = new Map<string, Fate>();
    const epics = ['root'];
    for (const [i, draft] of drafts.entries()) {
      const { parent, isEpic, needs, writes, ...fate } = draft;
      const epic = epics[parent % epics.length] ?? 'root';
      const siblings = items.filter((it) => it.epic === epic);
      const inherited = items.find((it) => it.id === epic)?.needs ?? [];
      const own = needs.flatMap((n) => siblings[n % Math.max(1, siblings.length)]?.id ?? []);
      // Every third epic at the most, so that there are stories.
      const kind = isEpic && i % 3 === 0 ? 'epic' : 'story';
      const all = [...new Set([...inherited, ...own])];
      items.push({ id: `n${i}`, kind, epic, needs: all, writes: kind === 'epic' ? [] : writes });
      if (kind === 'epic') epics.push(`n${i}`);
      const { removed, ...rest } = fate;
      // An inner epic that loses its last story is never merged.
      const mayGo = kind === 'story' && epic === 'root';
      fates.set(`n${i}`, { ...rest, removed: mayGo ? removed : undefined });
    }
    // An epic without children is never merged; give it one.
    for (const epic of items.filter((it) => it.kind === 'epic')) {
      if (items.some((it) => it.epic === epic.id)) continue;
      const id = `${epic.id}-only`;
      items.push({ id, kind: 'story', epic: epic.id, needs: epic.needs, writes: [] });
      fates.set(id, { work: 1, merge: 1, failures: 0 });
    }
    return fc.record({
      items: fc.constant(items),
      fates: fc.constant(fates),
      limits: fc.record({
        jobs: fc.integer({ min: 1, max: 6 }),
        failFast: fc.constant(false),
        isReviewed: fc.constant(false),
      }),
      kills: fc
        .uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 4 })
        .map((it) => it.sort((a, b) => a - b)),
    });
  });

/** Finds the items that can be merged although some stories never pass. */
function findReachable({ items, fates }: World): Set<string> {
  const lost = new Set(
    items
      .filter(({ id, kind }) => {
        if (kind === 'epic') return false;
        const { failures = 0, help, isUnproven = false } = fates.get(id) ?? {};
        return (failures > 0 || isUnproven) && help === undefined;
      })
      .map(({ id }) => id),
  );
  for (let before = -1; before !== lost.size; ) {
    before = lost.size;
    for (const { id, needs, kind } of items) {
      const hasLostChild = kind === 'epic' && items.some((it) => it.epic === id && lost.has(it.id));
      const isLost = (it: string) => lost.has(it) && fates.get(it)?.removed === undefined;
      if (hasLostChild || needs.some(isLost)) lost.add(id);
    }
  }
  return new Set(items.map(({ id }) => id).filter((id) => !lost.has(id)));
}

/** Tries this many plans. Prints a failing plan with its seed, which repeats it. */
export function checkSchedules(runs: number): void {
  void assert(
    property(anyWorld, (world) => {
      const { merges, done, starts, last, most } = simulate(world);
      const keys = merges.map(({ id, tip, scheduler }) => `${id} ${tip} ${scheduler}`);
      expect(new Set(keys).size).toBe(keys.length);
      const isKept = (id: string) => world.fates.get(id)?.removed === undefined;
      const kept = world.items.filter(({ id }) => isKept(id));
      const reachable = findReachable(world);
      expect(done.filter(isKept).toSorted()).toEqual([...reachable].filter(isKept).toSorted());
      expect(last.phase).toBe(kept.every(({ id }) => reachable.has(id)) ? 'done' : 'people');
      expect(most).toBeLessThanOrEqual(world.limits.jobs);
      for (const { id } of world.items) {
        const begun = starts.filter((it) => it.id === id).length;
        expect(begun).toBeLessThanOrEqual((world.fates.get(id)?.failures ?? 0) + 1);
      }
    }),
    { numRuns: runs },
  );
}
