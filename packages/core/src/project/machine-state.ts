import { lstatSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { PLAN_FOLDER } from '@saga-ai/types/plan/plan-paths';
import { parseStoryBranch } from '@saga-ai/types/words/names';
import { findMainPlace, readBranch, readCheckout, readLines, statIfThere } from './git-files.ts';

/** Below this folder, a checkout keeps what belongs to it alone. Older versions kept everything there. */
export const runsOfCheckout = (root: string) => join(root, PLAN_FOLDER, 'runs');

/**
 * The folder of locks, records, messages and notes. They belong to the repository, so that a command finds a worker in
 * whichever checkout either was started. A project without git keeps them in `.saga`.
 */
export function findRuns(root: string): string {
  const home = findRunsOfRepository(root);
  if (home === undefined) return runsOfCheckout(root);
  return statIfThere(home) ? home : (findOlderRuns(root)[0] ?? home);
}

/** The folder that all checkouts of a repository share. Undefined without git. */
export function findRunsOfRepository(root: string): string | undefined {
  const common = readCheckout(root)?.common;
  return common === undefined ? undefined : join(common, 'saga', 'runs');
}

/**
 * Lists the folders with records of older versions, which kept them in the checkout where a command started. Once the
 * repository has its own folder, no checkout is looked at any more: a branch could bring such files.
 */
export function findOlderRuns(root: string): string[] {
  const common = readCheckout(root)?.common;
  const home = findRunsOfRepository(root);
  if (common === undefined || home === undefined) return [];
  const checkouts = statIfThere(home)
    ? []
    : [findMainPlace(root), root, ...listPeoplesCheckouts(common)];
  const places = [movingRuns(home), ...checkouts.map(runsOfCheckout)];
  return [...new Set(places)].filter((it) => listRecords(it).length > 0);
}

/** Where records of several checkouts are brought together, before they get their place in one step. */
export const movingRuns = (home: string) => `${home}.moving`;

/** The names of what belongs to the repository in a folder where older versions kept it; none if it is a link. */
export function listRecords(folder: string): string[] {
  try {
    if (!lstatSync(folder).isDirectory()) return [];
    return readdirSync(folder).filter((name) => !OF_CHECKOUT.test(name));
  } catch {
    // There is no such folder, or it may not be read; then nothing can be taken from it.
    return [];
  }
}

const OF_CHECKOUT = /^(\.gitignore|dashboard-token|staging|(deleting|restoring)-.+)$/;

/** The linked checkouts of people: in one of a story, a run could have written what it likes. */
function listPeoplesCheckouts(common: string): string[] {
  const registry = join(common, 'worktrees');
  return listNames(registry).flatMap((name) => {
    const admin = join(registry, name);
    const [back] = readLines(join(admin, 'gitdir'));
    const isStorys =
      statIfThere(join(admin, STORY_MARK)) !== undefined ||
      parseStoryBranch(readBranch(admin) ?? '') !== undefined;
    return back === undefined || isStorys ? [] : [dirname(resolve(admin, back))];
  });
}

/** A file in git's folder of a story's worktree, with the worktree's branch and project. */
export const STORY_MARK = 'saga-story';

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // The repository has no linked checkouts.
    return [];
  }
}
