import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { StopCause } from '@saga-ai/types/run/cause';
import { isStillThere, type Worktree } from '../../git/worktree.ts';
import { readBranch } from '../../project/git-files.ts';
import { storyFolderIn } from '../../project/paths.ts';

export interface Missing {
  cause: Extract<StopCause, 'worktree-gone' | 'plan-gone'>;
  detail: string;
}

const EVERY_MS = 1000;
/** A checkout may remove the plan for a moment, so one look is not enough. */
const LOOKS = 3;

/** Looks again and again, during a run, whether the worktree and the story in it still exist. */
export function watchHome(
  worktree: Worktree,
  storyId: string,
  onMissing: (missing: Missing) => void,
): Disposable {
  let looks = 0;
  const timer = setInterval(() => {
    const missing = findMissing(worktree, storyId);
    looks = missing ? looks + 1 : 0;
    if (missing?.cause === 'worktree-gone' || (missing && looks >= LOOKS)) onMissing(missing);
  }, EVERY_MS);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/**
 * Says what is missing. A run that is on another branch, or in the middle of a rebase, may be without the
 * plan: it comes back with the branch.
 */
export function findMissing(
  worktree: Pick<Worktree, 'folder' | 'identity' | 'gitFolder' | 'branch'>,
  storyId: string,
): Missing | undefined {
  const { folder, gitFolder, branch } = worktree;
  if (!isStillThere(worktree)) {
    return { cause: 'worktree-gone', detail: `the worktree ${folder} is gone` };
  }
  const home = storyFolderIn(folder, storyId);
  if (existsSync(home) || readBranch(gitFolder) !== branch) return undefined;
  if (UNFINISHED.some((it) => existsSync(join(gitFolder, it)))) return undefined;
  return { cause: 'plan-gone', detail: `${home} is gone` };
}

const UNFINISHED = ['rebase-merge', 'rebase-apply', 'MERGE_HEAD', 'CHERRY_PICK_HEAD'];
