import { client, login, sandboxPrograms } from './client-needs.ts';
import { gitIdentity, gitProgram, repository, trackedPlan } from './git-needs.ts';
import type { Found, Need, NeedContext } from './need.ts';

/**
 * Everything a story needs of the machine and the repository, most basic first. Preflight and doctor
 * both use this list, so they check the same things.
 */
export const NEEDS: readonly Need[] = [
  gitProgram,
  repository,
  gitIdentity,
  trackedPlan,
  sandboxPrograms,
  client,
  login,
];

/** The needs of the gate, which starts no client. */
export const GIT_NEEDS: readonly Need[] = [gitProgram, repository, gitIdentity, trackedPlan];

/** The needs that can be checked outside a project. */
export const MACHINE_NEEDS: readonly Need[] = [gitProgram, gitIdentity, client, login];

/** Returns a function that checks a need in a context: after its ground, and once, however often it is asked. */
export function openChecks(context: NeedContext): (need: Need) => Promise<Found> {
  const known = new Map<Need, Promise<Found>>();
  const check = (need: Need): Promise<Found> => {
    const before = known.get(need);
    if (before !== undefined) return before;
    const found = need.after
      ? check(need.after).then((ground) => need.check(context, ground))
      : need.check(context);
    known.set(need, found);
    return found;
  };
  return check;
}

/**
 * Checks needs at once, all of them if none are named. Returns what was found, or throws the error of the most basic
 * need that is not met.
 */
export async function requireNeeds(
  context: NeedContext,
  needs: readonly Need[] = NEEDS,
): Promise<ReadonlyMap<Need, string>> {
  const results = await Promise.allSettled(needs.map(openChecks(context)));
  const met = new Map<Need, string>();
  for (const [index, need] of needs.entries()) {
    const result = results[index];
    if (result?.status === 'rejected') throw result.reason;
    met.set(need, result?.value.what ?? '');
  }
  return met;
}
