import type { Config } from '@saga-ai/types/config';
import { findParents, listAround } from '@saga-ai/types/plan/epic-parents';
import { formatEpicBranch } from '@saga-ai/types/words/names';
import { commitOf, loadRefs, type Refs } from '../../git/branches.ts';
import { type Base, deriveBase } from '../../git/find-base.ts';
import type { Git } from '../../git/git.ts';
import { readEpics } from '../../plan/epics.ts';
import type { Paths } from '../../project/paths.ts';
import { type BaseBranch, chooseBaseBranch, readBaseRule } from './choose-base-branch.ts';

type Settings = Pick<Config, 'worktree' | 'epic'>;

/** Finds the branch that a story or an epic is based on, by the branches that this repository knows. */
export async function findBaseBranch(
  paths: Paths,
  id: string,
  settings: Settings,
  git: Git,
): Promise<BaseBranch> {
  // Preflight says what is wrong with the repository.
  const refs = await loadRefs(git).catch(() => undefined);
  const rule = readBaseRule(settings);
  return refs
    ? openBaseBranches(paths, settings, refs)(id)
    : chooseBaseBranch(rule, [], () => false);
}

/** Like findBaseBranch, for many stories: reads the epics once, and not at all if the settings name the base. */
export function openBaseBranches(
  paths: Paths,
  settings: Settings,
  refs: Refs,
): (id: string) => BaseBranch {
  const rule = readBaseRule(settings);
  const parents = rule.isByEpic ? findParents(readEpics(paths).epics) : undefined;
  const hasBranch = (epic: string) => commitOf(refs, formatEpicBranch(epic)) !== undefined;
  return (id) => chooseBaseBranch(rule, parents ? listAround(parents, id) : [], hasBranch);
}

/**
 * Returns a function that lists the commits in which a merged story's work can be: that of the branch the story is
 * based on, and that of the project's own base. A person may merge a story of an epic into the project's base by hand.
 */
export function openKnownBases(
  paths: Paths,
  settings: Settings,
  refs: Refs,
): (id: string) => string[] {
  const baseOf = openBases(paths, settings, refs);
  const own = deriveBase(refs, settings.worktree.baseBranch ?? undefined)?.commit;
  return (id) => {
    const commits = [baseOf(id)?.commit, own].filter((it) => it !== undefined);
    return [...new Set(commits)];
  };
}

/**
 * Returns a function that finds the base of a story. The function returns undefined if this repository does not have
 * that branch.
 */
export function openBases(
  paths: Paths,
  settings: Settings,
  refs: Refs,
): (id: string) => Base | undefined {
  const findBranch = openBaseBranches(paths, settings, refs);
  return (id) => deriveBase(refs, findBranch(id).name);
}
