import type { Base } from './find-base.ts';
import type { Git } from './git.ts';

export interface Worktree {
  folder: string;
  branch: string;
  base: Base;
  git: Git;
  /** git's own folder for this worktree. Files that SAGA keeps there are deleted with the worktree. */
  gitFolder: string;
}
