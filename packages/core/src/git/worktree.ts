import type { Base } from './find-base.ts';
import type { Git } from './git.ts';
import type { PinnedHook } from './pins.ts';

export interface Worktree {
  folder: string;
  branch: string;
  base: Base;
  /** Uses the person's git settings as they were when the worker began. */
  git: Git;
  /** git's own folder for this worktree. Files that SAGA keeps there are deleted with the worktree. */
  gitFolder: string;
  /** The hook that may run before a push: it was there before any run. No other hook may. */
  pushHook?: PinnedHook;
}
