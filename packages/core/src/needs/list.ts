import { client, sandboxPrograms } from './client-needs.ts';
import { gitIdentity, gitProgram, repository, trackedPlan } from './git-needs.ts';
import type { Need, Place } from './need.ts';

/**
 * All that a story needs of machine and repository, most basic first. Preflight refuses a story by
 * this list, and doctor shows it: what one of them asks, the other asks too.
 */
export const NEEDS: readonly Need[] = [
  gitProgram,
  repository,
  gitIdentity,
  trackedPlan,
  client,
  sandboxPrograms,
];

/** Those that can be asked outside a project. */
export const MACHINE_NEEDS: readonly Need[] = [gitProgram, gitIdentity, client];

/** Checks all needs at once; returns what was found, or throws the error of
 * the most basic one that is not met. */
export async function requireNeeds(place: Place): Promise<ReadonlyMap<Need, string>> {
  const results = await Promise.allSettled(NEEDS.map((need) => need.check(place)));
  const met = new Map<Need, string>();
  for (const [index, need] of NEEDS.entries()) {
    const result = results[index];
    if (result?.status === 'rejected') throw result.reason;
    met.set(need, result?.value ?? '');
  }
  return met;
}
