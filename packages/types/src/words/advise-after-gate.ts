import type { GateCheckName } from '../run/evidence.ts';

export interface FailedGateView {
  storyId: string;
  /** The worktree as people read its path; undefined if there is none, or nobody looked. */
  worktree?: string | undefined;
  /** The names of the checks that failed. */
  checks: readonly GateCheckName[];
}

/** Returns the ways out of a failed gate, one a line. */
export function adviseAfterGate({ storyId, worktree, checks }: FailedGateView): string[] {
  const place = worktree === undefined ? 'in its worktree' : `in ${worktree}`;
  return [
    ...(checks.includes('changed')
      ? [
          `if it needs no change: say why in the field noChange of each task, then saga gate ${storyId}`,
        ]
      : []),
    `to mend it by hand: commit ${place}, then saga gate ${storyId}`,
    `to have a run mend it: saga feedback ${storyId} "…", then saga run ${storyId}`,
  ];
}
