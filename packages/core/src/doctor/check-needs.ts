import { type Finding, ok, problem } from '@saga-ai/types/screens/finding';
import { SagaError } from '../errors.ts';
import type { Need, Place } from '../needs/need.ts';

/**
 * Checks needs at once and returns a finding for each. A need is left out if the need it depends on is
 * not met.
 */
export async function checkNeeds(needs: readonly Need[], place: Place): Promise<Finding[]> {
  const findings = await Promise.all(needs.map((need) => checkNeed(need, place)));
  const unmet = new Set<Need>();
  return needs.flatMap((need, index) => {
    const finding = findings[index];
    const isGroundless = need.after !== undefined && unmet.has(need.after);
    if (isGroundless || finding?.state === 'problem') unmet.add(need);
    return finding && !isGroundless ? [finding] : [];
  });
}

async function checkNeed({ name, check }: Need, place: Place): Promise<Finding> {
  try {
    return ok(name, await check(place));
  } catch (error) {
    if (!(error instanceof SagaError)) throw error;
    return problem(name, error.message, error.hint);
  }
}
