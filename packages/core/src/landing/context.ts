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
  /** True to merge on this machine even if there is a pull request. */
  isLocal: boolean;
  /** How long to wait for the checks of a pull request. */
  waitMs: number;
  /** True to keep the worktree and the branch. */
  isKept: boolean;
  /** Asks the person whether to merge, before anything is changed. */
  confirm(plan: LandPlan): Promise<boolean>;
  /** Called with words about the progress. */
  tell(text: string): void;
  /** Waits before GitHub is asked again. Rejects if the person stops it. */
  pause(ms: number): Promise<void>;
}

/** Builds the error for an item that was not merged. */
export function notLanded(
  { kind, id }: Pick<Landing, 'kind' | 'id'>,
  why: string,
  hint: string,
): SagaError {
  const what = kind === 'story' ? 'Story' : 'Epic';
  // The words of a remote may already end with a full stop.
  const end = why.endsWith('.') ? '' : '.';
  return new SagaError('not-landed', `${what} ${id} was not merged: ${why}${end}`, hint);
}
