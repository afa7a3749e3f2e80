import { type Finding, ok, problem, warning } from '@saga-ai/types/screens/finding';
import { SagaError } from '../errors.ts';
import { openChecks } from '../needs/list.ts';
import type { Found, Need, NeedContext } from '../needs/need.ts';

/** What doctor adds to the check of a need. */
export interface Look {
  /** The finding that is shown if the check must not be made. */
  instead?: Finding;
  /** Adds what only doctor knows about a need that is met. */
  describe?(finding: Finding, found: Found): Finding[] | Promise<Finding[]>;
}

/** Checks needs at once and returns findings for each. A need is left out if its ground is not met. */
export async function checkNeeds(
  needs: readonly Need[],
  context: NeedContext,
  looks: ReadonlyMap<Need, Look> = new Map(),
): Promise<Finding[]> {
  const check = openChecks(context);
  const groups = await Promise.all(
    needs.map(async (need) => {
      if (need.after && !(await isMet(check(need.after)))) return [];
      const { instead, describe } = looks.get(need) ?? {};
      if (instead) return [instead];
      try {
        const found = await check(need);
        const finding = describeFound(need, found);
        return describe ? await describe(finding, found) : [finding];
      } catch (error) {
        if (!(error instanceof SagaError)) throw error;
        return [problem(need.name, error.message, error.hint)];
      }
    }),
  );
  return groups.flat();
}

async function isMet(check: Promise<Found>): Promise<boolean> {
  try {
    await check;
    return true;
  } catch (error) {
    if (!(error instanceof SagaError)) throw error;
    // The finding of the ground itself says why it is not met.
    return false;
  }
}

const describeFound = ({ name }: Need, { what, remedy }: Found): Finding =>
  remedy === undefined ? ok(name, what) : warning(name, what, remedy);
