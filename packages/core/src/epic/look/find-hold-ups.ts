import type { Candidate, Schedule } from '../schedule.ts';

/** An item that only a person can help, and what that costs. */
export interface HeldUp {
  id: string;
  /** The stories that cannot begin before it is helped. */
  cutsOff: string[];
  /** Whether the item is on the longest chain of items that are not merged. */
  isCritical: boolean;
}

/**
 * Lists the items that only a person can help: first those that cut off the most stories, then those on the
 * longest chain.
 */
export function findHoldUps(
  candidates: readonly Candidate[],
  { holds }: Pick<Schedule, 'holds'>,
  criticalPath: readonly string[],
): HeldUp[] {
  const cutsOff = new Map<string, string[]>();
  for (const [id, hold] of holds) {
    if (hold.why !== 'cut-off') continue;
    for (const root of hold.by) cutsOff.set(root, [...(cutsOff.get(root) ?? []), id]);
  }
  const critical = new Set(criticalPath);
  return candidates
    .filter((it) => it.standing === 'stuck')
    .map(({ id }) => ({
      id,
      cutsOff: cutsOff.get(id) ?? [],
      isCritical: critical.has(id),
    }))
    .toSorted(
      (a, b) => b.cutsOff.length - a.cutsOff.length || Number(b.isCritical) - Number(a.isCritical),
    );
}
