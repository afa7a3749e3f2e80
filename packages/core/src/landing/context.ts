import type { LandPlan } from '@saga-ai/types/screens/review/review';
import { SagaError } from '../errors.ts';
import type { Base } from '../git/find-base.ts';
import type { Git } from '../git/git.ts';
import type { Worker } from '../worker/context.ts';

/** A story or an epic that is to be merged. `worker.storyId` is its id. */
export interface Landing {
  worker: Worker;
  kind: 'story' | 'epic';
  id: string;
  /** The stories that come with it: the story itself, or all below the epic. */
  stories: readonly string[];
  /** git in the main checkout. It runs no hooks. */
  git: Git;
  branch: string;
  /** The last commit of the branch. Nothing else is merged. */
  tip: string;
  base: NamedBase;
  wish: LandWish;
}

/** A base with a name: a merge needs a branch to go to. */
export type NamedBase = Base & { branch: string };

/** What the person who lands something decided. */
export interface LandWish {
  /** Merge on this machine, also if there is a pull request. */
  isLocal: boolean;
  /** How long to wait for the checks of a pull request. */
  waitMs: number;
  /** Keep the worktree and the branch. */
  isKept: boolean;
  /** Asks the person. Nothing was changed before. */
  confirm(plan: LandPlan): Promise<boolean>;
  /** Says what goes on, in words. */
  tell(text: string): void;
  /** Waits before GitHub is asked again. Rejects if the person stops it. */
  pause(ms: number): Promise<void>;
}

/** The error for what stays unmerged. */
export function notLanded(
  { kind, id }: Pick<Landing, 'kind' | 'id'>,
  why: string,
  hint: string,
): SagaError {
  const what = kind === 'story' ? 'Story' : 'Epic';
  // What a remote says may end with a full stop.
  const end = why.endsWith('.') ? '' : '.';
  return new SagaError('not-landed', `${what} ${id} was not merged: ${why}${end}`, hint);
}
