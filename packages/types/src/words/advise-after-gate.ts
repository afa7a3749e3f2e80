import type { GateCheckName } from '../run/evidence.ts';
import type { AdviceAfter } from './advice-after.ts';

export interface FailedGateView {
  storyId: string;
  /** The path of the worktree, as people read it. Undefined if there is none or the caller did not look. */
  worktree?: string | undefined;
  /** The names of the checks that failed. */
  checks: readonly GateCheckName[];
}

/** Returns the ways out of a failed gate. */
export function adviseAfterGate({ storyId, worktree, checks }: FailedGateView): AdviceAfter[] {
  const place = worktree === undefined ? 'in its worktree' : `in ${worktree}`;
  const gate = `saga gate ${storyId}`;
  const explain = 'say why in the field noChange of each task';
  return [
    ...(checks.includes('changed')
      ? [{ aim: 'if it needs no change', steps: [explain, gate] } as const]
      : []),
    { aim: 'to mend it by hand', steps: [`commit ${place}`, gate] },
    {
      aim: 'to have a run mend it',
      steps: [`saga feedback ${storyId} "…"`, `saga run ${storyId}`],
    },
  ];
}
