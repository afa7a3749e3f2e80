import type { Forge } from './forge.ts';
import { GhRefusal } from './gh-refusal.ts';

/**
 * A place of which SAGA uses only the branches: it pushes them, and `saga land` merges on this machine. `reason` says
 * why there are no pull requests.
 */
export function openBranchesOnly(reason: string): Forge {
  const refuse = async (): Promise<never> => {
    throw new GhRefusal(`issues cannot be read: ${reason}`, 'nowhere');
  };
  return {
    pulls: undefined,
    missing: reason,
    readIssue: refuse,
    listIssues: refuse,
    openPull: () => undefined,
  };
}
