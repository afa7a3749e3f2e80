import type { Config } from '@saga-ai/types/config';
import { formatEpicBranch } from '@saga-ai/types/words/names';

/** The branch that a story or an epic starts from, is compared with and is merged into. */
export interface BaseBranch {
  /** Undefined means the default branch of the repository. */
  name?: string;
  /** The epic that has this branch. Its scheduler merges the story, not a person. */
  epic?: string;
}

/** The settings that decide it. */
export interface BaseRule {
  /** `worktree.baseBranch`, if a person set it. */
  given?: string;
  /** Whether the branch of an epic is the base of its stories. */
  isByEpic: boolean;
}

export function readBaseRule({ worktree, epic }: Pick<Config, 'worktree' | 'epic'>): BaseRule {
  const { baseBranch } = worktree;
  if (baseBranch !== null) return { given: baseBranch, isByEpic: false };
  return { isByEpic: epic.integrate === 'branch' };
}

/**
 * Chooses the branch of the nearest epic around a story that has a branch. A branch that a person configured counts
 * before that. `around` lists the epics, the nearest first.
 */
export function chooseBaseBranch(
  { given, isByEpic }: BaseRule,
  around: readonly string[],
  hasBranch: (epic: string) => boolean,
): BaseBranch {
  if (given !== undefined) return { name: given };
  const epic = isByEpic ? around.find(hasBranch) : undefined;
  return epic === undefined ? {} : { name: formatEpicBranch(epic), epic };
}
