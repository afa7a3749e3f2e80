import type { LiveProject } from '@saga-ai/core/overview/live/live-project';
import type { Problem } from '@saga-ai/types/words/problem';

/** Everything that is wrong, in the plan and beside it. */
export function findProblems({ overview, sessions }: LiveProject): Problem[] {
  return [...overview.problems, ...sessions.problems()];
}
