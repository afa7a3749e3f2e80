import { client, login, sandboxPrograms } from './client-needs.ts';
import { gitIdentity, gitProgram, repository, trackedPlan } from './git-needs.ts';
import type { Need, Place } from './need.ts';

/**
 * Everything a story needs of the machine and the repository, most basic first. Preflight and doctor
 * both use this list, so they check the same things.
 */
export const NEEDS: readonly Need[] = [
  gitProgram,
  repository,
  gitIdentity,
  trackedPlan,
  client,
  login,
  sandboxPrograms,
];

/** What the gate needs, which asks no client. */
export const GIT_NEEDS: readonly Need[] = [gitProgram, repository, gitIdentity, trackedPlan];

/** The needs that can be checked outside a project. */
export const MACHINE_NEEDS: readonly Need[] = [gitProgram, gitIdentity, client];

/**
 * Checks needs at once, all of them if none are named. Returns what was found, or throws the error of the most basic need that is
 * not met.
 */
export async function requireNeeds(
  place: Place,
  needs: readonly Need[] = NEEDS,
): Promise<ReadonlyMap<Need, string>> {
  const results = await Promise.allSettled(needs.map((need) => need.check(place)));
  const met = new Map<Need, string>();
  for (const [index, need] of needs.entries()) {
    const result = results[index];
    if (result?.status === 'rejected') throw result.reason;
    met.set(need, result?.value ?? '');
  }
  return met;
}
